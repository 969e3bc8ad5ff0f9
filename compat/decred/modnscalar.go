package secp256k1

import (
	"encoding/hex"

	"p256k1.mleku.dev/v2/internal/scalar"
)

// ModNScalar is an integer modulo n, always below n. The zero value is 0. Equal scalars are equal as structs (==).
type ModNScalar struct {
	limbs [4]uint64 // least significant limb first
}

// scalar returns s as a scalar of package scalar.
func (s *ModNScalar) scalar() scalar.Scalar {
	return scalar.FromLimbs(s.limbs[0], s.limbs[1], s.limbs[2], s.limbs[3])
}

func (s *ModNScalar) set(a *scalar.Scalar) *ModNScalar {
	s.limbs = a.Limbs()
	return s
}

// String returns s in hexadecimal, 64 digits.
func (s ModNScalar) String() string {
	b := s.Bytes()
	return hex.EncodeToString(b[:])
}

// Set sets s = val and returns s.
func (s *ModNScalar) Set(val *ModNScalar) *ModNScalar {
	*s = *val
	return s
}

// Zero sets s to 0.
//
//go:noinline
func (s *ModNScalar) Zero() {
	// The method is not inlined, so that the compiler does not remove this store as dead.
	*s = ModNScalar{}
}

// IsZeroBit returns 1 if s = 0, or 0 otherwise.
func (s *ModNScalar) IsZeroBit() uint32 {
	a := s.scalar()
	return uint32(a.IsZero() & 1)
}

// IsZero reports whether s = 0.
func (s *ModNScalar) IsZero() bool { return s.IsZeroBit() == 1 }

// SetInt sets s = ui and returns s.
func (s *ModNScalar) SetInt(ui uint32) *ModNScalar {
	s.limbs = [4]uint64{uint64(ui)}
	return s
}

// SetBytes sets s to the 32-byte big-endian integer b modulo n, and returns 1 if b ≥ n, or 0 otherwise.
func (s *ModNScalar) SetBytes(b *[32]byte) uint32 {
	var a scalar.Scalar
	canonical := a.SetBytes(b)
	s.set(&a)
	a = scalar.Scalar{}
	return uint32(canonical+1) & 1
}

// SetByteSlice sets s, modulo n, to the big-endian integer in the first 32 bytes of b, or in all of b if b is shorter.
// It reports whether the integer is n or more.
func (s *ModNScalar) SetByteSlice(b []byte) bool {
	var whole [32]byte
	fill(&whole, b)
	overflow := s.SetBytes(&whole)
	clear(whole[:])
	return overflow != 0
}

// PutBytesUnchecked writes s to the first 32 bytes of b, big-endian. It panics if b is shorter.
func (s *ModNScalar) PutBytesUnchecked(b []byte) {
	_ = b[31]
	s.PutBytes((*[32]byte)(b))
}

// PutBytes writes s to b, big-endian.
func (s *ModNScalar) PutBytes(b *[32]byte) {
	a := s.scalar()
	a.FillBytes(b)
}

// Bytes returns s, big-endian.
func (s *ModNScalar) Bytes() (b [32]byte) {
	s.PutBytes(&b)
	return b
}

// IsOdd reports whether s is odd.
func (s *ModNScalar) IsOdd() bool { return s.limbs[0]&1 == 1 }

// Equals reports whether s = val, in constant time.
func (s *ModNScalar) Equals(val *ModNScalar) bool {
	a, b := s.scalar(), val.scalar()
	return a.Equal(&b) != 0
}

// Add2 sets s = val1 + val2 and returns s.
func (s *ModNScalar) Add2(val1, val2 *ModNScalar) *ModNScalar {
	a, b := val1.scalar(), val2.scalar()
	return s.set(a.Add(&a, &b))
}

// Add sets s = s + val and returns s.
func (s *ModNScalar) Add(val *ModNScalar) *ModNScalar { return s.Add2(s, val) }

// Mul2 sets s = val·val2 and returns s.
func (s *ModNScalar) Mul2(val, val2 *ModNScalar) *ModNScalar {
	a, b := val.scalar(), val2.scalar()
	return s.set(a.Mul(&a, &b))
}

// Mul sets s = s·val and returns s.
func (s *ModNScalar) Mul(val *ModNScalar) *ModNScalar { return s.Mul2(s, val) }

// SquareVal sets s = val² and returns s.
func (s *ModNScalar) SquareVal(val *ModNScalar) *ModNScalar { return s.Mul2(val, val) }

// Square sets s = s² and returns s.
func (s *ModNScalar) Square() *ModNScalar { return s.Mul2(s, s) }

// NegateVal sets s = −val and returns s.
func (s *ModNScalar) NegateVal(val *ModNScalar) *ModNScalar {
	a := val.scalar()
	return s.set(a.Negate(&a))
}

// Negate sets s = −s and returns s.
func (s *ModNScalar) Negate() *ModNScalar { return s.NegateVal(s) }

// InverseValNonConst sets s = 1/val, or s = 0 if val = 0, and returns s. Despite its name it is constant-time, because
// callers pass nonces to it.
func (s *ModNScalar) InverseValNonConst(val *ModNScalar) *ModNScalar {
	a := val.scalar()
	return s.set(a.Invert(&a))
}

// InverseNonConst sets s = 1/s, or leaves s = 0, and returns s. Despite its name it is constant-time.
func (s *ModNScalar) InverseNonConst() *ModNScalar { return s.InverseValNonConst(s) }

// InverseVartime sets s = 1/val, or s = 0 if val = 0, and returns s. The time depends on val, which must not be secret.
func InverseVartime(s, val *ModNScalar) *ModNScalar {
	a := val.scalar()
	return s.set(a.InvertVartime(&a))
}

// IsOverHalfOrder reports whether s > (n−1)/2.
func (s *ModNScalar) IsOverHalfOrder() bool {
	a := s.scalar()
	return a.IsHigh() != 0
}
