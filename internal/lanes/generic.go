package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// This file holds the twins of the routines in assembly. A twin takes the lanes in turn
// and computes with packages field and group. The results are the same modulo p.

// get returns lane i of e.
func (e *Element) get(i int) field.Element {
	w, above := e.lane(i)
	v, t := field.FromLimbs(w[0], w[1], w[2], w[3]), field.FromLimbs(above*(1<<32+977), 0, 0, 0) // 2²⁵⁶ ≡ 2³² + 977
	v.Add(&v, &t)
	return v
}

// set sets lane i of e to the least residue of v.
func (e *Element) set(i int, v *field.Element) {
	var least field.Element
	w := least.Normalize(v).Limbs()
	e.setLane(i, &w)
}

// has reports whether lane i is one of k, which is public.
func has(k uint8, i int) bool { return k>>i&1 != 0 }

// mask is all ones if lane i is one of k, else zero.
func mask(k uint8, i int) uint64 { return -uint64(k >> i & 1) }

func mulGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Mul(&x, &y)
		r.set(i, &x)
	}
}

func squareNGeneric(r, a *Element, n int) {
	for i := range N {
		x := a.get(i)
		x.SquareN(&x, n)
		r.set(i, &x)
	}
}

func addGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Add(&x, &y)
		r.set(i, &x)
	}
}

func subGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Sub(&x, &y)
		r.set(i, &x)
	}
}

func negateGeneric(r, a *Element, k uint8) {
	for i := range N {
		x := a.get(i)
		x.CondNegate(&x, mask(k, i))
		r.set(i, &x)
	}
}

func blendGeneric(r, a, b *Element, k uint8) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Select(&x, &y, mask(k, i))
		r.set(i, &x)
	}
}

func normalizeGeneric(r, a *Element) {
	for i := range N {
		x := a.get(i)
		r.set(i, &x)
	}
}

func unpackGeneric(r *Element, w *Words) {
	for i := range N {
		r.setLane(i, &[4]uint64{w[0][i], w[1][i], w[2][i], w[3][i]})
	}
}

func packGeneric(w *Words, a *Element) {
	for i := range N {
		x := a.get(i)
		for k, word := range x.Normalize(&x).Limbs() {
			w[k][i] = word
		}
	}
}

// get returns lane i of p, whose Y is twice as large.
func (p *Jacobian2Y) get(i int) group.Jacobian {
	q := group.Jacobian{X: p.X.get(i), Y: p.Y.get(i), Z: p.Z.get(i)}
	q.Y.Half(&q.Y)
	return q
}

// set sets lane i of p to q, with twice the denominator.
func (p *Jacobian2Y) set(i int, q *group.Jacobian) {
	two := field.FromLimbs(2, 0, 0, 0)
	q.Rescale(q, &two)
	q.Y.Add(&q.Y, &q.Y)
	p.X.set(i, &q.X)
	p.Y.set(i, &q.Y)
	p.Z.set(i, &q.Z)
}

func (p *Affine) get(i int) group.Affine { return group.Affine{X: p.X.get(i), Y: p.Y.get(i)} }

func (p *Affine) set(i int, q *group.Affine) {
	p.X.set(i, &q.X)
	p.Y.set(i, &q.Y)
}

func (p *XYZZ) get(i int) group.XYZZ {
	return group.XYZZ{X: p.X.get(i), Y: p.Y.get(i), ZZ: p.ZZ.get(i), ZZZ: p.ZZZ.get(i)}
}

func (p *XYZZ) set(i int, q *group.XYZZ) {
	p.X.set(i, &q.X)
	p.Y.set(i, &q.Y)
	p.ZZ.set(i, &q.ZZ)
	p.ZZZ.set(i, &q.ZZZ)
}

func doubleNegateNGeneric(p *Jacobian2Y, n int) {
	for range n {
		for i := range N {
			q := p.get(i)
			q.Double(&q)
			q.Negate(&q)
			p.set(i, &q)
		}
	}
}

func addMixedGeneric(p *Jacobian2Y, x, ny *Element, k uint8) {
	for i := range N {
		if has(k, i) {
			q, b := p.get(i), group.Affine{X: x.get(i), Y: ny.get(i)}
			b.Y.Half(b.Y.Negate(&b.Y))
			q.AddMixed(&q, &b)
			p.set(i, &q)
		}
	}
}

func addCoZGeneric(p, u, q *Affine, ratio *Element) {
	for i := range N {
		a, b := u.get(i), q.get(i)
		var sum group.Affine
		var h field.Element
		sum.AddCoZ(&a, &b, &h)
		u.set(i, &a)
		p.set(i, &sum)
		ratio.set(i, &h)
	}
}

func addAffinePairGeneric(a, b *[2]Affine, before, inverse *[2]Element) {
	for j := range a {
		for i := range N {
			p, q, product, inv := a[j].get(i), b[j].get(i), before[j].get(i), inverse[j].get(i)
			p.AddAffine(&p, &q, &product, &inv)
			a[j].set(i, &p)
			inverse[j].set(i, &inv)
		}
	}
}

func addMixedXYZZGeneric(p *XYZZ, x, y *Element, minus, k uint8) {
	for i := range N {
		if has(k, i) {
			q, b := p.get(i), group.Affine{X: x.get(i), Y: y.get(i)}
			b.Y.CondNegate(&b.Y, mask(minus, i))
			q.AddMixed(&q, &b)
			p.set(i, &q)
		}
	}
}

func addXYZZGeneric(p, q *XYZZ) {
	for i := range N {
		a, b := p.get(i), q.get(i)
		a.Add(&a, &b)
		p.set(i, &a)
	}
}

func squarePairNGeneric(r, a *[2]Element, n int) {
	for i := range r {
		squareNGeneric(&r[i], &a[i], n)
	}
}

func squareTripleNGeneric(r, a *[3]Element, n int) {
	for i := range r {
		squareNGeneric(&r[i], &a[i], n)
	}
}

func doubleNegatePairNGeneric(p *[2]Jacobian2Y, n int) {
	for i := range p {
		doubleNegateNGeneric(&p[i], n)
	}
}
