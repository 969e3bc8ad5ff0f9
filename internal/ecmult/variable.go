package ecmult

import (
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/params"
	"p256k1.mleku.dev/internal/scalar"
)

// Variable-base multiplication writes each half of the scalar in 26 signed odd
// digits of 5 bits.
const (
	variableWidth   = 5
	variableWindows = 26 // 130 bits
	variableEntries = 1 << (variableWidth - 1)
)

// variableOffset is (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ) mod n.
var variableOffset = scalar.FromLimbs(offset130&params.Limb, offset130>>64&params.Limb, offset130>>128&params.Limb, offset130>>192)

const offset130 = (1<<130 - 1<<129 - 1) * (1 + params.Lambda) % params.N

// Variable sets p = k·a, for every k and a.
func Variable(p *group.Jacobian, k *scalar.Scalar, a *group.Jacobian) {
	var odd [variableEntries]group.Affine
	var ratio [variableEntries]field.Element
	oddMultiples(odd[:], ratio[:], a) // anything if a is infinity, and so is all that follows
	z := commonDenominator(odd[:], ratio[:], nil)
	var t1, t2 [variableEntries]entry // multiples of a and of λ·a
	for i := range odd {
		t1[i].set(&odd[i])
		odd[i].X.Mul(&odd[i].X, &group.Beta)
		t2[i].set(&odd[i])
	}

	// As in Base, taking the bits of an integer v < 2¹³⁰ as ±1 makes it
	// 2v − (2¹³⁰ − 1). For vᵢ = sᵢ + 2¹²⁸, where s1 + s2·λ is the split of
	// s = (k + (2¹³⁰ − 2¹²⁹ − 1)·(1 + λ))/2, that gives
	// 2s + (2¹²⁹ − 2¹³⁰ + 1)·(1 + λ) = k (libsecp256k1, ecmult_const_impl.h).
	var s scalar.Scalar
	s.Add(k, &variableOffset).Half(&s)
	s1, s2 := s.Split()
	v1, v2 := offset128(&s1), offset128(&s2)

	var r, sum group.Jacobian
	var t group.Affine
	variableLookup(&t, &t1, &v1, variableWindows-1)
	r.SetAffine(&t)
	variableLookup(&t, &t2, &v2, variableWindows-1)
	r.AddMixed(&r, &t)
	// The sum is x·a + y·λ·a with odd x and y below 2ᵐ after m bits. Points of
	// that kind with coefficients below 2¹²⁶ are different (the shortest
	// vectors of the lattice x + y·λ ≡ 0 mod n are longer), so that an
	// addition can meet equal or opposite points in the last window only.
	for i := variableWindows - 2; i > 0; i-- {
		r.DoubleN(&r, variableWidth-1)
		variableLookup(&t, &t1, &v1, i)
		r.DoubleAdd(&r, &t)
		variableLookup(&t, &t2, &v2, i)
		r.AddMixed(&r, &t)
	}
	r.DoubleN(&r, variableWidth)
	variableLookup(&t, &t1, &v1, 0)
	sum.SetAffine(&t)
	r.Add(&r, &sum)
	variableLookup(&t, &t2, &v2, 0)
	sum.SetAffine(&t)
	r.Add(&r, &sum)

	r.Z.Mul(&r.Z, &z)
	p.Select(&group.Jacobian{}, &r, a.IsInfinity())
}

// variableLookup sets p to the table's multiple for window i of the recoded half v.
func variableLookup(p *group.Affine, table *[variableEntries]entry, v *[4]uint64, i int) {
	lookup(p, table[:], window(v, i*variableWidth, variableWidth))
}

// offset128 returns h + 2¹²⁸ as limbs.
func offset128(h *scalar.Half) [4]uint64 {
	lo, hi, top := h.Limbs()
	return [4]uint64{lo, hi, top + 1}
}
