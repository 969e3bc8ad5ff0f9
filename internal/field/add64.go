package field

import "math/bits"

// This file has sums and differences in limbs of 64 bits, for 64-bit processors and WebAssembly.
//
// A carry out of the highest limb is worth 2²⁵⁶ ≡ c modulo p, and a borrow is worth −c, so the functions add or
// subtract c in its place. This correction may carry or borrow once more, but not twice: the comments below say why.
// The code has no branches: c&-cy is c if the carry cy is 1, and 0 otherwise.

// add64 sets v = a + b.
func add64(v, a, b *Element) {
	r0, cy := bits.Add64(a.l0, b.l0, 0)
	r1, cy := bits.Add64(a.l1, b.l1, cy)
	r2, cy := bits.Add64(a.l2, b.l2, cy)
	r3, cy := bits.Add64(a.l3, b.l3, cy)
	r0, cy = bits.Add64(r0, c&-cy, 0)
	r1, cy = bits.Add64(r1, 0, cy)
	r2, cy = bits.Add64(r2, 0, cy)
	r3, cy = bits.Add64(r3, 0, cy)
	// a + b ≤ 2²⁵⁷ − 2, so after the first carry the limbs held at most 2²⁵⁶ − 2. If adding c carried again, the limbs
	// now hold at most c − 2, so r1, r2 and r3 are 0, and r0 + c is below 2⁶⁴.
	r0 += c & -cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}

// sub64 sets v = a − b.
func sub64(v, a, b *Element) {
	r0, cy := bits.Sub64(a.l0, b.l0, 0)
	r1, cy := bits.Sub64(a.l1, b.l1, cy)
	r2, cy := bits.Sub64(a.l2, b.l2, cy)
	r3, cy := bits.Sub64(a.l3, b.l3, cy)
	r0, cy = bits.Sub64(r0, c&-cy, 0)
	r1, cy = bits.Sub64(r1, 0, cy)
	r2, cy = bits.Sub64(r2, 0, cy)
	r3, cy = bits.Sub64(r3, 0, cy)
	// a − b > −2²⁵⁶, so after the first borrow the limbs held at least 1. If subtracting c borrowed again, the limbs
	// now hold at least 2²⁵⁶ − c + 1, so r0 is at least 2⁶⁴ − c + 1, which is more than c.
	r0 -= c & -cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
}
