package scalar

import "math/bits"

// Lambda is the cube root of unity mod n with λ·(x, y) = (β·x, y) for β the
// cube root of unity mod p in package group.
var Lambda = Scalar{0xdf02967c1b23bd72, 0x122e22ea20816678, 0xa5261c028812645a, 0x5363ad4cc05c30e0}

// Half is a signed integer of at most 128 bits: ±(Hi·2⁶⁴ + Lo).
type Half struct {
	Lo, Hi uint64
	Neg    uint64 // all ones if negative, else zero
}

// Limbs returns h in two's complement.
func (h Half) Limbs() (l0, l1, l2 uint64) {
	l0, k := bits.Add64(h.Lo^h.Neg, h.Neg&1, 0)
	l1, k = bits.Add64(h.Hi^h.Neg, 0, k)
	return l0, l1, h.Neg + k
}

// The lattice of the (x, y) with x + y·λ ≡ 0 mod n has the short basis
// (a1, b1), (a2, b2) of Guide to Elliptic Curve Cryptography (Hankerson,
// Menezes, Vanstone), algorithm 3.74, with b2 = a1 and b1 negative:
const (
	a1lo, a1hi = 0xe86c90e49284eb15, 0x3086d221a7d46bcd
	m1lo, m1hi = 0x6f547fa90abfe4c3, 0xe4437ed6010e8828 // −b1
	a2lo, a2hi = 0x57c1108d9d44cfd8, 0x14ca50f7a8e2f3f6 // a2 − 2¹²⁸
)

// g1 and g2 are b2·2³⁸⁴/n and −b1·2³⁸⁴/n, rounded.
var (
	g1 = Scalar{0xe893209a45dbb031, 0x3daa8a1471e8ca7f, 0xe86c90e49284eb15, 0x3086d221a7d46bcd}
	g2 = Scalar{0x1571b4ae8ac47f71, 0x221208ac9df506c6, 0x6f547fa90abfe4c4, 0xe4437ed6010e8828}
)

// Split returns k1 and k2 with v ≡ k1 + k2·λ mod n and |k1|, |k2| < 2¹²⁸
// (algorithm 3.74 of the Guide; the bounds with these roundings are proved in
// libsecp256k1's scalar_impl.h).
func (v *Scalar) Split() (k1, k2 Half) {
	q1lo, q1hi := mulShift384(v, &g1)
	q2lo, q2hi := mulShift384(v, &g2)

	// Both results fit in 128 bits and a sign, so 192 bits of each term do.
	// k1 = v − q1·a1 − q2·a2.
	t0, t1, t2 := mul2x2(q1lo, q1hi, a1lo, a1hi)
	r0, k := bits.Sub64(v.l0, t0, 0)
	r1, k := bits.Sub64(v.l1, t1, k)
	r2, _ := bits.Sub64(v.l2, t2, k)
	t0, t1, t2 = mul2x2(q2lo, q2hi, a2lo, a2hi)
	r0, k = bits.Sub64(r0, t0, 0)
	r1, k = bits.Sub64(r1, t1, k)
	r2, _ = bits.Sub64(r2, t2+q2lo, k)
	k1 = half(r0, r1, r2)

	// k2 = −q1·b1 − q2·b2.
	r0, r1, r2 = mul2x2(q1lo, q1hi, m1lo, m1hi)
	t0, t1, t2 = mul2x2(q2lo, q2hi, a1lo, a1hi)
	r0, k = bits.Sub64(r0, t0, 0)
	r1, k = bits.Sub64(r1, t1, k)
	r2, _ = bits.Sub64(r2, t2, k)
	return k1, half(r0, r1, r2)
}

// mulShift384 returns a·b/2³⁸⁴, rounded to the nearest integer.
func mulShift384(a, b *Scalar) (lo, hi uint64) {
	var w [8]uint64
	mulWide(&w, a, b)
	lo, k := bits.Add64(w[6], w[5]>>63, 0)
	return lo, w[7] + k
}

// mul2x2 returns the three lowest limbs of (ahi, alo)·(bhi, blo).
func mul2x2(alo, ahi, blo, bhi uint64) (r0, r1, r2 uint64) {
	h, r0 := bits.Mul64(alo, blo)
	h1, l1 := bits.Mul64(alo, bhi)
	h2, l2 := bits.Mul64(ahi, blo)
	r1, k := bits.Add64(h, l1, 0)
	r2 = h1 + h2 + ahi*bhi + k
	r1, k = bits.Add64(r1, l2, 0)
	return r0, r1, r2 + k
}

// half returns the two's complement integer in the limbs as sign and magnitude.
func half(r0, r1, r2 uint64) Half {
	neg := -(r2 >> 63)
	lo, k := bits.Add64(r0^neg, neg&1, 0)
	return Half{lo, r1 ^ neg + k, neg}
}
