// Package field implements arithmetic modulo p = 2²⁵⁶ − 2³² − 977, the coordinate field of secp256k1 (SEC 2, section
// 2.4.1).
package field

import "encoding/binary"

// Element is an integer modulo p in four saturated 64-bit limbs, least significant first.
//
// An element is weakly reduced: its limbs may hold any value in [0, 2²⁵⁶), so the residues 0 … 2³²+976 have two
// representations. Every operation accepts and returns such values. The results of FillBytes, Equal, IsZero and IsOdd
// depend only on the residue. The zero value is 0.
//
// Methods that return an *Element set their receiver v and return it. Receiver and arguments may alias. Everything is
// constant-time except functions with Vartime in their names.
type Element struct {
	_              [0]func() // not comparable with ==: representations are not unique
	l0, l1, l2, l3 uint64
}

const (
	// c is 2²⁵⁶ − p, so 2²⁵⁶ ≡ c modulo p: a number h above the four limbs is worth h·c.
	c = 1<<32 + 977

	// p0 is the lowest limb of p; the three others are all ones.
	p0 = 1<<64 - c
)

// FromLimbs returns the element with the given limbs, least significant first. The limbs may have any value. FromLimbs
// is meant for constants, tables and tests.
func FromLimbs(l0, l1, l2, l3 uint64) Element {
	return Element{l0: l0, l1: l1, l2: l2, l3: l3}
}

// Limbs returns the representation of v, least significant limb first. Two equal elements may have different limbs.
// Tests use Limbs to compare the assembly with the Go code.
func (v *Element) Limbs() [4]uint64 {
	return [4]uint64{v.l0, v.l1, v.l2, v.l3}
}

// Set sets v = a.
func (v *Element) Set(a *Element) *Element {
	v.l0, v.l1, v.l2, v.l3 = a.l0, a.l1, a.l2, a.l3
	return v
}

// SetUint64 sets v = a.
func (v *Element) SetUint64(a uint64) *Element {
	v.l0, v.l1, v.l2, v.l3 = a, 0, 0, 0
	return v
}

// SetBytes sets v to the 32-byte big-endian integer b modulo p. It returns an all-ones mask if b is below p, and zero
// otherwise.
func (v *Element) SetBytes(b *[32]byte) (canonical uint64) {
	v.l3 = binary.BigEndian.Uint64(b[0:8])
	v.l2 = binary.BigEndian.Uint64(b[8:16])
	v.l1 = binary.BigEndian.Uint64(b[16:24])
	v.l0 = binary.BigEndian.Uint64(b[24:32])
	_, carry := v.plusC() // carry is 1 if b ≥ p
	return carry - 1
}

// FillBytes writes the canonical 32-byte big-endian encoding of v to b.
func (v *Element) FillBytes(b *[32]byte) {
	r, carry := v.plusC() // if v ≥ p, r is v − p and carry is 1
	r.Select(&r, v, -carry)
	binary.BigEndian.PutUint64(b[0:8], r.l3)
	binary.BigEndian.PutUint64(b[8:16], r.l2)
	binary.BigEndian.PutUint64(b[16:24], r.l1)
	binary.BigEndian.PutUint64(b[24:32], r.l0)
}

// Normalize sets v to the canonical representation of a, which is below p.
func (v *Element) Normalize(a *Element) *Element {
	r, carry := a.plusC()
	return v.Select(&r, a, -carry)
}

// IsZero returns an all-ones mask if v ≡ 0 mod p, and zero otherwise.
func (v *Element) IsZero() uint64 {
	// The residue 0 has two representations, 0 and p.
	return maskIsZero(v.l0|v.l1|v.l2|v.l3) | maskIsZero((v.l0^p0)|^v.l1|^v.l2|^v.l3)
}

// IsZeroVartime reports whether v ≡ 0 mod p.
func (v *Element) IsZeroVartime() bool {
	// The two upper limbs are equal in both representations of 0. In other elements they are rarely equal, so one
	// comparison is almost always enough.
	return v.l2 == v.l3 && v.IsZero() != 0
}

// Equal returns an all-ones mask if v ≡ a mod p, and zero otherwise.
func (v *Element) Equal(a *Element) uint64 {
	var d Element
	return d.Sub(v, a).IsZero()
}

// IsOdd returns an all-ones mask if v mod p is odd, and zero otherwise.
func (v *Element) IsOdd() uint64 {
	// If v ≥ p the residue is v − p. As p is odd, v − p and v have opposite parities.
	_, carry := v.plusC()
	return -(v.l0&1 ^ carry)
}

// Select sets v = a if mask is all ones, or v = b if mask is zero.
func (v *Element) Select(a, b *Element, mask uint64) *Element {
	v.l0 = b.l0 ^ mask&(a.l0^b.l0)
	v.l1 = b.l1 ^ mask&(a.l1^b.l1)
	v.l2 = b.l2 ^ mask&(a.l2^b.l2)
	v.l3 = b.l3 ^ mask&(a.l3^b.l3)
	return v
}

// CondNegate sets v = −a if mask is all ones, or v = a if mask is zero.
func (v *Element) CondNegate(a *Element, mask uint64) *Element {
	var n Element
	n.Negate(a)
	return v.Select(&n, a, mask)
}

// maskIsZero returns all ones if x = 0, and zero otherwise. For x ≠ 0, x or −x has the top bit set.
func maskIsZero(x uint64) uint64 {
	return (x|-x)>>63 - 1
}
