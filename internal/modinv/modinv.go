// Package modinv inverts modulo the 256-bit primes of secp256k1 with the safegcd algorithm of Bernstein and Yang.
// Numbers have digits of 62 bits, or of 30 bits on 32-bit processors and WebAssembly. docs/inversion.md derives the
// algorithm, and comments cite its statements as I1 to I12.
//
// An inversion modulo m keeps integers f, g, d and e with f ≡ d·x and g ≡ e·x, beginning with f = m, g = x, d = 0 and e
// = 1. It proceeds in batches of divsteps. The divsteps of a batch need only the low digits of f and g, and give a
// matrix. updateFG applies the matrix to f and g, and updateDE applies it to d and e. In the end g = 0 and f = ±1, so
// x⁻¹ is ±d.
package modinv

import (
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/platform"
)

// Modulus is an odd prime of 256 bits, prepared for inversion in digits of either size.
type Modulus struct {
	by62 modulus62
	by30 modulus30
}

// These are the numbers of divsteps in a batch, and of batches in an inversion in constant time. An inversion in
// variable time ends when g = 0. tools/evidence/grouplaw proves, for these numbers, that g = 0 at the end.
const (
	Divsteps        = 60 // in constant time, in digits of 62 bits
	Batches         = 10
	DivstepsVartime = 62

	Divsteps30 = 30 // in digits of 30 bits, in constant or variable time
	Batches30  = 20
)

// Start is the first ζ = −(δ + ½), for δ = ½, and the first η = −δ, for δ = 1.
const Start = -1

// P is the order p of secp256k1's coordinate field, and N is the order n of its group.
var P, N = Modulus{p62, p30}, Modulus{n62, n30}

// Invert returns x⁻¹ mod m, or 0 if x is 0, in constant time. x and the result are integers below m, as four 64-bit
// limbs, least significant first.
func Invert(x *[4]uint64, m *Modulus) [4]uint64 {
	if platform.Divstep == 30 {
		return invert30(x, &m.by30)
	}
	return invert62(x, &m.by62)
}

// InvertVartime returns x⁻¹ mod m, or 0 if x is 0, in time that depends on x. x and the result are integers below m, as
// four 64-bit limbs, least significant first.
func InvertVartime(x *[4]uint64, m *Modulus) [4]uint64 {
	if platform.Divstep == 30 {
		return invert30Vartime(x, &m.by30)
	}
	return invert62Vartime(x, &m.by62)
}

// pInverse is the inverse of p mod 2⁶².
const pInverse = 0x27c7f6e22ddacacf

// n is nTop·2²⁴⁸ + nLow, where nLow is negative and has 129 bits, so the digits between nLow and nTop are 0. nInverse
// is the inverse of n mod 2⁶². Newton's iteration computes nInverse: each step replaces an inverse i by i·(2 − n·i),
// and doubles the number of correct bits. The first i is n itself, whose low 3 bits are correct since n² ≡ 1 mod 8, and
// five steps give 96 correct bits.
const (
	nTop = (params.N + 1<<247) >> 248
	nLow = params.N - nTop<<248

	inverse3  = params.N & mask62
	inverse6  = inverse3 * (2 - params.N*inverse3) & mask62
	inverse12 = inverse6 * (2 - params.N*inverse6) & mask62
	inverse24 = inverse12 * (2 - params.N*inverse12) & mask62
	inverse48 = inverse24 * (2 - params.N*inverse24) & mask62
	nInverse  = inverse48 * (2 - params.N*inverse48) & mask62
)
