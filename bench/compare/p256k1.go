package main

import (
	"fmt"
	"math/rand/v2"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/ecdh"
	"p256k1.mleku.dev/ecdsa"
	"p256k1.mleku.dev/schnorr"
)

// An operation is one row of the comparison. Its step does, with this library,
// exactly the work of one iteration of the C benchmark of that name, on another
// key and message at each i. Errors do not show what was computed, which would
// put it on the heap.
type operation struct {
	name string // as bench.c selects and prints it

	// Targets from the design: the greatest acceptable ratio of this library's
	// time to that of C, without and with assembly.
	purego, asm float64

	step func(c *corpus, i int) error
}

var operations = []operation{
	{"ecdsa_verify", 1.2, 0.62, ecdsaVerify},
	{"ecdsa_sign", 1.0, 0.55, ecdsaSign},
	{"ec_keygen", 0.8, 0.5, keygen},
	{"ecdh", 1.2, 0.6, ecdhSHA256},
	{"ecdsa_recover", 1.2, 0.62, recoverKey},
	{"schnorrsig_sign", 1.0, 0.55, schnorrSign},
	{"schnorrsig_verify", 1.2, 0.62, schnorrVerify},
}

// corpusSize is large enough that branch prediction cannot learn the inputs.
// A power of two, to make indexing cheap.
const corpusSize = 512

// A corpus is the input of all operations.
type corpus [corpusSize]input

type input struct {
	secret  [32]byte
	digest  [32]byte
	pub33   []byte
	xonly   [32]byte
	der     []byte
	rsv     []byte // r, s, recovery id
	schnorr [64]byte

	priv *p256k1.PrivateKey
	peer *p256k1.PublicKey // of the input before
}

func (c *corpus) at(i int) *input { return &c[i%corpusSize] }

// newCorpus makes the same keys, messages and signatures at every run.
func newCorpus() (*corpus, error) {
	random := rand.NewChaCha8([32]byte([]byte("p256k1 against libsecp256k1 ....")))
	c := new(corpus)
	for i := range c {
		in := &c[i]
		random.Read(in.secret[:])
		random.Read(in.digest[:])
		var err error
		if in.priv, err = p256k1.NewPrivateKey(in.secret[:]); err != nil {
			return nil, err
		}
		in.pub33 = in.priv.PublicKey().Bytes()
		in.xonly = [32]byte(in.pub33[1:])
		sig, err := ecdsa.Sign(in.priv, in.digest[:])
		if err != nil {
			return nil, err
		}
		in.der = sig.DER()
		rsig, err := ecdsa.SignRecoverable(in.priv, in.digest[:])
		if err != nil {
			return nil, err
		}
		in.rsv = rsig.Bytes()
		if in.schnorr, err = schnorr.Sign(in.priv, in.digest[:], new([32]byte)); err != nil {
			return nil, err
		}
		c.at(i + 1).peer = in.priv.PublicKey()
	}
	return c, nil
}

// Parse key and signature, verify. The C loop damages the signature in all
// iterations but the first; that costs the same.
func ecdsaVerify(c *corpus, i int) error {
	in := c.at(i)
	pub, err := p256k1.NewPublicKey(in.pub33)
	if err != nil {
		return err
	}
	sig, err := ecdsa.ParseDER(in.der)
	if err != nil {
		return err
	}
	if !ecdsa.Verify(pub, in.digest[:], sig) {
		return fmt.Errorf("signature %x refused", in.der)
	}
	return nil
}

// Sign and encode in DER. The C loop takes the secret key as bytes, for it has no
// other form; it does not compute the public key.
func ecdsaSign(c *corpus, i int) error {
	in := c.at(i)
	sig, err := ecdsa.Sign(in.priv, in.digest[:])
	if err != nil {
		return err
	}
	if der := sig.DER(); len(der) != len(in.der) {
		return fmt.Errorf("wrong signature of input %d", i)
	}
	return nil
}

// From the bytes of the secret key to those of the public key.
func keygen(c *corpus, i int) error {
	in := c.at(i)
	priv, err := p256k1.NewPrivateKey(in.secret[:])
	if err != nil {
		return err
	}
	if pub := priv.PublicKey().Bytes(); [33]byte(pub) != [33]byte(in.pub33) {
		return fmt.Errorf("wrong public key of input %d", i)
	}
	return nil
}

// Both keys are parsed beforehand.
func ecdhSHA256(c *corpus, i int) error {
	in := c.at(i)
	secret, err := ecdh.SHA256(in.priv, in.peer)
	if err == nil && secret == [32]byte{} {
		err = fmt.Errorf("secret is zero")
	}
	return err
}

// From the bytes of the signature to those of the public key.
func recoverKey(c *corpus, i int) error {
	in := c.at(i)
	sig, err := ecdsa.ParseRecoverable(in.rsv)
	if err != nil {
		return err
	}
	pub, err := ecdsa.Recover(in.digest[:], sig)
	if err != nil {
		return err
	}
	if b := pub.Bytes(); [33]byte(b) != [33]byte(in.pub33) {
		return fmt.Errorf("wrong public key recovered from input %d", i)
	}
	return nil
}

// The key pair is made beforehand, the message has 32 bytes, and the auxiliary
// randomness is zero. The C loop passes none, which gives the same signatures and
// spares it one compression of SHA-256.
func schnorrSign(c *corpus, i int) error {
	in := c.at(i)
	var aux [32]byte
	sig, err := schnorr.Sign(in.priv, in.digest[:], &aux)
	if err == nil && sig != in.schnorr {
		err = fmt.Errorf("signature %x, want %x", sig, in.schnorr)
	}
	return err
}

// Parse the x-only key, verify over 32 bytes.
func schnorrVerify(c *corpus, i int) error {
	in := c.at(i)
	if !schnorr.VerifyBytes(in.xonly[:], in.digest[:], in.schnorr[:]) {
		return fmt.Errorf("signature %x refused", in.schnorr)
	}
	return nil
}
