package group

import "p256k1.mleku.dev/internal/field"

// Double sets p = 2a, for every a.
func (p *Jacobian) Double(a *Jacobian) {
	doubleN(p, a, 1)
}

// DoubleN sets p = 2ⁿ·a, for every a and n > 0.
func (p *Jacobian) DoubleN(a *Jacobian, n int) {
	if n < 1 {
		panic("group: DoubleN of n < 1")
	}
	doubleN(p, a, n)
}

func doubleNGeneric(p, a *Jacobian, n int) {
	doubleGeneric(p, a)
	for range n - 1 {
		doubleGeneric(p, p)
	}
}

func doubleGeneric(p, a *Jacobian) {
	// 3M + 4S with the slope halved: L = 3/2·X₁², S = Y₁², T = X₁·S,
	// X₃ = L² − 2T, Y₃ = L·(T − X₃) − S², Z₃ = Y₁·Z₁.
	var l, s, t, u field.Element
	s.Square(&a.Y)
	u.Square(&a.X)
	p.Z.Mul(&a.Y, &a.Z)
	t.Mul(&a.X, &s)
	l.Half(&u)
	l.Add(&l, &u)
	u.Square(&l)
	u.Sub(&u, &t)
	p.X.Sub(&u, &t)
	s.Square(&s)
	t.Sub(&t, &p.X)
	t.Mul(&t, &l)
	p.Y.Sub(&t, &s)
}

// Add sets p = a + b, for every a and b.
func (p *Jacobian) Add(a, b *Jacobian) {
	// 12M + 4S for the sum of different points, and a doubling for equal ones.
	var h field.Element
	var sum, twice Jacobian
	addDistinct(&sum, a, b, &h)
	twice.Double(a)
	aInf, bInf := a.IsInfinity(), b.IsInfinity()
	equal := h.IsZero() & sum.X.IsZero() &^ (aInf | bInf)
	sum.Select(&twice, &sum, equal)
	sum.Select(b, &sum, aInf)
	p.Select(a, &sum, bInf)
}

// AddVartime is Add in time that depends on a and b.
func (p *Jacobian) AddVartime(a, b *Jacobian) {
	if a.Z.IsZeroVartime() {
		p.Set(b)
		return
	}
	if b.Z.IsZeroVartime() {
		p.Set(a)
		return
	}
	var h field.Element
	var sum Jacobian
	addDistinct(&sum, a, b, &h)
	if h.IsZeroVartime() && sum.X.IsZeroVartime() {
		p.Double(a)
		return
	}
	p.Set(&sum)
}

// AddMixed sets p = a + b for a ≠ b and a ≠ infinity.
func (p *Jacobian) AddMixed(a *Jacobian, b *Affine) {
	var h field.Element
	addMixed(p, a, b, &a.Z, &h)
}

// AddMixedRatio is AddMixed; it also sets ratio = p.Z/a.Z.
func (p *Jacobian) AddMixedRatio(a *Jacobian, b *Affine, ratio *field.Element) {
	addMixed(p, a, b, &a.Z, ratio)
}

// AddMixedVartime sets p = a + b, for every a and b.
func (p *Jacobian) AddMixedVartime(a *Jacobian, b *Affine) {
	if a.Z.IsZeroVartime() {
		p.SetAffine(b)
		return
	}
	var h field.Element
	addMixed(p, a, b, &a.Z, &h)
	if h.IsZeroVartime() && p.X.IsZeroVartime() {
		p.SetAffine(b)
		p.Double(p)
	}
}

// AddMixedScaledVartime sets p = a + (b.X·z², b.Y·z³), for every a and b, where
// z ≠ 0: the sum with a point whose coordinates belong to the isomorphic curve
// on which a has the third coordinate a.Z·z, as in Jacobian{b.X, b.Y, 1/z}.
func (p *Jacobian) AddMixedScaledVartime(a *Jacobian, b *Affine, z *field.Element) {
	if a.Z.IsZeroVartime() {
		p.setAffineScaled(b, z)
		return
	}
	var az, h field.Element
	addMixed(p, a, b, az.Mul(&a.Z, z), &h)
	if h.IsZeroVartime() && p.X.IsZeroVartime() {
		p.setAffineScaled(b, z)
		p.Double(p)
	}
}

// setAffineScaled sets p = (a.X·z², a.Y·z³).
func (p *Jacobian) setAffineScaled(a *Affine, z *field.Element) {
	var scaled Affine
	scaled.Rescale(a, z)
	p.SetAffine(&scaled)
}

// The functions of two points below bring them to a common denominator z, where
// they are (U₁, S₁) and (U₁ + H, S₁ + R), and store H. The sum is
//
//	X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − S₁·H³, Z₃ = z·H with V = U₁·H².
//
// For equal and for opposite points, and only for these, H ≡ 0. Then Z₃ ≡ 0,
// which is right for opposite ones, and X₃ ≡ R², which is 0 for equal ones only.
// h must be no part of another argument.

// addMixedGeneric is 8M + 3S: the denominator is that of a. For b, which has
// Z₂ = 1, z stands in its place.
func addMixedGeneric(p, a *Jacobian, b *Affine, z, h *field.Element) {
	var r, t field.Element
	t.Square(z)
	h.Mul(&b.X, &t)
	t.Mul(&t, z)
	r.Mul(&b.Y, &t)
	h.Sub(h, &a.X)
	r.Sub(&r, &a.Y)
	p.finishAdd(&a.X, &a.Y, h, &r, &a.Z)
}

// addDistinctGeneric is 12M + 4S: the denominator is Z₁·Z₂.
func addDistinctGeneric(p, a, b *Jacobian, h *field.Element) {
	var u1, s1, r, t field.Element
	t.Square(&b.Z)
	u1.Mul(&a.X, &t)
	t.Mul(&t, &b.Z)
	s1.Mul(&a.Y, &t)
	t.Square(&a.Z)
	h.Mul(&b.X, &t)
	t.Mul(&t, &a.Z)
	r.Mul(&b.Y, &t)
	h.Sub(h, &u1)
	r.Sub(&r, &s1)
	t.Mul(&a.Z, &b.Z)
	p.finishAdd(&u1, &s1, h, &r, &t)
}

func (p *Jacobian) finishAdd(u1, s1, h, r, z *field.Element) {
	var h2, h3, v, t field.Element
	h2.Square(h)
	p.Z.Mul(z, h)
	v.Mul(u1, &h2)
	h3.Mul(&h2, h)
	t.Square(r)
	t.Sub(&t, &h3)
	t.Sub(&t, &v)
	h3.Mul(&h3, s1)
	p.X.Sub(&t, &v)
	v.Sub(&v, &p.X)
	v.Mul(&v, r)
	p.Y.Sub(&v, &h3)
}
