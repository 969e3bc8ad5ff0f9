package group

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/params"
)

// ElligatorSwift encodes a point as field elements u and t that look random, as BIP-324
// does. docs/ellswift.md derives the formulas; comments name its statements, E1 to E7.

// SetElligatorSwiftVartime sets p to the point that u and t encode: x is that of BIP-324's
// XSwiftEC, and y is odd exactly if t is. All pairs encode a point.
func (p *Affine) SetElligatorSwiftVartime(u, t *field.Element) {
	var x ratio
	x.setSwiftVartime(u, t)
	x.lift(p)
	p.Y.CondNegate(&p.Y, p.Y.IsOdd()^t.IsOdd())
}

// SetElligatorSwiftIsomorphicVartime sets p to the point that u and t encode, or to its
// negative, as the isomorphism to the curve y² = x³ + 7w³ has it, which multiplies x by w. It
// takes no root and no inversion (E7).
func (p *Affine) SetElligatorSwiftIsomorphicVartime(w, u, t *field.Element) {
	var x ratio
	x.setSwiftVartime(u, t)
	p.X.Mul(&x.n, &x.c)
	p.Y.Square(&x.c)
	w.Set(&x.w)
}

// Ways to encode a point: it is either of the first two of the three candidates for x that
// u and t stand for, or the third.
const (
	ElligatorSwiftFirst = iota
	ElligatorSwiftSecond
	ElligatorSwiftThird
)

// ElligatorSwiftVartime sets u and t to an encoding of p in the given way that r determines,
// and reports whether there is one. With r uniformly random and a way that is each of the
// three with the same probability, all encodings that it finds are equally likely (E5); a
// quarter, a quarter and half of the attempts find one. It finds all but those with u = 0,
// t = 0 or u³ + t² + 7 = 0. u, t and r must not be the same.
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
		if !isSquare || u.IsZeroVartime() || r.IsZeroVartime() || root.IsZeroVartime() && r.IsOdd() != 0 {
			return false
		}
		t.Mul(u, r).Mul(t, &rootMinus3).Add(t, &root).Half(t)
	} else {
		// E3: the other of the two is −u − x.
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
		root.Mul(&root, &g) // w, as w² = −(u³ + 7)/q
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

// ratio is the x coordinate n/d, with c = n³ + 7d³ and w = c·d, which is a square exactly if
// a point has this x (E6).
type ratio struct{ n, d, c, w field.Element }

// complete computes c and w.
func (x *ratio) complete() {
	x.c.Square(&x.d).Mul(&x.c, &x.d).Mul(&x.c, &b)
	x.w.Square(&x.n).Mul(&x.w, &x.n)
	x.c.Add(&x.c, &x.w)
	x.w.Mul(&x.c, &x.d)
}

// setSwiftVartime sets x to the first of the candidates of E2 that a point has: the third one,
// the second or the first.
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

// lift sets p to a point with this x coordinate, of which there must be one, by one
// exponentiation (E6).
func (x *ratio) lift(p *Affine) {
	var root, inverse field.Element
	root.InvertSqrt(&x.w)
	inverse.Square(&root).Mul(&inverse, &x.c)
	p.X.Mul(&x.n, &inverse)
	p.Y.Square(&inverse).Mul(&p.Y, &x.w).Mul(&p.Y, &root)
}
