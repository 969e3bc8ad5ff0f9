package main

import (
	"crypto/sha256"
	"encoding/binary"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// operation is something with a secret of 32 bytes.
type operation struct {
	name    string
	prepare func(secret []byte) // not measured
	run     func()
}

var operations = []operation{
	{"ECDSA sign", setKey, func() { must(ecdsa.Sign(key, zeros[:])) }},
	{"Schnorr sign", setKey, func() { must(schnorr.Sign(key, zeros[:], &zeros)) }},
	{"derive", setBytes, func() { must(p256k1.NewPrivateKey(bytes[:])) }},
	{"ECDH", setKey, func() { must(ecdh.X(key, peer)) }},
	{"invert a scalar", setScalar, func() { scalar.Invert(&scalar) }},
}

// planted are leaks: a large one, and one of a few percent.
var planted = []operation{
	{"planted: multiply in variable time", setScalar, func() {
		point.DoubleScalarBaseMultVartime(&scalar, generator, &scalar)
	}},
	{"planted: derive, and a multiplication for each bit of a word", setBytes, func() {
		must(p256k1.NewPrivateKey(bytes[:]))
		for b := binary.BigEndian.Uint64(bytes[:]); b != 0; b &= b - 1 {
			scalar.Mul(&scalar, &scalar)
		}
	}},
}

// What operations work on: the same memory for all secrets.
var (
	bytes     [32]byte
	key       *p256k1.PrivateKey
	scalar    curve.Scalar
	point     curve.Point
	zeros     [32]byte
	peer      = must(p256k1.NewPrivateKey(one[:])).PublicKey()
	generator = new(curve.Point).SetGenerator()
)

func setBytes(secret []byte)  { copy(bytes[:], secret) }
func setKey(secret []byte)    { key = must(p256k1.NewPrivateKey(secret)) }
func setScalar(secret []byte) { must(scalar.SetBytes(secret)) }

// one is the secret of the fixed class.
var one = [32]byte{31: 1}

// random returns a secret of the random class.
func random(seed uint64) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint64(nil, seed))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
