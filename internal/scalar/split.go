package scalar

import (
	"math/bits"

	"p256k1.mleku.dev/v2/internal/params"
)

// Lambda is the cube root λ of unity modulo n with λ·(x, y) = (β·x, y), where β is the cube root of unity modulo p that
// package group calls Beta.
var Lambda = Scalar{
	params.Lambda & params.Limb, params.Lambda >> 64 & params.Limb, params.Lambda >> 128 & params.Limb, params.Lambda >> 192,
}

// Signed128 is the integer ±(Hi·2⁶⁴ + Lo).
type Signed128 struct {
	Lo, Hi uint64
	Neg    uint64 // all ones if the integer is negative, else zero
}

// Limbs returns the three limbs of h in two's complement, least significant first.
func (h Signed128) Limbs() (l0, l1, l2 uint64) {
	l0, cy := bits.Add64(h.Lo^h.Neg, h.Neg&1, 0)
	l1, cy = bits.Add64(h.Hi^h.Neg, 0, cy)
	return l0, l1, h.Neg + cy
}

// The lattice of the pairs (x, y) with x + y·λ ≡ 0 mod n has the short basis (a1, b1), (a2, b2) of Guide to Elliptic
// Curve Cryptography (Hankerson, Menezes, Vanstone), algorithm 3.74. For secp256k1, b2 = a1, b1 is negative, a2 = a1 −
// b1, and the determinant a1·b2 − a2·b1 is n. m1 stands for −b1.
const (
	a1 = params.A1
	m1 = -params.B1
	a2 = a1 + m1

	determinant = a1*a1 + m1*a2

	a1lo, a1hi = a1 & params.Limb, a1 >> 64
	m1lo, m1hi = m1 & params.Limb, m1 >> 64
	a2lo, a2hi = a2 & params.Limb, a2 >> 64 & params.Limb // the limb above is 1

	// B2Quotient and M1Quotient are b2·2³⁸⁴/n and m1·2³⁸⁴/n, rounded. Multiplying by them replaces a division by n.
	B2Quotient = (a1<<384 + determinant/2) / determinant
	M1Quotient = (m1<<384 + determinant/2) / determinant
)

// g1 and g2 are B2Quotient and M1Quotient as scalars.
var (
	g1 = Scalar{B2Quotient & params.Limb, B2Quotient >> 64 & params.Limb, B2Quotient >> 128 & params.Limb, B2Quotient >> 192}
	g2 = Scalar{M1Quotient & params.Limb, M1Quotient >> 64 & params.Limb, M1Quotient >> 128 & params.Limb, M1Quotient >> 192}
)

// Split returns k1 and k2 with v ≡ k1 + k2·λ mod n and |k1|, |k2| < 2¹²⁸ (algorithm 3.74 of the Guide; the bounds with
// these roundings are proved in libsecp256k1's scalar_impl.h).
//
// With rational coefficients, (v, 0) = (b2·v/n)·(a1, b1) + (−b1·v/n)·(a2, b2). Rounding the coefficients to the
// integers q1 and q2 gives a lattice point near (v, 0). The vector (k1, k2) is (v, 0) minus this lattice point, so it
// is short. Because x + y·λ ≡ 0 for the lattice point, k1 + k2·λ ≡ v.
func (v *Scalar) Split() (k1, k2 Signed128) {
	q1lo, q1hi := mulShift384(v, &g1)
	q2lo, q2hi := mulShift384(v, &g2)

	// k1 and k2 fit in 128 bits and a sign, so it is enough to compute all terms modulo 2¹⁹². k1 = v − q1·a1 − q2·a2,
	// where a2 = 2¹²⁸ + (a2hi, a2lo).
	t0, t1, t2 := mul2x2(q1lo, q1hi, a1lo, a1hi)
	r0, cy := bits.Sub64(v.l0, t0, 0)
	r1, cy := bits.Sub64(v.l1, t1, cy)
	r2, _ := bits.Sub64(v.l2, t2, cy)
	t0, t1, t2 = mul2x2(q2lo, q2hi, a2lo, a2hi)
	r0, cy = bits.Sub64(r0, t0, 0)
	r1, cy = bits.Sub64(r1, t1, cy)
	r2, _ = bits.Sub64(r2, t2+q2lo, cy)
	k1 = signed(r0, r1, r2)

	// k2 = −q1·b1 − q2·b2 = q1·m1 − q2·a1.
	r0, r1, r2 = mul2x2(q1lo, q1hi, m1lo, m1hi)
	t0, t1, t2 = mul2x2(q2lo, q2hi, a1lo, a1hi)
	r0, cy = bits.Sub64(r0, t0, 0)
	r1, cy = bits.Sub64(r1, t1, cy)
	r2, _ = bits.Sub64(r2, t2, cy)
	return k1, signed(r0, r1, r2)
}

// mulShift384 returns a·b/2³⁸⁴, rounded to the nearest integer, which is the two highest limbs of the product plus the
// highest bit below them.
func mulShift384(a, b *Scalar) (lo, hi uint64) {
	var w [8]uint64
	mulWide(&w, a, b)
	lo, cy := bits.Add64(w[6], w[5]>>63, 0)
	return lo, w[7] + cy
}

// mul2x2 returns the three lowest limbs of (ahi, alo)·(bhi, blo).
func mul2x2(alo, ahi, blo, bhi uint64) (r0, r1, r2 uint64) {
	h, r0 := bits.Mul64(alo, blo)
	h1, l1 := bits.Mul64(alo, bhi)
	h2, l2 := bits.Mul64(ahi, blo)
	r1, cy := bits.Add64(h, l1, 0)
	r2 = h1 + h2 + ahi*bhi + cy
	r1, cy = bits.Add64(r1, l2, 0)
	return r0, r1, r2 + cy
}

// signed returns the integer with the limbs r0, r1 and r2 in two's complement.
func signed(r0, r1, r2 uint64) Signed128 {
	neg := -(r2 >> 63)
	lo, cy := bits.Add64(r0^neg, neg&1, 0)
	return Signed128{lo, r1 ^ neg + cy, neg}
}
