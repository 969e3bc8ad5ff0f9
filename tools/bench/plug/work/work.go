// Package work makes the inputs that every library of a comparison works on, and
// the answers that it must give.
package work

import (
	"encoding/gob"
	"fmt"
	"io"
	"math/rand/v2"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// A Scenario is something that libraries do and can be timed at.
type Scenario string

// The scenarios, each with what is done in one timed operation. Secret keys are
// in the library's own form beforehand.
const (
	ECDSAVerify   Scenario = "ecdsa-verify"   // parse a compressed key and a DER signature, verify
	ECDSASign     Scenario = "ecdsa-sign"     // sign a digest, encode in DER
	SchnorrVerify Scenario = "schnorr-verify" // parse an x-only key, verify over 32 bytes (BIP-340)
	SchnorrSign   Scenario = "schnorr-sign"   // sign 32 bytes with zero auxiliary randomness
	ECDH          Scenario = "ecdh"           // parse a compressed key, shared secret in the library's default form
	Derive        Scenario = "derive"         // secret key to compressed public key
	Recover       Scenario = "recover"        // signature with recovery id to compressed public key
)

// Scenarios are all of them, the classic one first.
var Scenarios = []Scenario{ECDSAVerify, ECDSASign, SchnorrVerify, SchnorrSign, ECDH, Derive, Recover}

// An Input is one key, message and signature of each sort.
type Input struct {
	Secret  [32]byte
	Digest  [32]byte
	Public  [33]byte // compressed
	DER     []byte   // ECDSA, RFC 6979, low s
	RSV     [65]byte // the same: r, s, recovery id
	Schnorr [64]byte // BIP-340, zero auxiliary randomness

	Peer    [33]byte // another input's public key
	SharedX [32]byte // x of Secret times Peer
	Shared  [32]byte // SHA-256 of the compressed product
}

// seed makes the same inputs at every run.
var seed = [32]byte([]byte("p256k1 plugbench inputs, no. 1 ."))

// Make returns n inputs, the same at every call, made by this library.
func Make(n int) ([]Input, error) {
	random := rand.NewChaCha8(seed)
	inputs := make([]Input, n)
	keys := make([]*p256k1.PrivateKey, n)
	for i := range inputs {
		in := &inputs[i]
		random.Read(in.Secret[:])
		random.Read(in.Digest[:])
		key, err := p256k1.NewPrivateKey(in.Secret[:])
		if err != nil {
			return nil, fmt.Errorf("work: input %d: %w", i, err)
		}
		keys[i] = key
		in.Public = [33]byte(key.PublicKey().Bytes())
		sig, err := ecdsa.SignRecoverable(key, in.Digest[:])
		if err != nil {
			return nil, fmt.Errorf("work: input %d: %w", i, err)
		}
		in.RSV = [65]byte(sig.Bytes())
		plain, err := ecdsa.Sign(key, in.Digest[:])
		if err != nil {
			return nil, fmt.Errorf("work: input %d: %w", i, err)
		}
		in.DER = plain.DER()
		if in.Schnorr, err = schnorr.Sign(key, in.Digest[:], new([32]byte)); err != nil {
			return nil, fmt.Errorf("work: input %d: %w", i, err)
		}
	}
	for i := range inputs {
		in, peer := &inputs[i], keys[(i+1)%n].PublicKey()
		in.Peer = [33]byte(peer.Bytes())
		var err error
		if in.SharedX, err = ecdh.X(keys[i], peer); err != nil {
			return nil, fmt.Errorf("work: input %d: %w", i, err)
		}
		if in.Shared, err = ecdh.SHA256(keys[i], peer); err != nil {
			return nil, fmt.Errorf("work: input %d: %w", i, err)
		}
	}
	return inputs, nil
}

// Write and Read pass inputs from process to process.
func Write(w io.Writer, inputs []Input) error { return gob.NewEncoder(w).Encode(inputs) }

// Read reads what Write wrote.
func Read(r io.Reader) (inputs []Input, err error) {
	err = gob.NewDecoder(r).Decode(&inputs)
	return inputs, err
}

// Verifies reports whether der is a signature of the input's digest by its key,
// with s in either half, for libraries whose nonces are random.
func (in *Input) Verifies(der []byte) bool {
	pub, err := p256k1.NewPublicKey(in.Public[:])
	if err != nil {
		return false
	}
	sig, err := ecdsa.ParseDER(der)
	return err == nil && ecdsa.Verify(pub, in.Digest[:], sig.NormalizeS())
}
