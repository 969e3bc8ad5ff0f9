// Package rfc6979 derives the deterministic nonces of RFC 6979, section 3.2, with
// HMAC-SHA256 and a group order of 256 bits. Package ecdsa uses it. It is public for
// protocols that sign in other ways, or with other additional data for the nonce
// (section 3.6).
//
// A nonce must serve for one signature only: with the same key and digest, two schemes
// need different additional data. Everything is constant-time, except that the time depends on the
// length of the additional data.
package rfc6979

import (
	"errors"

	"p256k1.mleku.dev/v2/internal/hmacsha256"
)

// Generator is an HMAC-DRBG that produces the nonces for one signature. It allocates nothing.
type Generator struct {
	k, v   [32]byte
	seeded uint64 // all ones, so that a flipped bit does not end it
	again  bool
}

// Init seeds g with the private key x, 32 bytes big-endian, the digest h1 reduced modulo
// the group order, and extra, the additional data of section 3.6, which may be empty.
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

// ErrUnseeded means that a Generator was never seeded by Init, or was wiped: everybody could
// compute its nonces, and the private key from a signature.
var ErrUnseeded = errors.New("rfc6979: generator never seeded, or wiped")

// Next sets nonce to the next 32 bytes. The caller calls it until the nonce is in [1, n−1] and
// gives a valid signature. The error is ErrUnseeded, and nonce is then zero.
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

// Zero wipes the state.
func (g *Generator) Zero() {
	*g = Generator{}
}
