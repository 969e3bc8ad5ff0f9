package engine

import (
	"fmt"
	"slices"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// p256k1Batches is the room for batches of one session.
type p256k1Batches struct {
	ecdsa       ecdsa.Batch
	schnorr     schnorr.Batch
	keys        []*p256k1.PrivateKey
	publics     []*p256k1.PublicKey
	bytes       [][]byte
	signatures  []ecdsa.Signature
	schnorrs    [][64]byte
	recoverable []ecdsa.RecoverableSignature
}

// Of other packages' types, p256k1's session has batches and keys made ready.
var (
	_ Batcher     = (*p256k1Session)(nil)
	_ Precomputer = (*p256k1Session)(nil)
)

// sized returns s with n elements, whose values do not matter.
func sized[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

// ECDSAVerifyBatch implements Batcher.
func (s *p256k1Session) ECDSAVerifyBatch(items []Item) (bool, error) {
	b := &s.batches.ecdsa
	b.Reset()
	for i := range items {
		it := &items[i]
		sig, err := ecdsa.ParseDER(it.DER)
		if err != nil {
			return false, nil
		}
		b.Add(it.Pub[:], it.Digest[:], sig)
	}
	return b.Verify(), nil
}

// SchnorrVerifyBatch implements Batcher.
func (s *p256k1Session) SchnorrVerifyBatch(items []Item) (bool, error) {
	b := &s.batches.schnorr
	b.Reset()
	for i := range items {
		it := &items[i]
		b.Add(it.XOnly[:], it.Digest[:], it.Schnorr[:])
	}
	return b.Verify(), nil
}

// RecoverBatch implements Batcher.
func (s *p256k1Session) RecoverBatch(pubs [][33]byte, items []Item) error {
	b := &s.batches
	b.publics, b.recoverable = sized(b.publics, len(items)), sized(b.recoverable, len(items))
	for i := range items {
		var err error
		if b.recoverable[i], err = ecdsa.ParseRecoverable(items[i].Recoverable[:]); err != nil {
			return invalid(err)
		}
	}
	b.digests(items)
	if n := ecdsa.RecoverBatch(b.publics, b.bytes, b.recoverable); n != len(items) {
		return fmt.Errorf("%w: recovered %d keys of %d", ErrInvalid, n, len(items))
	}
	for i, p := range b.publics {
		pubs[i] = [33]byte(p.Bytes())
	}
	return nil
}

func (b *p256k1Batches) digests(items []Item) {
	b.bytes = sized(b.bytes, len(items))
	for i := range items {
		b.bytes[i] = items[i].Digest[:]
	}
}

// DeriveBatch implements Batcher.
func (s *p256k1Session) DeriveBatch(pubs [][33]byte, items []Item) error {
	b := &s.batches
	b.bytes = sized(b.bytes, len(items))
	for i := range items {
		b.bytes[i] = items[i].SecretBytes[:]
	}
	keys, err := p256k1.NewPrivateKeys(b.bytes)
	if err != nil {
		return invalid(err)
	}
	for i, k := range keys {
		pubs[i] = [33]byte(k.PublicKey().Bytes())
	}
	return nil
}

// GenerateBatch implements Batcher.
func (s *p256k1Session) GenerateBatch(n int) error {
	_, err := p256k1.GenerateKeys(n)
	return err
}

// load takes keys and digests of items.
func (b *p256k1Batches) load(items []Item) {
	b.digests(items)
	b.keys = sized(b.keys, len(items))
	for i := range items {
		b.keys[i] = items[i].Secret.(*p256k1.PrivateKey)
	}
}

// ECDSASignBatch implements Batcher.
func (s *p256k1Session) ECDSASignBatch(items []Item) error {
	b := &s.batches
	b.load(items)
	b.signatures = sized(b.signatures, len(items))
	return ecdsa.SignBatch(b.signatures, b.keys, b.bytes)
}

// SchnorrSignBatch implements Batcher.
func (s *p256k1Session) SchnorrSignBatch(items []Item) error {
	b := &s.batches
	b.load(items)
	b.schnorrs = sized(b.schnorrs, len(items))
	return schnorr.SignBatch(b.schnorrs, b.keys, b.bytes)
}

// p256k1Ready is a key with tables, in both forms.
type p256k1Ready struct {
	public *p256k1.PublicKey
	xonly  *p256k1.XOnlyPublicKey
}

// Precompute implements Precomputer.
func (*p256k1Session) Precompute(pub []byte) (Public, error) {
	p, err := p256k1.NewPublicKey(pub)
	if err != nil {
		return nil, invalid(err)
	}
	return p256k1Ready{p.Precomputed(), p.XOnly().Precomputed()}, nil
}

// ECDSAVerifyPrecomputed implements Precomputer.
func (*p256k1Session) ECDSAVerifyPrecomputed(pub Public, digest *[32]byte, der []byte) (bool, error) {
	sig, err := ecdsa.ParseDER(der)
	return err == nil && ecdsa.Verify(pub.(p256k1Ready).public, digest[:], sig), nil
}

// SchnorrVerifyPrecomputed implements Precomputer.
func (*p256k1Session) SchnorrVerifyPrecomputed(pub Public, msg *[32]byte, sig *[64]byte) (bool, error) {
	return schnorr.Verify(pub.(p256k1Ready).xonly, msg[:], sig[:]), nil
}
