package group

import "p256k1.mleku.dev/v2/internal/field"

// This file contains all point formulas that exist in assembly, and doubleAffine, which exists only in Go. The prover
// states the same formulas again, independently (tools/evidence/asmproof/specs.py). Two more formulas that exist only
// in Go are in other files: doubling in affine coordinates (addAlikeVartime in internal/batch), and the chord through
// points whose y coordinates are unknown square roots (internal/ecmult/rootless.go).
//
// Processors without assembly run these functions. The generator compiles the same functions to assembly: a function
// named …Generic becomes the routine without Generic in its name. The routine has the same parameters, and its comment
// is the first sentence of the function's comment. After a change run "go run ./tools/generator" in the root of the
// repository.
//
// A formula declares elements and points, calls methods of field.Element on them, and calls other formulas. The order
// of the calls matters. A processor begins a multiplication before the previous multiplication has ended, so products
// that do not depend on each other stand side by side. A sum stands right after the product that is its first operand,
// because the assembly then reduces the product and the sum at once. Costs are given in multiplications (M) and
// squarings (S).

// doubleNGeneric sets p = 2ⁿ·a, for every a and n > 0.
func doubleNGeneric(p, a *Jacobian, n int) {
	double(p, a)
	for range n - 1 {
		double(p, p)
	}
}

// double sets p = 2a, for every a. It costs 3M + 4S, and L is half of the slope's numerator:
//
//	L = 3/2·X₁², S = Y₁², T = X₁·S, X₃ = L² − 2T, Y₃ = L·(T − X₃) − S², Z₃ = Y₁·Z₁.
func double(p, a *Jacobian) {
	var l, s, t, u field.Element
	u.Square(&a.X)
	l.Half(&u)
	l.Add(&l, &u)
	s.Square(&a.Y)
	p.Z.Mul(&a.Y, &a.Z)
	t.Mul(&a.X, &s)
	u.Square(&l)
	u.Sub(&u, &t)
	p.X.Sub(&u, &t)
	t.Sub(&t, &p.X)
	s.Square(&s)
	t.Mul(&t, &l)
	p.Y.Sub(&t, &s)
}

// The additions below in Jacobian and XYZZ coordinates bring both points to a common denominator z, where the points
// are (U₁, S₁) and (U₁ + H, S₁ + R), and set h = H. The sum is
//
//	X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − S₁·H³, Z₃ = z·H with V = U₁·H².
//
// H ≡ 0 if the points are equal or opposite, and only then. In that case Z₃ ≡ 0, which is right for opposite points,
// and X₃ ≡ R², which is 0 only for equal points. h must not be part of another argument.

// addMixedGeneric sets p = a + (x, y), for a ≠ infinity and a ≠ (x, y), and sets h to H, the difference of the x
// coordinates at a common denominator. It costs 8M + 3S; the denominator is the denominator of a.
func addMixedGeneric(p, a *Jacobian, x, y, h *field.Element) {
	var h2, r, t field.Element
	t.Square(&a.Z)
	h.Mul(x, &t)
	h.Sub(h, &a.X)
	t.Mul(&a.Z, &t)
	h2.Square(h)
	r.Mul(y, &t)
	r.Sub(&r, &a.Y)
	finishAdd(p, &a.X, &a.Y, &a.Z, h, &h2, &r)
}

// doubleAddGeneric sets p = 2a + (x, y), for a ≠ infinity and 2a ≠ (x, y), and sets h to H, the difference of the x
// coordinates of 2a and (x, y) at a common denominator. It costs 11M + 7S.
func doubleAddGeneric(p, a *Jacobian, x, y, h *field.Element) {
	var twice Jacobian
	double(&twice, a)
	addMixedGeneric(p, &twice, x, y, h)
}

// addDistinctGeneric sets p = a + b, for a ≠ b where neither is infinity, and sets h to H, the difference of the x
// coordinates at a common denominator. It costs 12M + 4S; the denominator is Z₁·Z₂.
func addDistinctGeneric(p, a, b *Jacobian, h *field.Element) {
	var u1, s1, h2, r, t, u, z field.Element
	t.Square(&b.Z)
	u.Square(&a.Z)
	u1.Mul(&a.X, &t)
	h.Mul(&b.X, &u)
	h.Sub(h, &u1)
	t.Mul(&b.Z, &t)
	u.Mul(&a.Z, &u)
	s1.Mul(&a.Y, &t)
	h2.Square(h)
	r.Mul(&b.Y, &u)
	r.Sub(&r, &s1)
	z.Mul(&a.Z, &b.Z)
	finishAdd(p, &u1, &s1, &z, h, &h2, &r)
}

// finishAdd computes X₃, Y₃ and Z₃ from the values that all additions in Jacobian coordinates share, with h2 = H².
func finishAdd(p *Jacobian, u1, s1, z, h, h2, r *field.Element) {
	var h3, t, v field.Element
	v.Mul(u1, h2)
	h3.Mul(h, h2)
	p.Z.Mul(z, h)
	t.Square(r)
	t.Sub(&t, &h3)
	t.Sub(&t, &v)
	p.X.Sub(&t, &v)
	v.Sub(&v, &p.X)
	h3.Mul(s1, &h3)
	v.Mul(&v, r)
	p.Y.Sub(&v, &h3)
}

