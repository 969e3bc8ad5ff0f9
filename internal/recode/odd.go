package recode

import (
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// A scalar for the fixed base has 43 odd digits of 6 bits, or 37 of 7 bits where
// lanes look them up. Each half of a scalar for any other point has 26 odd digits of 5
// bits. A table holds the positive odd multiples.
const (
	BaseWidth   = 6
	BaseDigits  = 43 // 258 bits
	BaseEntries = 1 << (BaseWidth - 1)

	LanesWidth   = 7
	LanesDigits  = 37 // 259 bits
	LanesEntries = 1 << (LanesWidth - 1)

	VariableWidth   = 5
	VariableDigits  = 26 // 130 bits
	VariableEntries = 1 << (VariableWidth - 1)
)

// Odd is an integer whose bits stand for 1 and −1, instead of 1 and 0: of m bits b
// it is the sum of ±2ⁱ, that is 2b − (2ᵐ − 1). So are w of them in a row, a window,
// which is an odd digit below 2ʷ (S10; M. Hamburg, "Fast and compact
// elliptic-curve cryptography", 2012, section 3.3).
type Odd [4]uint64

// baseOffset is 2²⁵⁸ − 1 mod n.
var baseOffset = scalar.FromLimbs(offset258&params.Limb, offset258>>64&params.Limb, offset258>>128&params.Limb, offset258>>192)

const offset258 = (1<<(BaseWidth*BaseDigits) - 1) % params.N

// Base returns the odd digits of k for the fixed base.
func Base(k *scalar.Scalar) Odd {
	// 2b − (2²⁵⁸ − 1) = k.
	var b scalar.Scalar
	b.Add(k, &baseOffset).Half(&b)
	return b.Limbs()
}

// lanesOffset is 2²⁵⁹ − 1 mod n.
var lanesOffset = scalar.FromLimbs(offset259&params.Limb, offset259>>64&params.Limb, offset259>>128&params.Limb, offset259>>192)

const offset259 = (1<<(LanesWidth*LanesDigits) - 1) % params.N

// Lanes returns the odd digits of k for the fixed base in lanes.
func Lanes(k *scalar.Scalar) Odd {
	// 2b − (2²⁵⁹ − 1) = k.
	var b scalar.Scalar
	b.Add(k, &lanesOffset).Half(&b)
	return b.Limbs()
}

// variableOffset is (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ) mod n.
var variableOffset = scalar.FromLimbs(offset130&params.Limb, offset130>>64&params.Limb, offset130>>128&params.Limb, offset130>>192)

const offset130 = (1<<130 - 1<<129 - 1) * (1 + params.Lambda) % params.N

// Variable returns the odd digits of k1 and of k2, where k1 + k2·λ ≡ k mod n.
func Variable(k *scalar.Scalar) (k1, k2 Odd) {
	// With s1 + s2·λ the split of s = (k + (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ))/2 and
	// bᵢ = sᵢ + 2¹²⁸, the sum of 2bᵢ − (2¹³⁰ − 1) is
	// 2s + (2¹²⁹ − 2¹³⁰ + 1)·(1 + λ) = k (S12; libsecp256k1, ecmult_const_impl.h).
	var s scalar.Scalar
	s.Add(k, &variableOffset).Half(&s)
	s1, s2 := s.Split()
	return offset128(&s1), offset128(&s2)
}

// offset128 returns h + 2¹²⁸ as limbs.
func offset128(h *scalar.Signed128) Odd {
	lo, hi, top := h.Limbs()
	return Odd{lo, hi, top + 1}
}

// BaseWindow returns the bits of digit i of a result of Base.
func (d *Odd) BaseWindow(i int) uint64 { return d.window(i*BaseWidth, BaseWidth) }

// LanesWindow returns the bits of digit i of a result of Lanes.
func (d *Odd) LanesWindow(i int) uint64 { return d.window(i*LanesWidth, LanesWidth) }

// VariableWindow returns the bits of digit i of a result of Variable.
func (d *Odd) VariableWindow(i int) uint64 { return d.window(i*VariableWidth, VariableWidth) }

// VariableWindows returns the bits of n digits of a result of Variable, from digit i on.
func (d *Odd) VariableWindows(i, n int) uint64 { return d.window(i*VariableWidth, n*VariableWidth) }

// window returns the width bits of d from bit at on. Bits above d are zero.
func (d *Odd) window(at, width int) uint64 {
	i, shift := at/64, at%64
	w := d[i] >> shift
	if i+1 < len(d) {
		w |= d[i+1] << (64 - shift)
	}
	return w & (1<<width - 1)
}
