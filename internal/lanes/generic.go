package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// This file holds the twins in Go of the routines in assembly. A twin computes one lane after the other with packages
// field, scalar and group. Its results are equal to the results of the assembly modulo p or n, but limbs may differ.
// The declaration of each routine in lanes_amd64.go has a comment with details.

// mulGeneric sets r = a·b.
func mulGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Mul(&x, &y)
		r.set(i, &x)
	}
}

// squareNGeneric sets r = a^(2ⁿ), for n > 0.
func squareNGeneric(r, a *Element, n int) {
	for i := range N {
		x := a.get(i)
		x.SquareN(&x, n)
		r.set(i, &x)
	}
}

// squarePairNGeneric sets r[i] = a[i]^(2ⁿ) for both elements.
func squarePairNGeneric(r, a *[2]Element, n int) {
	for i := range r {
		squareNGeneric(&r[i], &a[i], n)
	}
}

// squareTripleNGeneric sets r[i] = a[i]^(2ⁿ) for all three elements.
func squareTripleNGeneric(r, a *[3]Element, n int) {
	for i := range r {
		squareNGeneric(&r[i], &a[i], n)
	}
}

// addGeneric sets r = a + b.
func addGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Add(&x, &y)
		r.set(i, &x)
	}
}

// subGeneric sets r = a − b.
func subGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Sub(&x, &y)
		r.set(i, &x)
	}
}

// negateGeneric sets r = −a in the lanes of k, and r = a in the others.
func negateGeneric(r, a *Element, k uint8) {
	for i := range N {
		x := a.get(i)
		x.CondNegate(&x, mask(k, i))
		r.set(i, &x)
	}
}

// blendGeneric sets r = a in the lanes of k, and r = b in the others.
func blendGeneric(r, a, b *Element, k uint8) {
	for i := range N {
		x, y := a.get(i), b.get(i)
		x.Select(&x, &y, mask(k, i))
		r.set(i, &x)
	}
}

// normalizeGeneric sets r = a, reduced to 0 ≤ r < p, with all limbs below 2⁵².
func normalizeGeneric(r, a *Element) {
	for i := range N {
		x := a.get(i)
		r.set(i, &x)
	}
}

// unpackGeneric sets r to the eight integers below 2²⁵⁶ in w.
func unpackGeneric(r *Element, w *Words) {
	for i := range N {
		r.setLane(i, &[4]uint64{w[0][i], w[1][i], w[2][i], w[3][i]})
	}
}

// packGeneric sets w to the eight integers of a, reduced modulo p.
func packGeneric(w *Words, a *Element) {
	for i := range N {
		x := a.get(i)
		for k, word := range x.Normalize(&x).Limbs() {
			w[k][i] = word
		}
	}
}

// mulNGeneric sets r = a·b modulo n.
func mulNGeneric(r, a, b *Element) {
	for i := range N {
		x, y := a.getN(i), b.getN(i)
		x.Mul(&x, &y)
		r.setN(i, &x)
	}
}

// splitGeneric sets k to the halves of the eight scalars a, with k1 + k2·λ ≡ a modulo n.
func splitGeneric(k *halves, a *Element) {
	for i := range N {
		s := a.getN(i)
		k1, k2 := s.Split()
		k.set(i, k1, k2)
	}
}

// loadScalarsGeneric sets lane i of r to a[i], for one to eight scalars. Lanes without a scalar get a[0].
func loadScalarsGeneric(r *Element, a []laneScalar) {
	for i := range N {
		r.setN(i, &a[inLane(i, len(a))])
	}
}

// loadElementsGeneric sets lane i of r to a[i], for one to eight elements. Lanes without an element get a[0].
func loadElementsGeneric(r *Element, a []laneElement) {
	for i := range N {
		r.set(i, &a[inLane(i, len(a))])
	}
}

// loadPointsGeneric sets lane i of r to a[i], for one to eight points. Lanes without a point get a[0].
func loadPointsGeneric(r *Affine, a []lanePoint) {
	for i := range N {
		r.set(i, &a[inLane(i, len(a))])
	}
}

// storePointsGeneric sets a[i] to the point (x, y) of lane i, for up to eight points. x and y are normalized.
func storePointsGeneric(a []lanePoint, x, y *Element) {
	for i := range a {
		a[i].X, a[i].Y = x.get(i), y.get(i)
	}
}

// gatherVartimeGeneric sets x and y to the coordinates of the eight points that p points to.
func gatherVartimeGeneric(x, y *Element, p *pointers) {
	for i, a := range p {
		words := a.X.Limbs()
		x.setLane(i, &words)
		words = a.Y.Limbs()
		y.setLane(i, &words)
	}
}

// turnGeneric sets lane i of q to lane (i + n) mod 8 of p.
func turnGeneric(q, p *XYZZ, n int) {
	for _, e := range [][2]*Element{{&q.X, &p.X}, {&q.Y, &p.Y}, {&q.ZZ, &p.ZZ}, {&q.ZZZ, &p.ZZZ}} {
		for k := range e[0] {
			for i := range N {
				e[0][k][i] = e[1][k][(i+n)%N]
			}
		}
	}
}

// doubleNegateNGeneric sets p = (−2)ⁿ·p, for n > 0: each doubling returns the opposite of the double.
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

// doubleNegatePairNGeneric sets p[i] = (−2)ⁿ·p[i] for two blocks of points.
func doubleNegatePairNGeneric(p *[2]Jacobian2Y, n int) {
	for i := range p {
		doubleNegateNGeneric(&p[i], n)
	}
}

// addMixedGeneric adds the points (x, −ny/2) to p in the lanes of k. In lanes where the points are equal or opposite,
// or p is infinity, Z becomes 0. In these lanes it fails as the assembly does, so that tests can compare the two.
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

// addCoZGeneric sets p = u + q, for points u ≠ ±q with the same denominator. It brings u to the denominator of p, and
// sets ratio to the quotient of the new denominator and the old one.
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

// addAffinePairGeneric sets a = a + b in two blocks, for points a ≠ ±b. Given inverse = 1/(before·h) for h = b.X − a.X,
// it sets inverse = 1/before.
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

// addMixedXYZZGeneric adds points to p in the lanes of k: (x, −y) in the lanes that are also in minus, and (x, y) in
// the others. In lanes where the points are equal or opposite, or p is infinity, ZZ becomes 0.
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

// addXYZZGeneric sets p = p + q. In lanes where the points are equal or opposite, or one is infinity, ZZ becomes 0.
func addXYZZGeneric(p, q *XYZZ) {
	for i := range N {
		a, b := p.get(i), q.get(i)
		a.Add(&a, &b)
		p.set(i, &a)
	}
}
