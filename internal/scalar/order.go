//go:build !exhaustive

package scalar

import "encoding/binary"

// SetBytes sets v to the 32-byte big-endian integer b reduced modulo n and
// returns an all-ones mask if b was below n, zero if it was not.
func (v *Scalar) SetBytes(b *[32]byte) (canonical uint64) {
	l3 := binary.BigEndian.Uint64(b[0:8])
	l2 := binary.BigEndian.Uint64(b[8:16])
	l1 := binary.BigEndian.Uint64(b[16:24])
	l0 := binary.BigEndian.Uint64(b[24:32])
	// 2n > 2²⁵⁶, so one subtraction reduces.
	return ^v.reduce(l0, l1, l2, l3, 0)
}

// Mul sets v = a · b.
func (v *Scalar) Mul(a, b *Scalar) *Scalar {
	mul(v, a, b)
	return v
}

// representative returns what the recodings of multiplication are to take for v:
// v itself, and in small groups any integer congruent to it.
func (v *Scalar) representative() *Scalar {
	return v
}
