package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Verdict is the answer of SumHasXVartime.
type Verdict int

const (
	Unknown Verdict = iota // ask DoubleScalarVartime
	No
	Yes
)

// SumHasXVartime says whether R = k·P + g·G is finite and has the x coordinate r, for
// the point P with the given x and, by the mask, odd or even y; and if even is set,
// whether R has an even y too. If there is no such P the answer is no, or unknown.
//
// P is not lifted: no square root is computed (docs/rootless.md). Unknown are sums of
// which a part is infinity, or both parts have one x (R6).
func SumHasXVartime(k *scalar.Scalar, x *field.Element, odd uint64, g *scalar.Scalar, r *field.Element, even bool) Verdict {
	var u unlifted
	if v := u.setVartime(k, x, g, r); v != Yes {
		return v
	}
	if even {
		return u.isEvenVartime(odd, r)
	}
	var y field.Element
	y.InvertVartime(&u.d)
	return verdict(y.Mul(&y, &u.n).IsOdd() == odd)
}

// XQuestion is one that SumHasXVartime answers, but for even.
type XQuestion struct {
	K, G scalar.Scalar
	X, R field.Element
	Odd  uint64

	Verdict Verdict // the answer

	n, d, before field.Element // y = n/d, and the product of the d before
}

// SumsHaveXVartime answers all questions as SumHasXVartime does, with one inversion.
func SumsHaveXVartime(all []XQuestion) {
	// Montgomery's trick (docs/inversion.md, I12).
	var product field.Element
	product.SetUint64(1)
	for i := range all {
		var u unlifted
		q := &all[i]
		if q.Verdict = u.setVartime(&q.K, &q.X, &q.G, &q.R); q.Verdict == Yes {
			q.n, q.d, q.before = u.n, u.d, product
			product.Mul(&product, &u.d)
		}
	}
	product.InvertVartime(&product)
	for i := len(all) - 1; i >= 0; i-- {
		q := &all[i]
		if q.Verdict == Yes {
			var y field.Element
			y.Mul(&product, &q.before).Mul(&y, &q.n)
			product.Mul(&product, &q.d)
			q.Verdict = verdict(y.IsOdd() == q.Odd)
		}
	}
}

// unlifted is a sum with a point whose y is n/d.
type unlifted struct {
	a          group.XYZZ     // g·G
	b          group.Jacobian // k·P, on the curve isomorphic by the root of c (R1)
	c, e, f, h field.Element
	n, d       field.Element
}

// partsVartime sets u.a, u.b and u.c for k·P + g·G, where x of P is given.
func (u *unlifted) partsVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar) {
	var ofG [1]precomputedTerm
	ofG[0].setGeneratorVartime(g)

	var terms [1]Term
	var p group.Affine
	u.c = p.SetUnlifted(x)
	terms[0].Scalar = *k
	terms[0].Point.SetAffine(&p)
	SumVartime(&u.b, nil, terms[:])
	sumPrecomputedVartime(&u.a, ofG[:])
}

// setVartime sets u to k·P + g·G, where x of P is given, and says whether it has the x coordinate
// r: Yes if it has for one of the two y that P may have.
func (u *unlifted) setVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar, r *field.Element) Verdict {
	u.partsVartime(k, x, g)

	// R2 times w³·ZZ³, with w = c·Z².
	a, b := &u.a, &u.b
	var w, s, t, v field.Element
	w.Square(&b.Z).Mul(&w, &u.c)
	u.h.Mul(&b.X, &a.ZZ)
	t.Mul(&a.X, &w)
	s.Mul(&w, &a.ZZ).Mul(&s, r)
	s.Add(&s, &u.h).Add(&s, &t)
	u.h.Sub(&u.h, &t)
	u.e.Mul(&b.Y, &a.ZZZ)
	u.f.Mul(&a.Y, &w)
	v.Square(&u.h)
	s.Mul(&s, &v)
	u.n.Square(&u.f).Mul(&u.n, &w)
	t.Square(&u.e)
	u.n.Add(&u.n, &t).Sub(&u.n, &s)
	u.d.Mul(&u.e, &u.f).Mul(&u.d, &b.Z)
	u.d.Add(&u.d, &u.d)
	if u.h.IsZeroVartime() || u.d.IsZeroVartime() {
		return Unknown
	}
	// R3.
	t.Square(&u.d).Mul(&t, &u.c)
	return verdict(v.Square(&u.n).Equal(&t) != 0)
}