// addMixedXYZZGeneric sets p = a + b, for a ≠ infinity and a ≠ b, and sets h to H, the difference of the x coordinates
// at a common denominator. It costs 8M + 2S (madd-2008-s in the Explicit-Formulas Database):
//
//	H = X₂·ZZ₁ − X₁, R = Y₂·ZZZ₁ − Y₁, V = X₁·H²,
//	X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − Y₁·H³, ZZ₃ = ZZ₁·H², ZZZ₃ = ZZZ₁·H³.
func addMixedXYZZGeneric(p, a *XYZZ, b *Affine, h *field.Element) {
	var r, h2, h3, s, t, v field.Element
	h.Mul(&b.X, &a.ZZ)
	h.Sub(h, &a.X)
	r.Mul(&b.Y, &a.ZZZ)
	r.Sub(&r, &a.Y)
	h2.Square(h)
	v.Mul(&a.X, &h2)
	h3.Mul(h, &h2)
	p.ZZ.Mul(&a.ZZ, &h2)
	t.Square(&r)
	t.Sub(&t, &h3)
	t.Sub(&t, &v)
	p.X.Sub(&t, &v)
	v.Sub(&v, &p.X)
	s.Mul(&a.Y, &h3)
	p.ZZZ.Mul(&a.ZZZ, &h3)
	v.Mul(&v, &r)
	p.Y.Sub(&v, &s)
}

// addXYZZ sets p = a + b and h = H, for a ≠ b where neither is infinity. It costs 12M + 2S (add-2008-s in the
// Explicit-Formulas Database):
//
//	U₁ = X₁·ZZ₂, S₁ = Y₁·ZZZ₂, H = X₂·ZZ₁ − U₁, R = Y₂·ZZZ₁ − S₁, V = U₁·H²,
//	X₃ = R² − H³ − 2V, Y₃ = R·(V − X₃) − S₁·H³, ZZ₃ = ZZ₁·ZZ₂·H², ZZZ₃ = ZZZ₁·ZZZ₂·H³.
func addXYZZ(p, a, b *XYZZ, h *field.Element) {
	var u1, s1, r, h2, h3, z2, z3, s, t, v field.Element
	u1.Mul(&a.X, &b.ZZ)
	h.Mul(&b.X, &a.ZZ)
	h.Sub(h, &u1)
	s1.Mul(&a.Y, &b.ZZZ)
	r.Mul(&b.Y, &a.ZZZ)
	r.Sub(&r, &s1)
	h2.Square(h)
	z2.Mul(&a.ZZ, &b.ZZ)
	z3.Mul(&a.ZZZ, &b.ZZZ)
	v.Mul(&u1, &h2)
	h3.Mul(h, &h2)
	p.ZZ.Mul(&z2, &h2)
	t.Square(&r)
	t.Sub(&t, &h3)
	t.Sub(&t, &v)
	p.X.Sub(&t, &v)
	v.Sub(&v, &p.X)
	s.Mul(&s1, &h3)
	p.ZZZ.Mul(&z3, &h3)
	v.Mul(&v, &r)
	p.Y.Sub(&v, &s)
}

// addCoZGeneric sets p = a + b, for finite points a ≠ ±b with a common denominator, changes a to the same point with
// the denominator of p, and sets h = X₁ − X₂. It costs 4M + 2S:
//
//	H = X₁ − X₂, R = Y₁ − Y₂, V = X₁·H², H³ = V − X₂·H²,
//	X₃ = R² − V − X₂·H², Y₃ = R·(V − X₃) − Y₁·H³.
func addCoZGeneric(p, a, b *Affine, h *field.Element) {
	var r, h2, h3, t, v field.Element
	h.Sub(&a.X, &b.X)
	h2.Square(h)
	r.Sub(&a.Y, &b.Y)
	v.Mul(&b.X, &h2)
	a.X.Mul(&a.X, &h2)
	h3.Sub(&a.X, &v)
	t.Square(&r)
	t.Sub(&t, &a.X)
	p.X.Sub(&t, &v)
	a.Y.Mul(&a.Y, &h3)
	v.Sub(&a.X, &p.X)
	v.Mul(&v, &r)
	p.Y.Sub(&v, &a.Y)
}

// addAffineGeneric sets p = a + b for a ≠ ±b, given inverse = 1/(before·h) with h = X₂ − X₁, and sets inverse =
// 1/before. It costs 4M + 1S, or 5M + 1S with the earlier multiplication before·h. The slope is L = (Y₂ − Y₁)/h, and X₃
// = L² − X₁ − X₂, Y₃ = L·(X₂ − X₃) − Y₂.
func addAffineGeneric(p, a, b *Affine, before, inverse *field.Element) {
	var h, l, t field.Element
	l.Mul(inverse, before)
	h.Sub(&b.X, &a.X)
	inverse.Mul(inverse, &h)
	t.Sub(&b.Y, &a.Y)
	l.Mul(&l, &t)
	t.Square(&l)
	t.Sub(&t, &a.X)
	p.X.Sub(&t, &b.X)
	t.Sub(&b.X, &p.X)
	t.Mul(&t, &l)
	p.Y.Sub(&t, &b.Y)
}

// rescaleGeneric sets p = (a.X·c², a.Y·c³).
func rescaleGeneric(p, a *Affine, c *field.Element) {
	var t field.Element
	t.Square(c)
	p.X.Mul(&a.X, &t)
	t.Mul(c, &t)
	p.Y.Mul(&a.Y, &t)
}

// doubleAffine sets p = 2a (mdbl-2008-s-1 in the Explicit-Formulas Database):
//
//	U = 2Y₁, S = X₁·U², M = 3·X₁²,
//	X₃ = M² − 2S, Y₃ = M·(S − X₃) − U³·Y₁, ZZ₃ = U², ZZZ₃ = U³.
func doubleAffine(p *XYZZ, a *Affine) {
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
