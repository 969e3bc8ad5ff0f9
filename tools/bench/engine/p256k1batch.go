package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// The operations on many inputs together, which only this library has, and those
// with keys that are made ready.
const (
	ECDSAVerifyBatch      = "ecdsa-verify-batch"
	SchnorrVerifyBatch    = "schnorr-verify-batch"
	SchnorrVerifyBatchFew = "schnorr-verify-batch-few"
	RecoverBatch          = "recover-batch"
	ECDSASignBatch        = "ecdsa-sign-batch"
	SchnorrSignBatch      = "schnorr-sign-batch"
	DeriveBatch           = "derive-batch"
	GenerateBatch         = "generate-batch"
	ECDSAPrecomputed      = "ecdsa-verify-precomputed"
	SchnorrPrecomputed    = "schnorr-verify-precomputed"
)

// fewKeys is how many keys sign where few do: validators, oracles, a busy author.
// The tables of thousands would neither fit any cache nor be of use.
const fewKeys = 8

// A signed is a member that has signed a digest, which where few keys sign is another's.
type signed struct {
	member
	digest, der, recoverable []byte
	sig                      [64]byte // of BIP-340
}

func sign(m member, digest []byte) (s signed, err error) {
	s.member, s.digest = m, digest
	recoverable, err := ecdsa.SignRecoverable(m.secret, digest)
	if err != nil {
		return s, err
	}
	s.der, s.recoverable = recoverable.Signature().DER(), recoverable.Bytes()
	s.sig, err = schnorr.Sign(m.secret, digest, new([32]byte))
	return s, err
}

// A memo holds what was made of parties last, since many operations begin with it.
type memo struct {
	sync.Mutex
	parties []Party
	members []member
	all     map[bool][]signed // by whether few signed
}

var made memo

func load(parties []Party) ([]member, error) {
	made.Lock()
	defer made.Unlock()
	if len(made.parties) == len(parties) && &made.parties[0] == &parties[0] {
		return made.members, nil
	}
	members, err := each(parties, newMember)
	if err == nil {
		made.parties, made.members, made.all = parties, members, map[bool][]signed{}
	}
	return members, err
}

// signed has all members, or the first few in turn, sign the members' digests.
func (m *memo) signed(members []member, few bool) (all []signed, err error) {
	m.Lock()
	defer m.Unlock()
	if all = m.all[few]; len(all) == len(members) && &members[0] == &m.members[0] {
		return all, nil
	}
	for i, signer := range members {
		digest := signer.Digest[:]
		if few {
			signer = members[i%min(fewKeys, len(members))]
		}
		s, err := sign(signer, digest)
		if err != nil {
			return nil, invalid(err)
		}
		all = append(all[:i], s)
	}
	m.all[few] = all
	return all, nil
}

// verifier has verify run on batches, after it has refused one with a digest that
// was not signed.
func verifier(batches [][]signed, verify func(batch *[]signed, _ *[64]byte) error) (Prepared, error) {
	wrong := slices.Clone(batches[0])
	last := &wrong[len(wrong)-1]
	last.digest = slices.Clone(last.digest)
	last.digest[0] ^= 1
	if verify(&wrong, nil) == nil {
		return Prepared{}, fmt.Errorf("%w: a wrong signature is accepted", ErrInvalid)
	}
	return cycle(batches, verify), nil
}

