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
	sum.Select(&twice, &sum, h.IsZero()&sum.X.IsZero())
	sum.Select(b, &sum, a.IsInfinity())
	p.Select(a, &sum, b.IsInfinity())
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

// AddMixedVartime sets p = a + (x, y), for every a and every point (x, y).
func (p *Jacobian) AddMixedVartime(a *Jacobian, x, y *field.Element) {
	if a.Z.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		return
	}
	var h field.Element
	addMixed(p, a, x, y, &h)
	p.fixVartime(x, y, &h)
}

// DoubleAddVartime sets p = 2a + (x, y), for every a and every point (x, y).
func (p *Jacobian) DoubleAddVartime(a *Jacobian, x, y *field.Element) {
	if a.Z.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		return
	}
	var h field.Element
	doubleAdd(p, a, x, y, &h)
	p.fixVartime(x, y, &h)
}

// fixVartime sets p, which is a sum with (x, y), right if its points were equal.
func (p *Jacobian) fixVartime(x, y, h *field.Element) {
	if h.IsZeroVartime() && p.X.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		p.Double(p)
	}
}

// The functions of two points below bring them to a common denominator z, where
// they are (U₁, S₁) and (U₁ + H, S₁ + R), and store H. The sum is
//
//	X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − S₁·H³, Z₃ = z·H with V = U₁·H².
//
// For equal and for opposite points, and only for these, H ≡ 0. Then Z₃ ≡ 0,
// which is right for opposite ones, and X₃ ≡ R², which is 0 for equal ones only.
// h must be no part of another argument.

// addMixedGeneric is 8M + 3S, for a + (x, y): the denominator is that of a.
func addMixedGeneric(p, a *Jacobian, x, y, h *field.Element) {
	var r, t field.Element
	t.Square(&a.Z)
	h.Mul(x, &t)
	t.Mul(&t, &a.Z)
	r.Mul(y, &t)
	h.Sub(h, &a.X)
	r.Sub(&r, &a.Y)
	p.finishAdd(&a.X, &a.Y, h, &r, &a.Z)
}

// doubleAddGeneric is 11M + 7S, for 2a + (x, y).
func doubleAddGeneric(p, a *Jacobian, x, y, h *field.Element) {
	var twice Jacobian
	doubleGeneric(&twice, a)
	addMixedGeneric(p, &twice, x, y, h)
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

// addCoZGeneric is 5M + 2S, with H = X₁ − X₂, R = Y₁ − Y₂ and V = X₁·H²:
// X₃ = R² − V − X₂·H², Y₃ = R·(V − X₃) − Y₁·H³.
func addCoZGeneric(p, a, b *Affine, h *field.Element) {
	var r, h2, v, t field.Element
	h.Sub(&a.X, &b.X)
	r.Sub(&a.Y, &b.Y)
	h2.Square(h)
	v.Mul(&b.X, &h2)
	a.X.Mul(&a.X, &h2)
	h2.Mul(&h2, h)
	a.Y.Mul(&a.Y, &h2)
	t.Square(&r)
	t.Sub(&t, &a.X)
	p.X.Sub(&t, &v)
	t.Sub(&a.X, &p.X)
	t.Mul(&t, &r)
	p.Y.Sub(&t, &a.Y)
}
