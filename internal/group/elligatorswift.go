package group

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/params"
)

// This file implements the ElligatorSwift encoding of BIP-324: a point as two field elements u and t that look random.
// docs/ellswift.md derives the formulas, in statements E1 to E7.

// SetElligatorSwiftVartime sets p to the point that u and t encode: its x coordinate is XSwiftEC(u, t) of BIP-324, and
// its y coordinate is odd if and only if t is odd. All pairs encode a point.
func (p *Affine) SetElligatorSwiftVartime(u, t *field.Element) {
	var x ratio
	x.setSwiftVartime(u, t)
	x.lift(p)
	p.Y.CondNegate(&p.Y, p.Y.IsOdd()^t.IsOdd())
}

// SetElligatorSwiftIsomorphicVartime sets p to the image of Q or of −Q, where u and t encode the point Q, under the
// isomorphism to the curve y² = x³ + 7w³ that multiplies x by w. It also sets w. It needs no square root and no
// inversion (E7).
func (p *Affine) SetElligatorSwiftIsomorphicVartime(w, u, t *field.Element) {
	var x ratio
	x.setSwiftVartime(u, t)
	p.X.Mul(&x.n, &x.c)
	p.Y.Square(&x.c)
	w.Set(&x.w)
}

// u and t determine three candidates for the x coordinate of a point. These constants, the ways of encoding, say which
// of the three candidates is the x coordinate.
const (
	ElligatorSwiftFirst = iota
	ElligatorSwiftSecond
	ElligatorSwiftThird
)

// ElligatorSwiftVartime sets u and t to the encoding of p that r determines in the given way, and reports whether there
// is one. If r is uniformly random and the three ways are equally likely, the encodings that are found are equally
// likely too (E5). An attempt succeeds with probability 1/4 for the first way, 1/4 for the second and 1/2 for the
// third. All encodings can be found except encodings with u = 0, t = 0 or u³ + t² + 7 = 0. u, t and r must be different
// variables.
func (p *Affine) ElligatorSwiftVartime(u, t, r *field.Element, way int) bool {
	var g, root, v field.Element
	if way == ElligatorSwiftThird {
		// E4: x = u + w², for w = r.
		v.Square(r)
		u.Sub(&p.X, &v)
		g.Square(u)
		v.Mul(&v, &g)
		g.Mul(&g, u).Add(&g, &b)
		g.Add(&g, &g).Add(&g, &g)
		g.Add(&g, &v).Add(&g, &v).Add(&g, &v) // 4(u³ + 7) + 3u²w²
		isSquare := root.Sqrt(g.Negate(&g)) != 0
		if !isSquare || u.IsZeroVartime() || r.IsZeroVartime() || (root.IsZeroVartime() && r.IsOdd() != 0) {
			return false
		}
		t.Mul(u, r).Mul(t, &rootMinus3).Add(t, &root).Half(t)
	} else {
		// E3: of the first two candidates, one is x and the other is −u − x.
		var other, q field.Element
		other.Add(r, &p.X).Negate(&other)
		v.Square(&other)
		q.Mul(r, &p.X)
		q.Sub(&v, &q) // u² + ux + x²
		v.Mul(&v, &other).Add(&v, &b)
		if v.IsSquareVartime() || r.IsZeroVartime() {
			return false
		}
		u.Set(r)
		g.Square(u).Mul(&g, u).Add(&g, &b).Negate(&g)
		if root.InvertSqrt(v.Mul(&g, &q)) == 0 {
			return false
		}
		root.Mul(&root, &g) // root is now w, because w² = −(u³ + 7)/q
		t.Mul(u, &Beta)
		if way == ElligatorSwiftFirst {
			t.Add(t, u).Add(t, &p.X)
		} else {
			t.Sub(&p.X, t)
		}
		t.Mul(t, &root)
	}
	t.CondNegate(t, t.IsOdd()^p.Y.IsOdd())
	return true
}

// rootMinus3 is 1 + 2β, a root of −3.
var rootMinus3 = field.FromLimbs(root3&params.Limb, root3>>64&params.Limb, root3>>128&params.Limb, root3>>192)

const root3 = 1 + 2*params.Beta

// ratio is the x coordinate n/d, with c = n³ + 7d³ and w = c·d. Because x³ + 7 = c/d³ = w/d⁴, there is a point with
// this x coordinate if and only if w is a square (E6).
type ratio struct{ n, d, c, w field.Element }

// complete computes c and w.
func (x *ratio) complete() {
	x.c.Square(&x.d).Mul(&x.c, &x.d).Mul(&x.c, &b)
	x.w.Square(&x.n).Mul(&x.w, &x.n)
	x.c.Add(&x.c, &x.w)
	x.w.Mul(&x.c, &x.d)
}

// setSwiftVartime sets x to the first of the candidates of E2 that is the x coordinate of a point. It tries the third
// candidate first, then the second, then the first.
func (x *ratio) setSwiftVartime(u, t *field.Element) {
	var v, s, g, sum, m field.Element
	v.Set(u)
	if v.IsZeroVartime() {
		v.SetUint64(1)
	}
	s.Square(t)
	if s.IsZeroVartime() {
		s.SetUint64(1)
	}
	m.Square(&v)
	g.Mul(&m, &v).Add(&g, &b)
	sum.Add(&g, &s)
	if sum.IsZeroVartime() {
		s.Add(&s, &s).Add(&s, &s)
		sum.Add(&g, &s)
	}

	m.Mul(&m, &s)
	x.d.Add(&m, &m).Add(&x.d, &m) // 3su²
	x.n.Mul(&x.d, &v).Sub(&x.n, m.Square(&sum))
	x.complete()
	if x.w.IsSquareVartime() {
		return
	}
	x.d.Set(&sum)
	g.Sub(&g, &s)
	x.n.Mul(&g, &Beta).Sub(&x.n, &s).Mul(&x.n, &v) // u·(βg + β²s)
	x.complete()
	if x.w.IsSquareVartime() {
		return
	}
	m.Mul(&v, &sum)
	x.n.Add(&x.n, &m).Negate(&x.n)
	x.complete()
}

// lift sets p to a point with the x coordinate x, if there is one, with one exponentiation (E6). It does not choose the
// sign of y.
func (x *ratio) lift(p *Affine) {
	var root, inverse field.Element
	root.InvertSqrt(&x.w)
	inverse.Square(&root).Mul(&inverse, &x.c)
	p.X.Mul(&x.n, &inverse)
	p.Y.Square(&inverse).Mul(&p.Y, &x.w).Mul(&p.Y, &root)
}
