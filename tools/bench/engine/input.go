package engine

import (
	"crypto/sha256"
	"math/rand/v2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/internal/must"
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

// NewInputs makes n valid inputs that depend only on the seed. An error is a panic of package must.
func NewInputs(seed string, n int) []Input {
	random := rand.NewChaCha8(sha256.Sum256([]byte(seed)))
	all := make([]Input, n)
	for i := range all {
		random.Read(all[i].Secret[:])
		random.Read(all[i].Digest[:])
		if err := all[i].fill(); err != nil {
			must.Fail("engine: making inputs: %w", err)
		}
	}
	for i := range all {
		all[i].Peer = all[(i+n-1)%n].Pub
	}
	return all
}

// fewKeys is the number of keys in operations in which few keys sign, such as the keys of validators, oracles or a busy
// author. Tables for thousands of keys would not fit into any cache and would be useless.
const fewKeys = 8

// BySome returns copies of the inputs in which the first few keys sign in turn. An error is a panic of package must.
func BySome(inputs []Input) []Input {
	all := make([]Input, len(inputs))
	for i, in := range inputs {
		in.Secret = inputs[i%min(fewKeys, len(inputs))].Secret
		must.Do(in.fill())
		all[i] = in
	}
	return all
}

// fill computes the other fields from secret and digest, with this library.
func (in *Input) fill() (err error) {
	defer must.Recover(&err)
	k := must.Get(p256k1.ParsePrivateKey(in.Secret[:]))
	in.Pub = [33]byte(k.PublicKey().Bytes())
	sig := must.Get(ecdsa.SignRecoverable(k, in.Digest[:], nil))
	in.Recoverable = [65]byte(sig.Bytes())
	in.DER = sig.Signature().DER()
	in.Swift = must.Get(ellswift.Encode(k.PublicKey(), &in.Digest))
	in.Schnorr, err = schnorr.Sign(k, in.Digest[:], &schnorr.Options{AuxRand: new([32]byte)})
	return err
}

// SignedBy reports whether der is a signature of the input's digest by its key, with low or high s. It is used to check
// engines with random nonces.
func (in *Input) SignedBy(der []byte) bool {
	sig, err := ecdsa.ParseDER(der)
	return err == nil && ecdsa.VerifyDER(in.Pub[:], in.Digest[:], sig.NormalizeS().DER())
}
