package engine

import (
	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// p256k1Batches lists the operations on batches. Only this library has them.
var p256k1Batches = map[string]grouping[member]{
	"ecdsa-verify-batch": func(size int, members []member) Prepared {
		var b ecdsa.Batch
		return verifyBatches(size, members, &b, func(m *member) error {
			sig, err := ecdsa.ParseDER(m.DER)
			if err == nil {
				b.Add(m.Pub[:], m.Digest[:], sig)
			}
			return err
		})
	},
	"schnorr-verify-batch":     schnorrBatches,
	"schnorr-verify-batch-few": schnorrBatches,
	"recover-batch": func(size int, members []member) Prepared {
		publics, parsed := make([]p256k1.PublicKey, size), make([]ecdsa.RecoverableSignature, size)
		return overBatches(size, members, func(b *batch) (err error) {
			for i := range b.members {
				if parsed[i], err = ecdsa.ParseRecoverable(b.members[i].Recoverable[:]); err != nil {
					return err
				}
			}
			if err := ecdsa.RecoverBatch(publics, b.digests, parsed); err != nil {
				return err
			}
			return b.expect(func(i int) *p256k1.PublicKey { return &publics[i] })
		})
	},
	"derive-batch": func(size int, members []member) Prepared {
		secrets := make([][]byte, size)
		return overBatches(size, members, func(b *batch) error {
			for i := range b.members {
				secrets[i] = b.members[i].Secret[:]
			}
			made, err := p256k1.ParsePrivateKeys(secrets)
			if err != nil {
				return err
			}
			return b.expect(func(i int) *p256k1.PublicKey { return made[i].PublicKey() })
		})
	},
	"ecdsa-sign-batch": func(size int, members []member) Prepared {
		sigs := make([]ecdsa.Signature, size)
		return overBatches(size, members, func(b *batch) error { return ecdsa.SignBatch(sigs, b.keys, b.digests, nil) })
	},
	"schnorr-sign-batch": func(size int, members []member) Prepared {
		sigs := make([][64]byte, size)
		return overBatches(size, members, func(b *batch) error { return schnorr.SignBatch(sigs, b.keys, b.digests, nil) })
	},
	"generate-batch": func(size int, _ []member) Prepared {
		return Prepared{Run: func(int, *Result) error { return succeeded(p256k1.GenerateKeys(size)) }}
	},
	"ecdsa-verify-precomputed": func(_ int, members []member) Prepared {
		keys := precomputed(members)
		return overIndexes(members, func(i int, m *member, _ *Result) error {
			sig, err := ecdsa.ParseDER(m.DER)
			return refused(err == nil && ecdsa.Verify(keys[i%len(keys)], m.Digest[:], sig), "signature")
		})
	},
	"schnorr-verify-precomputed": func(_ int, members []member) Prepared {
		keys := pick(precomputed(members), func(p **p256k1.PublicKey) *p256k1.XOnlyPublicKey {
			return (*p).XOnly().Precomputed()
		})
		return overIndexes(members, func(i int, m *member, _ *Result) error {
			return refused(schnorr.Verify(keys[i%len(keys)], m.Digest[:], m.Schnorr[:]), "signature")
		})
	},
}

// A batch is a group of members, with their keys and digests in the form that functions for batches take.
type batch struct {
	members []member
	keys    []*p256k1.PrivateKey
	digests [][]byte
}

// overBatches returns an operation on size members per call.
func overBatches(size int, members []member, run func(b *batch) error) Prepared {
	batches := pick(windows(members, size), func(members *[]member) batch {
		return batch{
			members: *members,
			keys:    pick(*members, func(m *member) *p256k1.PrivateKey { return m.secret }),
			digests: pick(*members, func(m *member) []byte { return m.Digest[:] }),
		}
	})
	return cycle(batches, func(b *batch, _ *Result) error { return run(b) })
}

// expect returns ErrInvalid unless key(i) is the public key of member i, for all members of the batch.
func (b *batch) expect(key func(i int) *p256k1.PublicKey) error {
	for i := range b.members {
		if [33]byte(key(i).Bytes()) != b.members[i].Pub {
			return refused(false, "batch")
		}
	}
	return nil
}

// A verifier is a batch of ecdsa or schnorr, to which add adds the signature of a member.
type verifier interface {
	Reset()
	Verify() bool
}

func verifyBatches(size int, members []member, v verifier, add func(m *member) error) Prepared {
	return overBatches(size, members, func(b *batch) error {
		v.Reset()
		for i := range b.members {
			if err := add(&b.members[i]); err != nil {
				return err
			}
		}
		return refused(v.Verify(), "batch")
	})
}

func schnorrBatches(size int, members []member) Prepared {
	var b schnorr.Batch
	return verifyBatches(size, members, &b, func(m *member) error {
		b.Add(m.Pub[1:], m.Digest[:], m.Schnorr[:])
		return nil
	})
}

// precomputed returns the keys, with tables, of members of which few sign in turn.
func precomputed(members []member) []*p256k1.PublicKey {
	return pick(members[:min(fewKeys, len(members))], func(m *member) *p256k1.PublicKey { return m.public.Precomputed() })
}
