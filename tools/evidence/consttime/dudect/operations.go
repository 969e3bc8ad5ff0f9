package main

import (
	"crypto/sha256"
	"encoding/binary"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// timed lists the operations to be timed. Each receives a secret of 32 bytes.
var timed = []operations.Op{
	*operations.Named("ecdsa.Sign"),
	*operations.Named("schnorr.Sign"),
	*operations.Named("p256k1.ParsePrivateKey"),
	*operations.Named("ecdh.X"),
	{Name: "curve.Scalar.Invert", Run: func(in *operations.In, _ *operations.Out) { scalar.Invert(in.K()) }},
}

// planted lists two operations with planted leaks: a large leak, and a leak of a few percent of the time.
var planted = []operations.Op{
	{Name: "planted: multiply in variable time", Run: func(in *operations.In, _ *operations.Out) {
		point.DoubleScalarBaseMultVartime(in.K(), generator, in.K())
	}},
	{Name: "planted: derive, and a multiplication for each bit of a word", Run: func(in *operations.In, _ *operations.Out) {
		if _, err := p256k1.ParsePrivateKey(in.Secret); err != nil {
			panic(err)
		}
		for b := binary.BigEndian.Uint64(in.Secret); b != 0; b &= b - 1 {
			scalar.Mul(&scalar, in.K())
		}
	}},
}

var (
	scalar    curve.Scalar
	point     curve.Point
	generator = new(curve.Point).SetGenerator()
)

// prepare returns inputs with the secret, and with other values that are always the same. It computes in advance the
// values that operations ask for.
func prepare(secret *[32]byte) *operations.In {
	b := sha256.Sum256([]byte("the same"))
	all := append(secret[:], secret[:]...)
	copy(all[32:], b[:])
	for len(all) < operations.Size {
		all = append(all, b[:]...)
	}
	in := operations.New(all)
	in.Key()
	in.K()
	in.Peer()
	return in
}

// one is the secret of the fixed class.
var one = [32]byte{31: 1}

// random returns a secret of the random class.
func random(seed uint64) [32]byte { return sha256.Sum256(binary.BigEndian.AppendUint64(nil, seed)) }
