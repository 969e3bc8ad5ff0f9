package field

import (
	"math/bits"

	"p256k1.mleku.dev/v2/internal/platform"
)

// plusC returns v + c modulo 2²⁵⁶ and the carry. Because c is 2²⁵⁶ − p, the carry is 1 exactly if v ≥ p, and in that
// case r is v − p.
func (v *Element) plusC() (r Element, carry uint64) {
	r.l0, carry = bits.Add64(v.l0, c, 0)
	r.l1, carry = bits.Add64(v.l1, 0, carry)
	r.l2, carry = bits.Add64(v.l2, 0, carry)
	r.l3, carry = bits.Add64(v.l3, 0, carry)
	return r, carry
}

// Add sets v = a + b.
func (v *Element) Add(a, b *Element) *Element {
	if platform.Word == 32 {
		add32(v, a, b)
	} else {
		add64(v, a, b)
	}
	return v
}

// Sub sets v = a − b.
func (v *Element) Sub(a, b *Element) *Element {
	if platform.Word == 32 {
		sub32(v, a, b)
	} else {
		sub64(v, a, b)
	}
	return v
}

// Negate sets v = −a.
func (v *Element) Negate(a *Element) *Element {
	// 2²⁵⁶ − c = p ≡ 0, so −a ≡ (2²⁵⁶ − 1 − a) − (c − 1). The first bracket is the bitwise complement of a.
	r0, cy := bits.Sub64(^a.l0, c-1, 0)
	r1, cy := bits.Sub64(^a.l1, 0, cy)
	r2, cy := bits.Sub64(^a.l2, 0, cy)
	r3, cy := bits.Sub64(^a.l3, 0, cy)
	// A borrow is worth −2²⁵⁶ ≡ −c. After a borrow the limbs hold at least 2²⁵⁶ − (c − 1), so r0 is at least 2⁶⁴ − c +
	// 1, which is more than c: subtracting c does not borrow again.
	r0 -= c & -cy
	v.l0, v.l1, v.l2, v.l3 = r0, r1, r2, r3
	return v
}

// Half sets v = a/2.
func (v *Element) Half(a *Element) *Element {
	// An odd a becomes even by adding p, which is odd. The lowest limb of p is p0 and the three others are all ones, so
	// p0&m, m, m and m are the limbs of p if a is odd, and 0 otherwise.
	m := -(a.l0 & 1)
	r0, cy := bits.Add64(a.l0, p0&m, 0)
	r1, cy := bits.Add64(a.l1, m, cy)
	r2, cy := bits.Add64(a.l2, m, cy)
	r3, cy := bits.Add64(a.l3, m, cy)
	// The sum has 257 bits, and cy is the highest. Half of the sum fits in four limbs.
	v.l0 = r0>>1 | r1<<63
	v.l1 = r1>>1 | r2<<63
	v.l2 = r2>>1 | r3<<63
	v.l3 = r3>>1 | cy<<63
	return v
}

// Mul sets v = a · b.
func (v *Element) Mul(a, b *Element) *Element {
	mul(v, a, b)
	return v
}

// Square sets v = a².
func (v *Element) Square(a *Element) *Element {
	square(v, a)
	return v
}
