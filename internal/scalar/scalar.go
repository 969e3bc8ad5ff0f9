// Package scalar implements arithmetic modulo n, the order of secp256k1's group (SEC 2, section 2.4.1).
package scalar

import (
	"encoding/binary"
	"math/bits"

	"p256k1.mleku.dev/v2/internal/modinv"
	"p256k1.mleku.dev/v2/internal/params"
)

// Scalar is an integer in [0, n) in four 64-bit limbs, least significant first. Every operation keeps it below n. The
// zero value is 0.
//
// Methods that return a *Scalar set their receiver v and return it. Receiver and arguments may alias. Everything is
// constant-time except functions with Vartime in their names.
type Scalar struct {
	l0, l1, l2, l3 uint64
}

// These are the limbs of n, of c = 2²⁵⁶ − n, and of h = (n − 1)/2.
const (
	n0 = params.N & params.Limb
	n1 = params.N >> 64 & params.Limb
	n2 = params.N >> 128 & params.Limb
	n3 = params.N >> 192

	complement = 1<<256 - params.N

	c0 = complement & params.Limb
	c1 = complement >> 64 & params.Limb
	c2 = complement >> 128 & params.Limb
	c3 = complement >> 192

	h0 = params.N >> 1 & params.Limb
	h1 = params.N >> 65 & params.Limb
	h2 = params.N >> 129 & params.Limb
	h3 = params.N >> 193
)

// FromLimbs returns the scalar with the given limbs, least significant first. The integer must be below n. FromLimbs is
// meant for constants and tests.
func FromLimbs(l0, l1, l2, l3 uint64) Scalar {
	return Scalar{l0, l1, l2, l3}
}

// Limbs returns the limbs of v, least significant first.
func (v *Scalar) Limbs() [4]uint64 {
	return [4]uint64{v.l0, v.l1, v.l2, v.l3}
}

// SetLimbs sets v to the integer with the limbs l, least significant first, reduced modulo n.
func (v *Scalar) SetLimbs(l *[4]uint64) *Scalar {
	v.reduce(l[0], l[1], l[2], l[3], 0)
	return v
}

// SetUint64 sets v = a.
func (v *Scalar) SetUint64(a uint64) *Scalar {
	*v = Scalar{l0: a}
	return v
}

// SetBytes sets v to the 32-byte big-endian integer b reduced modulo n. It returns an all-ones mask if b is below n,
// and zero otherwise.
func (v *Scalar) SetBytes(b *[32]byte) (canonical uint64) {
	l3 := binary.BigEndian.Uint64(b[0:8])
	l2 := binary.BigEndian.Uint64(b[8:16])
	l1 := binary.BigEndian.Uint64(b[16:24])
	l0 := binary.BigEndian.Uint64(b[24:32])
	// 2n > 2²⁵⁶, so subtracting n once is enough.
	return ^v.reduce(l0, l1, l2, l3, 0)
}

// SetWide sets v to the 64-byte big-endian integer b reduced modulo n.
func (v *Scalar) SetWide(b *[64]byte) *Scalar {
	var high Scalar
	high.SetBytes((*[32]byte)(b[:32]))
	v.SetBytes((*[32]byte)(b[32:]))
	return v.Add(v, high.Mul(&high, &Scalar{c0, c1, 1, 0})) // 2²⁵⁶ ≡ (1, c1, c0)
}

// FillBytes writes v to b as a 32-byte big-endian integer.
func (v *Scalar) FillBytes(b *[32]byte) {
	binary.BigEndian.PutUint64(b[0:8], v.l3)
	binary.BigEndian.PutUint64(b[8:16], v.l2)
	binary.BigEndian.PutUint64(b[16:24], v.l1)
	binary.BigEndian.PutUint64(b[24:32], v.l0)
}

// reduce sets v to x mod n, where x < 2n is the integer with the limbs l0 to l3 and the carry above them. It returns
// all ones if x ≥ n, and zero otherwise.
func (v *Scalar) reduce(l0, l1, l2, l3, carry uint64) (reduced uint64) {
	// x ≥ n exactly if x + c ≥ 2²⁵⁶ for c = 2²⁵⁶ − n, which is the case if carry is 1 or if adding c carries. Only one
	// of the two can happen, because x < 2n. In either case x − n is x + c − 2²⁵⁶, the four limbs of the sum.
	s0, cy := bits.Add64(l0, c0, 0)
	s1, cy := bits.Add64(l1, c1, cy)
	s2, cy := bits.Add64(l2, c2, cy)
	s3, cy := bits.Add64(l3, c3, cy)
	m := -(cy | carry)
	v.l0 = l0 ^ m&(l0^s0)
	v.l1 = l1 ^ m&(l1^s1)
	v.l2 = l2 ^ m&(l2^s2)
	v.l3 = l3 ^ m&(l3^s3)
	return m
}

