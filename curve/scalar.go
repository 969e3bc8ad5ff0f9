package curve

import (
	"fmt"

	"p256k1.mleku.dev/v2/internal/opaque"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Scalar is an integer modulo n, the order of the group. The zero value is 0.
//
// Methods with receiver s set s and return it; receiver and arguments may be the same. Methods are constant-time unless
// their names end in Vartime. However, the time may show whether bytes encode a scalar. The operator == does not
// compile for scalars, because it would not be constant-time: use Equal.
//
// Scalars are often secret, so package fmt and encoders do not show them: see Format and MarshalText. Allocate a secret
// scalar on the heap and wipe it with Zero, because Go leaves copies of variables behind when it moves a stack.
type Scalar opaque.Scalar

func (s *Scalar) s() *scalar.Scalar { return (*opaque.Scalar)(s).Inside() }

// Set sets s = a.
func (s *Scalar) Set(a *Scalar) *Scalar {
	*s.s() = *a.s()
	return s
}

// SetUint64 sets s = a.
func (s *Scalar) SetUint64(a uint64) *Scalar {
	s.s().SetUint64(a)
	return s
}

// SetBytes sets s to the 32-byte big-endian integer b, which must be below n. The error is ErrLength or ErrRange. If
// there is an error, s is unchanged.
func (s *Scalar) SetBytes(b []byte) (*Scalar, error) {
	if len(b) != 32 {
		return nil, fmt.Errorf("curve: scalar: %w: %d bytes, want 32", ErrLength, len(b))
	}
	var t scalar.Scalar
	if t.SetBytes((*[32]byte)(b)) == 0 {
		return nil, fmt.Errorf("curve: scalar: %w: not below the group order", ErrRange)
	}
	*s.s() = t
	return s, nil
}

// SetBytesReduced sets s to the 32-byte big-endian integer b modulo n, as ECDSA and BIP-340 do with hashes.
func (s *Scalar) SetBytesReduced(b *[32]byte) *Scalar {
	s.s().SetBytes(b)
	return s
}

// SetUniformBytes sets s to the big-endian integer b modulo n. b has 48 to 64 bytes. If b is uniformly random, the
// distribution of s differs from the uniform distribution by less than 2⁻¹²⁸, as RFC 9380 (section 5.2) demands of
// hashes to scalars. The error is ErrLength for another length, and leaves s unchanged.
func (s *Scalar) SetUniformBytes(b []byte) (*Scalar, error) {
	var wide [64]byte
	if len(b) < 48 || len(b) > len(wide) {
		return nil, fmt.Errorf("curve: scalar: %w: %d uniform bytes, want 48 to 64", ErrLength, len(b))
	}
	copy(wide[len(wide)-len(b):], b)
	s.s().SetWide(&wide)
	return s, nil
}

// SetWeight sets s = a + 1 + b·λ, where a and b are the first and the last 8 bytes of w, big-endian, and λ is a cube
// root of 1 modulo n. Different w give different scalars, none of which is 0. SetWeight is for the coefficients of
// random linear combinations, because MultiScalarMultVartime multiplies by these scalars in about half the time that it
// takes for other scalars.
func (s *Scalar) SetWeight(w *[16]byte) *Scalar {
	var a, b [32]byte
	copy(a[24:], w[:8])
	copy(b[24:], w[8:])
	var one, t scalar.Scalar
	one.SetUint64(1)
	s.s().SetBytes(&a)
	t.SetBytes(&b)
	s.s().Add(s.s(), &one).Add(s.s(), t.Mul(&t, &scalar.Lambda))
	return s
}

// Bytes returns s as a 32-byte big-endian integer below n.
func (s *Scalar) Bytes() []byte {
	var b [32]byte
	s.s().FillBytes(&b)
	return b[:]
}

// Add sets s = a + b.
func (s *Scalar) Add(a, b *Scalar) *Scalar {
	s.s().Add(a.s(), b.s())
	return s
}

// Sub sets s = a − b.
func (s *Scalar) Sub(a, b *Scalar) *Scalar {
	s.s().Sub(a.s(), b.s())
	return s
}

// Mul sets s = a · b.
func (s *Scalar) Mul(a, b *Scalar) *Scalar {
	s.s().Mul(a.s(), b.s())
	return s
}

// Negate sets s = −a.
func (s *Scalar) Negate(a *Scalar) *Scalar {
	s.s().Negate(a.s())
	return s
}

// CondNegate sets s = −a if cond is 1, or s = a if cond is 0.
func (s *Scalar) CondNegate(a *Scalar, cond int) *Scalar {
	s.s().CondNegate(a.s(), mask(cond))
	return s
}

// Invert sets s = 1/a, or s = 0 if a = 0.
func (s *Scalar) Invert(a *Scalar) *Scalar {
	s.s().Invert(a.s())
	return s
}

// InvertVartime sets s = 1/a, or s = 0 if a = 0, in time that depends on a, which must not be secret.
func (s *Scalar) InvertVartime(a *Scalar) *Scalar {
	s.s().InvertVartime(a.s())
	return s
}

// Select sets s = a if cond is 1, or s = b if cond is 0.
func (s *Scalar) Select(a, b *Scalar, cond int) *Scalar {
	s.s().Select(a.s(), b.s(), mask(cond))
	return s
}

// Equal returns 1 if s = a, or 0 otherwise.
func (s *Scalar) Equal(a *Scalar) int {
	return bit(s.s().Equal(a.s()))
}

// IsZero returns 1 if s = 0, or 0 otherwise.
func (s *Scalar) IsZero() int {
	return bit(s.s().IsZero())
}

// IsHigh returns 1 if s > (n−1)/2, or 0 otherwise.
func (s *Scalar) IsHigh() int {
	return bit(s.s().IsHigh())
}

// Zero wipes s, leaving 0.
//
//go:noinline
func (s *Scalar) Zero() {
	// The method is not inlined, because the compiler would then remove this store as dead.
	*s.s() = scalar.Scalar{}
}

// mask returns all ones if the lowest bit of cond is 1, or zero if it is 0. The other bits of cond are ignored, because
// with any other mask Select would mix two values into an invalid value.
func mask(cond int) uint64 {
	return -uint64(cond & 1)
}

// bit returns 1 if mask is all ones, and 0 if it is zero.
func bit(mask uint64) int {
	return int(mask & 1)
}
