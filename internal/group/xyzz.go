package group

import "p256k1.mleku.dev/internal/field"

// XYZZ is the point (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ², or infinity if ZZ ≡ 0
// (Bernstein and Lange's Explicit-Formulas Database). Adding an affine point
// costs a squaring less than in Jacobian coordinates; fixed-base
// multiplication, which hardly doubles, uses it.
type XYZZ struct {
	X, Y, ZZ, ZZZ field.Element
}

// AddMixedComplete sets p = a + b for a ≠ infinity.
func (p *XYZZ) AddMixedComplete(a *XYZZ, b *Affine) {
	var h field.Element
	var twice XYZZ
	twice.doubleAffine(b)
	addMixedXYZZ(p, a, b, &h)
	equal := h.IsZero() & p.X.IsZero()
	p.X.Select(&twice.X, &p.X, equal)
	p.Y.Select(&twice.Y, &p.Y, equal)
	p.ZZ.Select(&twice.ZZ, &p.ZZ, equal)
	p.ZZZ.Select(&twice.ZZZ, &p.ZZZ, equal)
}

// addMixedXYZZGeneric is 8M + 2S (madd-2008-s), with H and R as in the formulas
// for Jacobian points.
func addMixedXYZZGeneric(p, a *XYZZ, b *Affine, h *field.Element) {
	// H = X₂·ZZ₁ − X₁, R = Y₂·ZZZ₁ − Y₁, V = X₁·H²: X₃ = R² − H³ − 2V,
	// Y₃ = R·(V − X₃) − Y₁·H³, ZZ₃ = ZZ₁·H², ZZZ₃ = ZZZ₁·H³.
	var r, h2, h3, v, t field.Element
	h.Mul(&b.X, &a.ZZ)
	r.Mul(&b.Y, &a.ZZZ)
	h.Sub(h, &a.X)
	r.Sub(&r, &a.Y)
	h2.Square(h)
	t.Square(&r)
	v.Mul(&a.X, &h2)
	h3.Mul(&h2, h)
	p.ZZ.Mul(&a.ZZ, &h2)
	t.Sub(&t, &h3)
	t.Sub(&t, &v)
	p.ZZZ.Mul(&a.ZZZ, &h3)
	h3.Mul(&h3, &a.Y)
	p.X.Sub(&t, &v)
	v.Sub(&v, &p.X)
	v.Mul(&v, &r)
	p.Y.Sub(&v, &h3)
}

// doubleAffine sets p = 2a (mdbl-2008-s-1).
func (p *XYZZ) doubleAffine(a *Affine) {
	// U = 2Y₁, S = X₁·U², M = 3·X₁²: X₃ = M² − 2S, Y₃ = M·(S − X₃) − U³·Y₁,
	// ZZ₃ = U², ZZZ₃ = U³.
	var u, s, m, t field.Element
	u.Add(&a.Y, &a.Y)
	t.Square(&a.X)
	m.Add(&t, &t)
	m.Add(&m, &t)
	p.ZZ.Square(&u)
	p.ZZZ.Mul(&p.ZZ, &u)
	s.Mul(&a.X, &p.ZZ)
	u.Mul(&p.ZZZ, &a.Y)
	t.Square(&m)
	t.Sub(&t, &s)
	p.X.Sub(&t, &s)
	s.Sub(&s, &p.X)
	s.Mul(&s, &m)
	p.Y.Sub(&s, &u)
}

// SetXYZZ sets p = a.
func (p *Jacobian) SetXYZZ(a *XYZZ) {
	// With Z = ZZ: X/ZZ = X·ZZ/Z² and Y/ZZZ = Y·ZZZ/Z³, since ZZZ² = ZZ³.
	p.X.Mul(&a.X, &a.ZZ)
	p.Y.Mul(&a.Y, &a.ZZZ)
	p.Z.Set(&a.ZZ)
}
