// Package rfc6979 derives the deterministic nonces of RFC 6979, section 3.2, with HMAC-SHA256 and a group order of 256
// bits. Package ecdsa uses this package. Package rfc6979 is public for protocols with other signature schemes, or with
// other additional data for the nonce (section 3.6).
//
// A nonce must be used for one signature only, so two schemes that sign the same digest with the same key need
// different additional data. All functions are constant-time, except that the time depends on the length of the
// additional data.
//
// The examples are in example_test.go.
package rfc6979

import (
	"errors"

	"p256k1.mleku.dev/v2/hmacsha256"
)

// Generator is an HMAC-DRBG that produces the nonces for one signature. It allocates nothing.
type Generator struct {
	k, v   [32]byte
	seeded uint64 // all ones if seeded, so that one flipped bit does not make it zero
	again  bool
}

// Init seeds g with the private key x, the digest h1 and the additional data extra of section 3.6, which may be empty.
// x and h1 are 32-byte big-endian integers, and the caller has reduced h1 modulo the group order.
func (g *Generator) Init(x, h1 *[32]byte, extra []byte) {
	*g = Generator{seeded: ^uint64(0)}
	for i := range g.v {
		g.v[i] = 1
	}
	for separator := range byte(2) {
		g.k = hmacsha256.Sum(g.k[:], g.v[:], []byte{separator}, x[:], h1[:], extra)
		g.v = hmacsha256.Sum(g.k[:], g.v[:])
	}
}

// ErrUnseeded means that a Generator was never seeded by Init, or was wiped. Everybody could compute the nonces of an
// unseeded Generator, and then the private key from a signature.
var ErrUnseeded = errors.New("rfc6979: generator was wiped or never seeded")

// Next sets nonce to the next 32 bytes of the generator. The caller should call Next until the nonce is in [1, n−1] and
// gives a valid signature. If the generator was wiped or never seeded, the error is ErrUnseeded, and nonce is then
// zero.
func (g *Generator) Next(nonce *[32]byte) error {
	if g.seeded == 0 {
		clear(nonce[:])
		return ErrUnseeded
	}
	if g.again {
		g.k = hmacsha256.Sum(g.k[:], g.v[:], []byte{0})
		g.v = hmacsha256.Sum(g.k[:], g.v[:])
	}
	g.again = true
	g.v = hmacsha256.Sum(g.k[:], g.v[:])
	*nonce = g.v
	return nil
}

// Zero wipes the state of g. Next then returns ErrUnseeded until Init is called again.
func (g *Generator) Zero() {
	*g = Generator{}
}
