package engine

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/schnorr"
)

// An Input has the arguments of one call of each operation.
type Input struct {
	Secret      [32]byte
	Digest      [32]byte
	Pub         [33]byte
	Peer        [33]byte // public key of the previous input
	Swift       [64]byte // an ElligatorSwift encoding of the public key
	DER         []byte
	Recoverable [65]byte
	Schnorr     [64]byte
}

// NewInputs makes n valid inputs that depend only on the seed.
func NewInputs(seed string, n int) ([]Input, error) {
	random := rand.NewChaCha8(sha256.Sum256([]byte(seed)))
	all := make([]Input, n)
	for i := range all {
		random.Read(all[i].Secret[:])
		random.Read(all[i].Digest[:])
		if err := all[i].fill(); err != nil {
			return nil, fmt.Errorf("engine: making inputs: %w", err)
		}
	}
	for i := range all {
		all[i].Peer = all[(i+n-1)%n].Pub
	}
	return all, nil
}

// fewKeys is the number of keys in operations in which few keys sign, such as the keys of validators, oracles or a busy
// author. Tables for thousands of keys would not fit into any cache and would be useless.
const fewKeys = 8

// BySome returns copies of the inputs in which the first few keys sign in turn.
func BySome(inputs []Input) ([]Input, error) {
	all := make([]Input, len(inputs))
	for i, in := range inputs {
		in.Secret = inputs[i%min(fewKeys, len(inputs))].Secret
		if err := in.fill(); err != nil {
			return nil, err
		}
		all[i] = in
	}
	return all, nil
}

// fill computes the other fields from secret and digest, with this library.
func (in *Input) fill() error {
	k, err := p256k1.ParsePrivateKey(in.Secret[:])
	if err != nil {
		return err
	}
	in.Pub = [33]byte(k.PublicKey().Bytes())
	sig, err := ecdsa.SignRecoverable(k, in.Digest[:], nil)
	if err != nil {
		return err
	}
	in.Recoverable = [65]byte(sig.Bytes())
	in.DER = sig.Signature().DER()
	if in.Swift, err = ellswift.Encode(k.PublicKey(), &in.Digest); err != nil {
		return err
	}
	in.Schnorr, err = schnorr.Sign(k, in.Digest[:], &schnorr.Options{AuxRand: new([32]byte)})
	return err
}

// SignedBy reports whether der is a signature of the input's digest by its key, with low or high s. It is used to check
// engines with random nonces.
func (in *Input) SignedBy(der []byte) bool {
	sig, err := ecdsa.ParseDER(der)
	return err == nil && ecdsa.VerifyDER(in.Pub[:], in.Digest[:], sig.NormalizeS().DER())
}
