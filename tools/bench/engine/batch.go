package engine

import (
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// batchOf prepares an operation on batches of the given size, or with precomputed keys. Only this library has such
// operations.
func batchOf(op string, size int, members []member) (Prepared, error) {
	batches := windows(members, size)
	keys, bytes := make([]*p256k1.PrivateKey, size), make([][]byte, size)
	load := func(batch []member) {
		for i := range batch {
			keys[i], bytes[i] = batch[i].secret, batch[i].Digest[:]
		}
	}
	switch op {
	case "ecdsa-verify-precomputed", "schnorr-verify-precomputed":
		return precomputedOf(op, members)
	case "ecdsa-verify-batch":
		var b ecdsa.Batch
		return cycle(batches, func(batch *[]member, _ *Result) error {
			b.Reset()
			for i := range *batch {
				m := &(*batch)[i]
				sig, err := ecdsa.ParseDER(m.DER)
				if err != nil {
					return err
				}
				b.Add(m.Pub[:], m.Digest[:], sig)
			}
			return refused(b.Verify(), "batch")
		})
	case "schnorr-verify-batch", "schnorr-verify-batch-few":
		var b schnorr.Batch
		return cycle(batches, func(batch *[]member, _ *Result) error {
			b.Reset()
			for i := range *batch {
				m := &(*batch)[i]
				b.Add(m.Pub[1:], m.Digest[:], m.Schnorr[:])
			}
			return refused(b.Verify(), "batch")
		})
	case "recover-batch":
		publics, parsed := make([]p256k1.PublicKey, size), make([]ecdsa.RecoverableSignature, size)
		return cycle(batches, func(batch *[]member, _ *Result) (err error) {
			load(*batch)
			for i := range *batch {
				if parsed[i], err = ecdsa.ParseRecoverable((*batch)[i].Recoverable[:]); err != nil {
					return err
				}
			}
			if err := ecdsa.RecoverBatch(publics, bytes, parsed); err != nil {
				return err
			}
			return refused(allKeys(*batch, func(i int) *p256k1.PublicKey { return &publics[i] }), "batch")
		})
	case "derive-batch":
		return cycle(batches, func(batch *[]member, _ *Result) error {
			for i := range *batch {
				bytes[i] = (*batch)[i].Secret[:]
			}
			made, err := p256k1.ParsePrivateKeys(bytes)
			if err != nil {
				return err
			}
			return refused(allKeys(*batch, func(i int) *p256k1.PublicKey { return made[i].PublicKey() }), "batch")
		})
	case "ecdsa-sign-batch":
		sigs := make([]ecdsa.Signature, size)
		return cycle(batches, func(batch *[]member, _ *Result) error {
			load(*batch)
			return ecdsa.SignBatch(sigs, keys, bytes, nil)
		})
	case "schnorr-sign-batch":
		sigs := make([][64]byte, size)
		return cycle(batches, func(batch *[]member, _ *Result) error {
			load(*batch)
			return schnorr.SignBatch(sigs, keys, bytes, nil)
		})
	case "generate-batch":
		return Prepared{Run: func(int, *Result) error {
			_, err := p256k1.GenerateKeys(size)
			return err
		}}, nil
	}
	return Prepared{}, ErrNotSupported
}

// precomputedOf prepares a verification with precomputed keys. The inputs are signed by few keys.
func precomputedOf(op string, members []member) (Prepared, error) {
	few := pick(members[:min(fewKeys, len(members))], func(m *member) *p256k1.PublicKey { return m.public.Precomputed() })
	xonly := pick(few, func(p **p256k1.PublicKey) *p256k1.XOnlyPublicKey { return (*p).XOnly().Precomputed() })
	return Prepared{Run: func(i int, _ *Result) error {
		i %= len(members)
		m := &members[i]
		if op == "schnorr-verify-precomputed" {
			return refused(schnorr.Verify(xonly[i%len(xonly)], m.Digest[:], m.Schnorr[:]), "signature")
		}
		sig, err := ecdsa.ParseDER(m.DER)
		return refused(err == nil && ecdsa.Verify(few[i%len(few)], m.Digest[:], sig), "signature")
	}}, nil
}

// allKeys reports whether key(i) is the public key of item i, for all items of a batch.
func allKeys(batch []member, key func(i int) *p256k1.PublicKey) bool {
	for i := range batch {
		if [33]byte(key(i).Bytes()) != batch[i].Pub {
			return false
		}
	}
	return true
}