// IsZero returns an all-ones mask if v = 0, and zero otherwise.
func (v *Scalar) IsZero() uint64 {
	return maskIsZero(v.l0 | v.l1 | v.l2 | v.l3)
}

// Equal returns an all-ones mask if v = a, and zero otherwise.
func (v *Scalar) Equal(a *Scalar) uint64 {
	return maskIsZero((v.l0 ^ a.l0) | (v.l1 ^ a.l1) | (v.l2 ^ a.l2) | (v.l3 ^ a.l3))
}

// IsHigh returns an all-ones mask if v > (n−1)/2, and zero otherwise.
func (v *Scalar) IsHigh() uint64 {
	// v > (n−1)/2 exactly if (n−1)/2 − v borrows.
	_, cy := bits.Sub64(h0, v.l0, 0)
	_, cy = bits.Sub64(h1, v.l1, cy)
	_, cy = bits.Sub64(h2, v.l2, cy)
	_, cy = bits.Sub64(h3, v.l3, cy)
	return -cy
}

// Select sets v = a if mask is all ones, or v = b if mask is zero.
func (v *Scalar) Select(a, b *Scalar, mask uint64) *Scalar {
	v.l0 = b.l0 ^ mask&(a.l0^b.l0)
	v.l1 = b.l1 ^ mask&(a.l1^b.l1)
	v.l2 = b.l2 ^ mask&(a.l2^b.l2)
	v.l3 = b.l3 ^ mask&(a.l3^b.l3)
	return v
}

// Add sets v = a + b.
func (v *Scalar) Add(a, b *Scalar) *Scalar {
	r0, cy := bits.Add64(a.l0, b.l0, 0)
	r1, cy := bits.Add64(a.l1, b.l1, cy)
	r2, cy := bits.Add64(a.l2, b.l2, cy)
	r3, cy := bits.Add64(a.l3, b.l3, cy)
	v.reduce(r0, r1, r2, r3, cy)
	return v
}

// Sub sets v = a − b.
func (v *Scalar) Sub(a, b *Scalar) *Scalar {
	r0, cy := bits.Sub64(a.l0, b.l0, 0)
	r1, cy := bits.Sub64(a.l1, b.l1, cy)
	r2, cy := bits.Sub64(a.l2, b.l2, cy)
	r3, cy := bits.Sub64(a.l3, b.l3, cy)
	// If the subtraction borrowed, the limbs hold a − b + 2²⁵⁶. Adding n then carries, which leaves a − b + n.
	m := -cy
	r0, cy = bits.Add64(r0, n0&m, 0)
	r1, cy = bits.Add64(r1, n1&m, cy)
	r2, cy = bits.Add64(r2, n2&m, cy)
	r3, _ = bits.Add64(r3, n3&m, cy)
	*v = Scalar{r0, r1, r2, r3}
	return v
}

// Negate sets v = −a.
func (v *Scalar) Negate(a *Scalar) *Scalar {
	return v.Sub(&Scalar{}, a)
}

// CondNegate sets v = −a if mask is all ones, or v = a if mask is zero.
func (v *Scalar) CondNegate(a *Scalar, mask uint64) *Scalar {
	var m Scalar
	m.Negate(a)
	return v.Select(&m, a, mask)
}

// Half sets v = a/2.
func (v *Scalar) Half(a *Scalar) *Scalar {
	// An odd a becomes even by adding n, which is odd. The sum is below 2n, so half of it is below n.
	m := -(a.l0 & 1)
	r0, cy := bits.Add64(a.l0, n0&m, 0)
	r1, cy := bits.Add64(a.l1, n1&m, cy)
	r2, cy := bits.Add64(a.l2, n2&m, cy)
	r3, cy := bits.Add64(a.l3, n3&m, cy)
	*v = Scalar{r0>>1 | r1<<63, r1>>1 | r2<<63, r2>>1 | r3<<63, r3>>1 | cy<<63}
	return v
}

// Invert sets v = a⁻¹, or v = 0 if a = 0.
func (v *Scalar) Invert(a *Scalar) *Scalar {
	r := modinv.Invert(&[4]uint64{a.l0, a.l1, a.l2, a.l3}, &modinv.N)
	*v = Scalar{r[0], r[1], r[2], r[3]}
	return v
}

// InvertVartime sets v = a⁻¹, or v = 0 if a = 0, in time that depends on a.
func (v *Scalar) InvertVartime(a *Scalar) *Scalar {
	r := modinv.InvertVartime(&[4]uint64{a.l0, a.l1, a.l2, a.l3}, &modinv.N)
	*v = Scalar{r[0], r[1], r[2], r[3]}
	return v
}

// maskIsZero returns all ones if x = 0, and zero otherwise. For x ≠ 0, x or −x has the top bit set.
func maskIsZero(x uint64) uint64 {
	return (x|-x)>>63 - 1
}