// isEvenVartime says whether y of the point is odd or even, by the mask, and y of the sum even, of
// which x is r (R5).
func (u *unlifted) isEvenVartime(odd uint64, r *field.Element) Verdict {
	var inverse, y, s, t, v field.Element
	t.Mul(&u.c, &u.h)
	inverse.InvertVartime(v.Mul(&u.d, &t))
	y.Mul(&inverse, &t).Mul(&y, &u.n)
	if y.IsOdd() != odd {
		return No
	}
	v.Mul(&u.c, &u.b.Z)
	t.Mul(&u.a.ZZ, r)
	t.Sub(&u.a.X, &t)
	y.Mul(&u.e, &y)
	s.Mul(&u.f, &v)
	y.Sub(&y, &s)
	y.Mul(&y, &t)
	v.Mul(&v, &u.h).Mul(&v, &u.a.Y)
	y.Sub(&y, &v)
	s.Mul(&u.f, &u.b.Y).Add(&s, &s)
	y.Mul(&y, s.Mul(&s, &inverse))
	return verdict(y.IsOdd() == 0)
}

// SumOfXVartime sets p = k·P + g·G for the point P with the given x and, by the mask, odd or
// even y. One exponentiation is both its square root and the inverse that p takes (R8). It
// reports false and leaves p undefined if there is no P, if a part of the sum is infinity, or
// if both have one x.
func SumOfXVartime(p *group.Affine, k *scalar.Scalar, x *field.Element, odd uint64, g *scalar.Scalar) bool {
	var u unlifted
	u.partsVartime(k, x, g)

	// D is c·Z·ZZZ·h, and root 1/(y·D).
	a, b := &u.a, &u.b
	var w, cZ, rest, d, cD, root, y field.Element
	cZ.Mul(&u.c, &b.Z)
	w.Mul(&cZ, &b.Z)
	u.h.Mul(&b.X, &a.ZZ)
	u.h.Sub(&u.h, rest.Mul(&a.X, &w))
	rest.Mul(&cZ, &u.h)
	d.Mul(&rest, &a.ZZZ)
	cD.Mul(&u.c, &d)
	if root.InvertSqrt(y.Mul(&cD, &d)) == 0 { // D is 0 or c no square
		return false
	}
	y.Mul(&cD, &root)
	d.Mul(&root, &y) // 1/D, whichever of the roots y is
	y.CondNegate(&y, y.IsOdd()^odd)

	// With x₁ = X/ZZ, y₁ = Y/ZZZ for g·G and x₂ for k·P.
	var x1, y1, x2, m, t field.Element
	y1.Mul(&d, &rest) // 1/ZZZ
	x1.Mul(&y1, &a.ZZ)
	x1.Square(&x1).Mul(&x1, &a.X)
	y1.Mul(&y1, &a.Y)
	x2.Mul(&d, &a.ZZZ).Mul(&x2, &u.h) // 1/(c·Z)
	x2.Square(&x2).Mul(&x2, &u.c).Mul(&x2, &b.X)
	m.Mul(&b.Y, &a.ZZZ).Mul(&m, &y)
	t.Mul(&a.Y, &w).Mul(&t, &cZ)
	m.Sub(&m, &t).Mul(&m, &a.ZZ).Mul(&m, &d)
	p.X.Square(&m)
	p.X.Sub(&p.X, &x1).Sub(&p.X, &x2)
	t.Sub(&x1, &p.X)
	p.Y.Mul(&m, &t)
	p.Y.Sub(&p.Y, &y1)
	return true
}

func verdict(yes bool) Verdict {
	if yes {
		return Yes
	}
	return No
}
