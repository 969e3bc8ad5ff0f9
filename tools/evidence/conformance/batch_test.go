package conformance

import (
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// TestBatchECDSA compares the results of batches with the results of single calls: verdicts, recovered keys and
// signatures. The tests of each operation compare the results of single calls with other libraries.
func TestBatchECDSA(t *testing.T) {
	const (
		malformed = kind("malformed")
		lost      = kind("no key")
	)
	differential(t, func(r *run) {
		n := 1
		if r.IntN(32) == 0 {
			n = r.IntN(64)
		}
		b := ecdsa.Batch{LowSOnly: r.IntN(4) == 0}
		var bad []int
		var digests [][]byte
		var sigs []ecdsa.RecoverableSignature
		var last struct {
			pub, digest, rs []byte
		}
		for i := range n {
			key, digest, rs := r.signature()
			pub := key.Bytes()
			switch r.IntN(8) {
			case 0:
				pub = key.BytesUncompressed()
			case 1:
				pub = r.mutate(pub)
			case 2, 3:
				digest, rs = r.mutateSignature(digest, rs)
			case 4:
				if i > 0 { // the same item again, or a part of it
					switch r.IntN(4) {
					case 0:
						pub = last.pub
					case 1:
						digest = last.digest
					case 2:
						rs = last.rs
					case 3:
						pub, digest, rs = last.pub, last.digest, last.rs
					}
				}
			}
			last.pub, last.digest, last.rs = pub, digest, rs
			sig, _ := ecdsa.ParseCompact(rs)
			p, err := p256k1.ParsePublicKey(pub)
			if err == nil && r.IntN(2) == 0 {
				b.AddKey(p, digest, sig)
			} else {
				b.Add(pub, digest, sig)
			}
			ok := err == nil && ecdsa.Verify(p, digest, sig) && (!b.LowSOnly || sig.IsLowS())
			r.verdict(ok, valid, invalid)
			if !ok {
				bad = append(bad, i)
			}
			r.addIf(err != nil || len(digest) != 32, malformed)
			recoverable, _ := ecdsa.ParseRecoverable(append(sig.Bytes(), byte(r.IntN(64)/10%4)))
			digests, sigs = append(digests, digest), append(sigs, recoverable)
			if r.IntN(10) == 0 {
				b.Verify() // verify early, so that some items are added after a verification
			}
		}
		r.given("%d signatures %x of digests %x, low s %v", n, sigs, digests, b.LowSOnly)
		r.sameBatch("ECDSA", &b, bad)
		r.same("number", b.Len(), n)

		keys := make([]p256k1.PublicKey, n)
		var failures p256k1.Failures
		errors.As(ecdsa.RecoverBatch(keys, digests, sigs), &failures)
		var reasons []error
		var keyless []int
		for i := range keys {
			want, err := ecdsa.Recover(digests[i], sigs[i])
			r.same("recovered", from(&keys[i], keys[i].Bytes() != nil), result(want, err))
			r.verdict(err == nil, recovered, lost)
			if err != nil {
				keyless, reasons = append(keyless, i), append(reasons, err)
			}
		}
		r.same("number of items without a key", len(failures), len(keyless))
		for i, f := range failures {
			r.same("item without a key", f.Index, keyless[i])
			r.same("reason", errors.Is(f, ecdsa.ErrRecover), errors.Is(reasons[i], ecdsa.ErrRecover))
		}

		if n == 1 {
			return
		}
		privs, hashes, made := make([]*p256k1.PrivateKey, n), make([][]byte, n), make([]ecdsa.Signature, n)
		secrets := make([][]byte, n)
		for i := range privs {
			privs[i], _ = r.keys(r.ValidScalar())
			hashes[i], secrets[i] = slice(r.Digest()), privs[i].Bytes()
		}
		r.given("keys %x, digests %x", secrets, hashes)
		r.same("SignBatch", ecdsa.SignBatch(made, privs, hashes, nil), nil)
		all := must(p256k1.ParsePrivateKeys(secrets))
		for i, k := range privs {
			r.same("signature", made[i], must(ecdsa.Sign(k, hashes[i], nil)))
			r.same("key", all[i], k)
			r.same("public key", all[i].PublicKey(), k.PublicKey())
		}
	}, valid, invalid, malformed, recovered, lost, wrapped, falselyWrapped)
}
