// Package measure times the engines of package engine against each other.
//
// [Run] gives every engine its turn at every operation, round after round, and
// makes a [Report] of it. Engines run in this process ([Local]), in a process of
// their own where the environment has to differ ([Child], [Serve]), or are the
// benchmark program of libsecp256k1 itself ([CProgram]).
package measure

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// CorpusSize is how many inputs there are: more than branch prediction can learn.
const CorpusSize = 4096

// An Input is what one call of each operation works on.
type Input struct {
	Secret      [32]byte
	Digest      [32]byte
	Pub         [33]byte
	XOnly       [32]byte
	Peer        [33]byte // public key of the input before
	DER         []byte
	Recoverable [65]byte
	Schnorr     [64]byte
}

// A Corpus is a set of valid inputs.
type Corpus []Input

// NewCorpus makes n inputs that depend on the seed only.
func NewCorpus(seed string, n int) (Corpus, error) {
	random := rand.NewChaCha8(sha256.Sum256([]byte(seed)))
	c := make(Corpus, n)
	for i := range c {
		in := &c[i]
		random.Read(in.Secret[:])
		random.Read(in.Digest[:])
		if err := in.fill(); err != nil {
			return nil, fmt.Errorf("measure: making inputs: %w", err)
		}
	}
	for i := range c {
		c[i].Peer = c[(i+n-1)%n].Pub
	}
	return c, nil
}

// fill computes the rest from secret and digest, with this library: the
// conformance test says that all others agree.
func (in *Input) fill() error {
	k, err := p256k1.NewPrivateKey(in.Secret[:])
	if err != nil {
		return err
	}
	in.Pub = [33]byte(k.PublicKey().Bytes())
	in.XOnly = [32]byte(in.Pub[1:])
	sig, err := ecdsa.SignRecoverable(k, in.Digest[:])
	if err != nil {
		return err
	}
	in.Recoverable = [65]byte(sig.Bytes())
	in.DER = sig.Signature().DER()
	in.Schnorr, err = schnorr.Sign(k, in.Digest[:], new([32]byte))
	return err
}
