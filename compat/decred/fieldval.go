package secp256k1

import (
	"encoding/hex"
	"math/bits"

	"p256k1.mleku.dev/v2/internal/field"
)

// FieldVal is an integer modulo p. The zero value is 0.
//
// Decred's magnitudes have no meaning in this package, because every value is kept below 2²⁵⁶ and no sum overflows. A
// program that follows Decred's rules therefore gets the same results. Two normalized values represent the same element
// if and only if they are equal as structs (==).
type FieldVal struct {
	limbs [4]uint64 // least significant limb first; any value below 2²⁵⁶
}

// element returns f as an element of package field.
func (f *FieldVal) element() field.Element {
	return field.FromLimbs(f.limbs[0], f.limbs[1], f.limbs[2], f.limbs[3])
}

func (f *FieldVal) set(e *field.Element) *FieldVal {
	f.limbs = e.Limbs()
	return f
}

// setNormal sets f to the canonical representation of e.
func (f *FieldVal) setNormal(e *field.Element) *FieldVal {
	return f.set(e.Normalize(e))
}

// String returns f modulo p in hexadecimal, 64 digits.
func (f FieldVal) String() string {
	return hex.EncodeToString(f.Bytes()[:])
}

// Zero sets f to 0.
//
//go:noinline
func (f *FieldVal) Zero() {
	// The method is not inlined, so that the compiler does not remove this store as dead.
	*f = FieldVal{}
}

// Set sets f = val and returns f.
func (f *FieldVal) Set(val *FieldVal) *FieldVal {
	*f = *val
	return f
}

// SetInt sets f = ui and returns f.
func (f *FieldVal) SetInt(ui uint16) *FieldVal {
	f.limbs = [4]uint64{uint64(ui)}
	return f
}

// SetBytes sets f to the 32-byte big-endian integer b, and returns 1 if b ≥ p, or 0 otherwise.
func (f *FieldVal) SetBytes(b *[32]byte) uint32 {
	var e field.Element
	canonical := e.SetBytes(b)
	f.set(&e)
	return uint32(canonical+1) & 1
}

// SetByteSlice sets f to the big-endian integer in the first 32 bytes of b, or in all of b if b is shorter. It reports
// whether the integer is p or more.
func (f *FieldVal) SetByteSlice(b []byte) bool {
	var whole [32]byte
	fill(&whole, b)
	overflow := f.SetBytes(&whole)
	clear(whole[:])
	return overflow != 0
}

// fill copies the first 32 bytes of b, or all of b if b is shorter, to the end of whole.
func fill(whole *[32]byte, b []byte) {
	b = b[:min(len(b), 32)]
	copy(whole[32-len(b):], b)
}

// Normalize sets f to its canonical representation, below p, and returns f.
func (f *FieldVal) Normalize() *FieldVal {
	e := f.element()
	return f.setNormal(&e)
}

// PutBytesUnchecked writes f modulo p to the first 32 bytes of b, big-endian. It panics if b is shorter.
func (f *FieldVal) PutBytesUnchecked(b []byte) {
	_ = b[31]
	f.PutBytes((*[32]byte)(b))
}

// PutBytes writes f modulo p to b, big-endian.
func (f *FieldVal) PutBytes(b *[32]byte) {
	e := f.element()
	e.FillBytes(b)
}

// Bytes returns f modulo p, big-endian.
func (f *FieldVal) Bytes() *[32]byte {
	b := new([32]byte)
	f.PutBytes(b)
	return b
}

// IsZeroBit returns 1 if f ≡ 0 modulo p, or 0 otherwise.
func (f *FieldVal) IsZeroBit() uint32 {
	e := f.element()
	return uint32(e.IsZero() & 1)
}

// IsZero reports whether f ≡ 0 modulo p.
func (f *FieldVal) IsZero() bool { return f.IsZeroBit() == 1 }

// IsOneBit returns 1 if f = 1, or 0 otherwise. f must be normalized, as in Decred's package.
func (f *FieldVal) IsOneBit() uint32 {
	other := f.limbs[0] ^ 1 | f.limbs[1] | f.limbs[2] | f.limbs[3]
	return uint32((other|-other)>>63) ^ 1
}

