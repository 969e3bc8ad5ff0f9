package recode

import (
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// A scalar for G has 43 odd digits of 6 bits, or 37 odd digits of 7 bits for lanes.Base. A scalar for any other point,
// or for lanes.BaseOne, has two halves, each with 26 odd digits of 5 bits. The table of a point holds its positive odd
// multiples. For digits of w bits there are 2ʷ⁻¹ multiples.
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

// Odd is an integer b of m bits, in which a bit at place i stands for 2ⁱ if it is 1 and for −2ⁱ if it is 0. So b stands
// for b − (2ᵐ − 1 − b) = 2b − (2ᵐ − 1), an odd number. In the same way, a window of w consecutive bits with the value c
// stands for the digit 2c − (2ʷ − 1). The digit is odd, so it is never 0, and its absolute value is below 2ʷ (S10; M.
// Hamburg, "Fast and compact elliptic-curve cryptography", 2012, section 3.3).
type Odd [4]uint64

// baseOffset is 2²⁵⁸ − 1 mod n.
var baseOffset = scalar.FromLimbs(offset258&params.Limb, offset258>>64&params.Limb, offset258>>128&params.Limb, offset258>>192)

const offset258 = (1<<(BaseWidth*BaseDigits) - 1) % params.N

// Base returns the odd digits of k for the fixed base G.
func Base(k *scalar.Scalar) Odd {
	// Solve 2b − (2²⁵⁸ − 1) ≡ k modulo n. Because b < n < 2²⁵⁶, the two highest of the 258 bits are 0.
	var b scalar.Scalar
	b.Add(k, &baseOffset).Half(&b)
	return b.Limbs()
}

// lanesOffset is 2²⁵⁹ − 1 mod n.
var lanesOffset = scalar.FromLimbs(offset259&params.Limb, offset259>>64&params.Limb, offset259>>128&params.Limb, offset259>>192)

const offset259 = (1<<(LanesWidth*LanesDigits) - 1) % params.N

// Lanes returns the odd digits of k for the fixed base G in package lanes.
func Lanes(k *scalar.Scalar) Odd {
	// Solve 2b − (2²⁵⁹ − 1) ≡ k modulo n.
	var b scalar.Scalar
	b.Add(k, &lanesOffset).Half(&b)
	return b.Limbs()
}

// variableOffset is (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ) mod n.
var variableOffset = scalar.FromLimbs(offset130&params.Limb, offset130>>64&params.Limb, offset130>>128&params.Limb, offset130>>192)

const offset130 = (1<<130 - 1<<129 - 1) * (1 + params.Lambda) % params.N

// Variable returns the odd digits of two integers k1 and k2 with k1 + k2·λ ≡ k mod n.
func Variable(k *scalar.Scalar) (k1, k2 Odd) {
	// Split s = (k + (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ))/2 into s1 + s2·λ. As |sᵢ| < 2¹²⁸, bᵢ = sᵢ + 2¹²⁸ is positive and below
	// 2¹²⁹, so its 130 bits stand for kᵢ = 2bᵢ − (2¹³⁰ − 1) = 2sᵢ + 2¹²⁹ − 2¹³⁰ + 1. Then k1 + k2·λ = 2s − (2¹³⁰ − 2¹²⁹
	// − 1)·(1 + λ) ≡ k (S12; the idea is from libsecp256k1's ecmult_const_impl.h).
	var s scalar.Scalar
	s.Add(k, &variableOffset).Half(&s)
	s1, s2 := s.Split()
	return offset128(&s1), offset128(&s2)
}

// offset128 returns h + 2¹²⁸ as limbs. The top limb of h is 0 or −1, so the top limb of the result is 1 or 0.
func offset128(h *scalar.Signed128) Odd {
	lo, hi, top := h.Limbs()
	return Odd{lo, hi, top + 1}
}

// BaseWindow returns the bits of digit i, if d was returned by Base.
func (d *Odd) BaseWindow(i int) uint64 { return d.window(i*BaseWidth, BaseWidth) }

// LanesWindow returns the bits of digit i, if d was returned by Lanes.
func (d *Odd) LanesWindow(i int) uint64 { return d.window(i*LanesWidth, LanesWidth) }

// VariableWindow returns the bits of digit i, if d was returned by Variable.
func (d *Odd) VariableWindow(i int) uint64 { return d.window(i*VariableWidth, VariableWidth) }

// VariableWindows returns the bits of the n digits from digit i on, if d was returned by Variable.
func (d *Odd) VariableWindows(i, n int) uint64 { return d.window(i*VariableWidth, n*VariableWidth) }

// window returns bits first to first+width−1 of d, for a width below 64. Bits above d are zero. A window may begin in
// one limb and end in the next. If shift is 0, all bits of the next limb are shifted out.
func (d *Odd) window(first, width int) uint64 {
	i, shift := first/64, first%64
	w := d[i] >> shift
	if i+1 < len(d) {
		w |= d[i+1] << (64 - shift)
	}
	return w & (1<<width - 1)
}
