package group

import "p256k1.mleku.dev/internal/field"

// Double sets p = 2a, for every a.
func (p *Jacobian) Double(a *Jacobian) {
	// 3M + 4S with the slope halved: L = 3/2·X₁², S = Y₁², T = X₁·S,
	// X₃ = L² − 2T, Y₃ = L·(T − X₃) − S², Z₃ = Y₁·Z₁.
	var l, s, t, u field.Element
	s.Square(&a.Y)
	l.Square(&a.X)
	p.Z.Mul(&a.Y, &a.Z)
	t.Mul(&a.X, &s)
	u.Add(&l, &l)
	l.Add(&l, &u)
	l.Half(&l)
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
	var u1, s1, h, r, t field.Element
	var sum, twice Jacobian
	commonZ(a, b, &u1, &s1, &h, &r)
	t.Mul(&a.Z, &b.Z)
	sum.finishAdd(&u1, &s1, &h, &r, &t) // infinity where a = −b, since H = 0
	twice.Double(a)
	aInf, bInf := a.IsInfinity(), b.IsInfinity()
	equal := h.IsZero() & r.IsZero() &^ (aInf | bInf)
	sum.Select(&twice, &sum, equal)
	sum.Select(b, &sum, aInf)
	p.Select(a, &sum, bInf)
}

// AddVartime is Add in time that depends on a and b.
func (p *Jacobian) AddVartime(a, b *Jacobian) {
	if a.IsInfinity() != 0 {
		p.Set(b)
		return
	}
	if b.IsInfinity() != 0 {
		p.Set(a)
		return
	}
	var u1, s1, h, r, t field.Element
	commonZ(a, b, &u1, &s1, &h, &r)
	if h.IsZero() != 0 && r.IsZero() != 0 {
		p.Double(a)
		return
	}
	t.Mul(&a.Z, &b.Z)
	p.finishAdd(&u1, &s1, &h, &r, &t)
}

// commonZ brings a and b to the denominator Z₁·Z₂, where they are (u1, s1) and
// (u1 + h, s1 + r).
func commonZ(a, b *Jacobian, u1, s1, h, r *field.Element) {
	var t field.Element
	t.Square(&b.Z)
	u1.Mul(&a.X, &t)
	t.Mul(&t, &b.Z)
	s1.Mul(&a.Y, &t)
	t.Square(&a.Z)
	h.Mul(&b.X, &t)
	t.Mul(&t, &a.Z)
	r.Mul(&b.Y, &t)
	h.Sub(h, u1)
	r.Sub(r, s1)
}

// AddMixed sets p = a + b for a ≠ ±b and a ≠ infinity.
func (p *Jacobian) AddMixed(a *Jacobian, b *Affine) {
	// 8M + 3S: Add with Z₂ = 1.
	var h, r field.Element
	slope(a, b, &a.Z, &h, &r)
	p.finishAdd(&a.X, &a.Y, &h, &r, &a.Z)
}

// AddMixedRatio is AddMixed; it also sets ratio = p.Z/a.Z.
func (p *Jacobian) AddMixedRatio(a *Jacobian, b *Affine, ratio *field.Element) {
	var r field.Element
	slope(a, b, &a.Z, ratio, &r)
	p.finishAdd(&a.X, &a.Y, ratio, &r, &a.Z)
}

// AddMixedVartime sets p = a + b, for every a and b.
func (p *Jacobian) AddMixedVartime(a *Jacobian, b *Affine) {
	if a.IsInfinity() != 0 {
		p.SetAffine(b)
		return
	}
	p.addMixedVartime(a, b, &a.Z)
}

// AddMixedScaledVartime sets p = a + (b.X·z², b.Y·z³), for every a and b, where
// z ≠ 0: the sum with a point whose coordinates belong to the isomorphic curve
// on which a has the third coordinate a.Z·z, as in Jacobian{b.X, b.Y, 1/z}.
func (p *Jacobian) AddMixedScaledVartime(a *Jacobian, b *Affine, z *field.Element) {
	var az field.Element
	if a.IsInfinity() != 0 {
		az.Square(z)
		p.X.Mul(&b.X, &az)
		az.Mul(&az, z)
		p.Y.Mul(&b.Y, &az)
		p.Z.SetUint64(1)
		return
	}
	p.addMixedVartime(a, b, az.Mul(&a.Z, z))
}

// addMixedVartime is AddMixedVartime for finite a, with z in place of a.Z where b
// is brought to the denominator of a.
func (p *Jacobian) addMixedVartime(a *Jacobian, b *Affine, z *field.Element) {
	var h, r field.Element
	slope(a, b, z, &h, &r)
	if h.IsZero() != 0 && r.IsZero() != 0 {
		p.Double(a)
		return
	}
	p.finishAdd(&a.X, &a.Y, &h, &r, &a.Z)
}

// slope sets H = X₂·z² − X₁ and R = Y₂·z³ − Y₁.
func slope(a *Jacobian, b *Affine, z, h, r *field.Element) {
	var t field.Element
	t.Square(z)
	h.Mul(&b.X, &t)
	t.Mul(&t, z)
	r.Mul(&b.Y, &t)
	h.Sub(h, &a.X)
	r.Sub(r, &a.Y)
}

// finishAdd sets p to the sum of two points brought to a common denominator z:
// (u1, s1) and (u1 + h, s1 + r), where h ≠ 0. None of h and r may be part of p.
func (p *Jacobian) finishAdd(u1, s1, h, r, z *field.Element) {
	// X₃ = R² − H³ − 2V with V = U₁·H², Y₃ = R·(V − X₃) − S₁·H³, Z₃ = z·H.
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