// IsOne reports whether f = 1. f must be normalized, as in Decred's package.
func (f *FieldVal) IsOne() bool { return f.IsOneBit() == 1 }

// IsOddBit returns 1 if f is odd, or 0 otherwise. f must be normalized, as in Decred's package.
func (f *FieldVal) IsOddBit() uint32 { return uint32(f.limbs[0] & 1) }

// IsOdd reports whether f is odd. f must be normalized, as in Decred's package.
func (f *FieldVal) IsOdd() bool { return f.IsOddBit() == 1 }

// Equals reports whether f ≡ val modulo p.
func (f *FieldVal) Equals(val *FieldVal) bool {
	a, b := f.element(), val.element()
	return a.Equal(&b) != 0
}

// NegateVal sets f = −val and returns f. It ignores the magnitude.
func (f *FieldVal) NegateVal(val *FieldVal, _ uint32) *FieldVal {
	e := val.element()
	return f.set(e.Negate(&e))
}

// Negate sets f = −f and returns f. It ignores the magnitude.
func (f *FieldVal) Negate(magnitude uint32) *FieldVal { return f.NegateVal(f, magnitude) }

// AddInt sets f = f + ui and returns f.
func (f *FieldVal) AddInt(ui uint16) *FieldVal {
	return f.Add(&FieldVal{[4]uint64{uint64(ui)}})
}

// Add sets f = f + val and returns f.
func (f *FieldVal) Add(val *FieldVal) *FieldVal { return f.Add2(f, val) }

// Add2 sets f = val + val2 and returns f.
func (f *FieldVal) Add2(val *FieldVal, val2 *FieldVal) *FieldVal {
	a, b := val.element(), val2.element()
	return f.set(a.Add(&a, &b))
}

// MulInt sets f = val·f and returns f.
func (f *FieldVal) MulInt(val uint8) *FieldVal {
	return f.Mul(&FieldVal{[4]uint64{uint64(val)}})
}

// Mul sets f = f·val and returns f.
func (f *FieldVal) Mul(val *FieldVal) *FieldVal { return f.Mul2(f, val) }

// Mul2 sets f = val·val2 and returns f.
func (f *FieldVal) Mul2(val *FieldVal, val2 *FieldVal) *FieldVal {
	a, b := val.element(), val2.element()
	return f.set(a.Mul(&a, &b))
}

// SquareRootVal sets f = val^((p+1)/4) and reports whether f is a square root of val. Like Decred's function, it
// normalizes val. If val is f, it compares the square of the root with the root, as Decred's function does, so that it
// returns false unless the root is 0 or 1.
func (f *FieldVal) SquareRootVal(val *FieldVal) bool {
	a := val.element()
	var root field.Element
	square := root.Sqrt(&a) != 0
	val.setNormal(&a)
	f.set(&root)
	if f == val {
		f.Normalize()
		return f.IsZeroBit()|f.IsOneBit() == 1
	}
	return square
}

// Square sets f = f² and returns f.
func (f *FieldVal) Square() *FieldVal { return f.SquareVal(f) }

// SquareVal sets f = val² and returns f.
func (f *FieldVal) SquareVal(val *FieldVal) *FieldVal {
	e := val.element()
	return f.set(e.Square(&e))
}

// Inverse sets f = 1/f, or f = 0 if f ≡ 0, and returns f.
func (f *FieldVal) Inverse() *FieldVal {
	e := f.element()
	return f.set(e.Invert(&e))
}

// IsGtOrEqPrimeMinusOrder reports whether f modulo p is at least p − n.
func (f *FieldVal) IsGtOrEqPrimeMinusOrder() bool {
	g := *f
	g.Normalize()
	_, borrow := bits.Sub64(g.limbs[0], pMinusN0, 0)
	_, borrow = bits.Sub64(g.limbs[1], pMinusN1, borrow)
	_, borrow = bits.Sub64(g.limbs[2], 1, borrow)
	_, borrow = bits.Sub64(g.limbs[3], 0, borrow)
	return borrow == 0
}

// These are the two low limbs of p − n, whose third limb is 1 and whose fourth limb is 0.
const (
	pMinusN0 = 0x402da172_2fc9baee
	pMinusN1 = 0x45512319_50b75fc4
)
