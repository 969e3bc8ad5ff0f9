package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// This file holds the twins of the routines in assembly. A twin takes the lanes in turn
// and computes with packages field and group. The results are the same modulo p.

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

func mulNGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.getN(i), b.getN(i)
		x.Mul(&x, &y)
		r.setN(i, &x)
	}
}

func splitGeneric(k *halves, a *Element) {
	for i := range N {
		s := a.getN(i)
		k1, k2 := s.Split()
		k.k1[0][i], k.k1[1][i], k.k1[2][i] = k1.Limbs()
		k.k2[0][i], k.k2[1][i], k.k2[2][i] = k2.Limbs()
	}
}

func loadScalarsGeneric(r *Element, a []laneScalar) {
	for i := range N {
		r.setN(i, &a[inLane(i, len(a))])
	}
}

func loadElementsGeneric(r *Element, a []laneElement) {
	for i := range N {
		r.set(i, &a[inLane(i, len(a))])
	}
}

func loadPointsGeneric(r *Affine, a []lanePoint) {
	for i := range N {
		r.set(i, &a[inLane(i, len(a))])
	}
}

func storePointsGeneric(a []lanePoint, x, y *Element) {
	for i := range a {
		a[i].X, a[i].Y = x.get(i), y.get(i)
	}
}

func gatherVartimeGeneric(x, y *Element, p *pointers) {
	for i, a := range p {
		words := a.X.Limbs()
		x.setLane(i, &words)
		words = a.Y.Limbs()
		y.setLane(i, &words)
	}
}

func turnGeneric(q, p *XYZZ, n int) {
	for _, e := range [][2]*Element{{&q.X, &p.X}, {&q.Y, &p.Y}, {&q.ZZ, &p.ZZ}, {&q.ZZZ, &p.ZZZ}} {
		for k := range e[0] {
			for i := range N {
				e[0][k][i] = e[1][k][(i+n)%N]
			}
		}
	}
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

func doubleNegatePairNGeneric(p *[2]Jacobian2Y, n int) {
	for i := range p {
		doubleNegateNGeneric(&p[i], n)
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