// batchOf prepares one of these operations on batches of a size.
func batchOf(op string, size int, members []member) (Prepared, error) {
	precomputed := op == ECDSAPrecomputed || op == SchnorrPrecomputed
	all, err := made.signed(members, precomputed || strings.HasSuffix(op, "-few"))
	if err != nil {
		return Prepared{}, err
	}
	if precomputed {
		return precomputedOf(op, all)
	}
	batches := windows(all, size)
	keys, bytes := make([]*p256k1.PrivateKey, size), make([][]byte, size)
	load := func(batch []signed) {
		for i := range batch {
			keys[i], bytes[i] = batch[i].secret, batch[i].digest
		}
	}
	switch op {
	case ECDSAVerifyBatch:
		var b ecdsa.Batch
		return verifier(batches, func(batch *[]signed, _ *[64]byte) error {
			b.Reset()
			for i := range *batch {
				s := &(*batch)[i]
				sig, err := ecdsa.ParseDER(s.der)
				if err != nil {
					return err
				}
				b.Add(s.Pub[:], s.digest, sig)
			}
			return refused(b.Verify(), "batch")
		})
	case SchnorrVerifyBatch, SchnorrVerifyBatchFew:
		var b schnorr.Batch
		return verifier(batches, func(batch *[]signed, _ *[64]byte) error {
			b.Reset()
			for i := range *batch {
				s := &(*batch)[i]
				b.Add(s.Pub[1:], s.digest, s.sig[:])
			}
			return refused(b.Verify(), "batch")
		})
	case RecoverBatch:
		publics, parsed := make([]*p256k1.PublicKey, size), make([]ecdsa.RecoverableSignature, size)
		return cycle(batches, func(batch *[]signed, _ *[64]byte) (err error) {
			load(*batch)
			for i := range *batch {
				if parsed[i], err = ecdsa.ParseRecoverable((*batch)[i].recoverable); err != nil {
					return err
				}
			}
			n := ecdsa.RecoverBatch(publics, bytes, parsed)
			return refused(n == size && allKeys(*batch, func(i int) *p256k1.PublicKey { return publics[i] }), "batch")
		}), nil
	case DeriveBatch:
		return cycle(batches, func(batch *[]signed, _ *[64]byte) error {
			for i := range *batch {
				bytes[i] = (*batch)[i].Secret[:]
			}
			made, err := p256k1.NewPrivateKeys(bytes)
			if err != nil {
				return err
			}
			return refused(allKeys(*batch, func(i int) *p256k1.PublicKey { return made[i].PublicKey() }), "batch")
		}), nil
	case ECDSASignBatch:
		sigs := make([]ecdsa.Signature, size)
		return cycle(batches, func(batch *[]signed, _ *[64]byte) error {
			load(*batch)
			return ecdsa.SignBatch(sigs, keys, bytes)
		}), nil
	case SchnorrSignBatch:
		sigs := make([][64]byte, size)
		return cycle(batches, func(batch *[]signed, _ *[64]byte) error {
			load(*batch)
			return schnorr.SignBatch(sigs, keys, bytes)
		}), nil
	case GenerateBatch:
		return Prepared{Run: func(int, *[64]byte) error {
			_, err := p256k1.GenerateKeys(size)
			return err
		}}, nil
	}
	return Prepared{}, ErrNotSupported
}

// precomputedOf verifies by the keys of the first few, in turn, made ready.
func precomputedOf(op string, all []signed) (Prepared, error) {
	var publics []*p256k1.PublicKey
	var xonly []*p256k1.XOnlyPublicKey
	for _, s := range all[:min(fewKeys, len(all))] {
		publics, xonly = append(publics, s.public.Precomputed()), append(xonly, s.public.XOnly().Precomputed())
	}
	verify := func(i int, digest []byte) bool {
		s := &all[i]
		if op == SchnorrPrecomputed {
			return schnorr.Verify(xonly[i%len(xonly)], digest, s.sig[:])
		}
		sig, err := ecdsa.ParseDER(s.der)
		return err == nil && ecdsa.Verify(publics[i%len(publics)], digest, sig)
	}
	if verify(0, make([]byte, 32)) {
		return Prepared{}, fmt.Errorf("%w: a wrong signature is accepted", ErrInvalid)
	}
	return Prepared{Run: func(i int, _ *[64]byte) error {
		i %= len(all)
		return refused(verify(i, all[i].digest), "signature")
	}}, nil
}

// allKeys reports whether the keys are those of a batch, from their bytes.
func allKeys(batch []signed, key func(i int) *p256k1.PublicKey) bool {
	for i := range batch {
		if [33]byte(key(i).Bytes()) != *batch[i].Pub {
			return false
		}
	}
	return true
}
