package lanes

import (
	"math"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/tables"
)

// This file holds the twins in Go of the routines that compute in double precision: xDoubles is the twin of xVartime,
// whose declaration says what it does. A twin takes the same steps as the assembly, and a step is a method of Element
// that has the name of the assembly's subroutine. The limbs of the results are equal, bit by bit: each high part of a
// product is rounded in the same chain, after the same products, and each carry is rounded from the same sum. All other
// operations are exact, so their order does not matter, except for the sign of 0, and a carry turns −0 into 0.
//
// The time of an instruction on doubles may depend on its operands, so all of this is for public data, and only
// routines with Vartime in their names call the twins.
//
// The compiler may fuse a product with a sum. So this file writes products only as operands of math.FMA.

// doubles is the integer x0 + x1·2⁵² + x2·2¹⁰³ + x3·2¹⁵⁴ + x4·2²⁰⁵ modulo p. Its limbs are integers. It is reduced if
// |x0| ≤ 2⁵¹ + 2³⁶ and the other limbs are at most 2⁵⁰ + 16 in absolute value. All routines take and return reduced
// elements. Limb k of lane i of an Element is math.Float64bits of xk.
type doubles [5]float64

const (
	size52, size51 = 0x1p52, 0x1p51 // the sizes of limb 0 and of the other limbs

	// A chain that begins with start52 or start51 stays above 2¹⁰⁴ or 2¹⁰³, so it is always a multiple of 2⁵² or 2⁵¹.
	start52, start51 = 0x1.8p104, 0x1.8p103 + 0x1p90

	magic  = 0x1.8p52    // adding and subtracting it rounds to an integer
	excess = 1<<32 + 977 // ≡ 2²⁵⁶ modulo p
)

var limbSizes = [5]float64{size52, size51, size51, size51, size51}

// doubles returns lane i of e.
func (e *Element) doubles(i int) (x doubles) {
	for k := range x {
		x[k] = math.Float64frombits(e[k][i])
	}
	return x
}

// setDoubles sets lane i of e to x.
func (e *Element) setDoubles(i int, x doubles) {
	for k := range x {
		e[k][i] = math.Float64bits(x[k])
	}
}

// doublesOf returns an integer below 2²⁵⁶, reduced.
func doublesOf(w [4]uint64) (x doubles) {
	const mask51 = 1<<51 - 1
	x[0] = float64(w[0] & limbMask)
	x[1] = float64((w[0]>>52 | w[1]<<12) & mask51)
	x[2] = float64((w[1]>>39 | w[2]<<25) & mask51)
	x[3] = float64((w[2]>>26 | w[3]<<38) & mask51)
	x[4] = float64(w[3] >> 13)
	return x.carryPlus(doubles{})
}

// words returns x modulo p, in [0, p).
func (x doubles) words() [4]uint64 {
	var l [5]uint64
	above := int64(0)
	for k := range x {
		bits := 52 - min(k, 1)
		limb := int64(x[k]) + above
		above = limb >> bits
		l[k] = uint64(limb) & (1<<bits - 1)
	}
	// The integer is l + above·2²⁵⁶, and above is 0 or −1.
	v := field.FromLimbs(l[0]|l[1]<<52, l[1]>>12|l[2]<<39, l[2]>>25|l[3]<<26, l[3]>>38|l[4]<<13)
	t := field.FromLimbs(uint64(-above)*excess, 0, 0, 0)
	v.Sub(&v, &t)
	return v.Normalize(&v).Limbs()
}

func (x doubles) plus(y doubles) doubles {
	for k := range x {
		x[k] += y[k]
	}
	return x
}

func (x doubles) opposite() doubles {
	for k := range x {
		x[k] = -x[k]
	}
	return x
}

// carryPlus returns x + y, reduced. Their sum may need 54 bits, but only the carry depends on the rounded sum.
func (x doubles) carryPlus(y doubles) (r doubles) {
	var carries [5]float64
	for k, size := range limbSizes {
		carries[k] = math.FMA(x[k]+y[k], 1/size, magic) - magic
		r[k] = float64(int64(x[k]) + int64(y[k]) - int64(carries[k])*int64(size))
	}
	r[0] = math.FMA(carries[4], excess, r[0])
	for k := 1; k < 5; k++ {
		r[k] += carries[k-1]
	}
	return r
}

// column is a sum of products in parts: the sum of the low parts, and three chains of high parts. The chains begin with
// start, −start and start.
type column struct {
	start, low float64
	chains     [3]float64
}

// addProducts adds products of two factors each. The names of the chains of their high parts are f, g and h.
func (c *column) addProducts(names string, factors ...float64) {
	for i := range names {
		x, y, chain := factors[2*i], factors[2*i+1], &c.chains['h'-names[i]]
		before := *chain
		*chain = math.FMA(x, y, before)
		c.low += math.FMA(x, y, before-*chain)
	}
}

// high returns the sum of the high parts.
func (c *column) high() float64 { return c.chains[0] + c.chains[1] + (c.chains[2] - c.start) }

// columns is a product in nine columns.
type columns [9]column

func newColumns() (c columns) {
	for i := range c {
		start := float64(start51)
		if i == 0 || i == 5 {
			start = start52
		}
		c[i] = column{start: start, chains: [3]float64{start, -start, start}}
	}
	return c
}

// reduce returns the integer in the columns plus y, reduced. It folds columns 5 to 8. The high part of the fold of
// column 6 goes to the given chain.
func (c *columns) reduce(chain string, y doubles) doubles {
	v6 := math.FMA(c[5].high(), 1.0/size52, c[6].low)
	v7 := math.FMA(c[6].high(), 1.0/size51, c[7].low)
	v8 := math.FMA(c[7].high(), 1.0/size51, c[8].low)
	c[4].addProducts("f", c[8].high(), excess/size51)
	c[0].addProducts("hh", c[5].low, excess, c[4].high(), excess/size51)
	c[1].addProducts(chain, v6, excess)
	c[2].addProducts("g", v7, excess)
	c[3].addProducts("g", v8, excess)
	y[3] = math.FMA(c[2].high(), 1.0/size51, y[3])
	y[4] = math.FMA(c[3].high(), 1.0/size51, y[4])
	return doubles{
		c[0].low, math.FMA(c[0].high(), 1.0/size52, c[1].low), math.FMA(c[1].high(), 1.0/size51, c[2].low),
		c[3].low, c[4].low,
	}.carryPlus(y)
}

// timesPlus returns a·b + y. The order of the factors matters, because a product halfway between two multiples of 2⁵¹
// is rounded so that the chain becomes an even multiple.
func (a doubles) timesPlus(b, y doubles) doubles {
	a1, a2, b1, b2 := a[1]+a[1], a[2]+a[2], b[1]+b[1], b[2]+b[2]
	c := newColumns()
	c[0].addProducts("h", a[0], b[0])
	c[1].addProducts("hg", a[0], b[1], a[1], b[0])
	c[2].addProducts("hgh", a[0], b[2], a1, b[1], a[2], b[0])
	c[3].addProducts("hghg", a[0], b[3], a1, b[2], a[3], b[0], a[2], b1)
	c[4].addProducts("hgfhg", a[0], b[4], a1, b[3], a2, b[2], a[4], b[0], a[3], b1)
	c[5].addProducts("hghg", a1, b[4], a2, b[3], a[4], b1, a[3], b2)
	c[6].addProducts("hhh", a[2], b[4], a[4], b[2], a[3], b[3])
	c[7].addProducts("hh", a[3], b[4], a[4], b[3])
	c[8].addProducts("h", a[4], b[4])
	return c.reduce("h", y)
}

// squareMinus returns a² − y.
func (a doubles) squareMinus(y doubles) doubles {
	a0, a1, a2, a3 := a[0]+a[0], a[1]+a[1], a[2]+a[2], a[3]+a[3]
	q1, q2 := a1+a1, a2+a2
	c := newColumns()
	c[0].addProducts("h", a[0], a[0])
	c[1].addProducts("h", a0, a[1])
	c[2].addProducts("hg", a0, a[2], a1, a[1])
	c[3].addProducts("hg", a0, a[3], q1, a[2])
	c[4].addProducts("hgf", a0, a[4], q1, a[3], a2, a[2])
	c[5].addProducts("hg", q1, a[4], q2, a[3])
	c[6].addProducts("hh", a2, a[4], a[3], a[3])
	c[7].addProducts("h", a3, a[4])
	c[8].addProducts("h", a[4], a[4])
	return c.reduce("g", y.opposite())
}

// Steps set all lanes of r, which may be an operand, and return r.

// lanewise sets r to the results of f.
func (r *Element) lanewise(f func(a, b doubles) doubles, a, b *Element) *Element {
	for i := range N {
		r.setDoubles(i, f(a.doubles(i), b.doubles(i)))
	}
	return r
}

// productPlus sets r = a·b + y.
func (r *Element) productPlus(a, b, y *Element) *Element {
	for i := range N {
		r.setDoubles(i, a.doubles(i).timesPlus(b.doubles(i), y.doubles(i)))
	}
	return r
}

// These steps set r to a·b − y, a·b, a² − y and a².
func (r *Element) productMinus(a, b, y *Element) *Element { return r.productPlus(a, b, opposite(y)) }
func (r *Element) product(a, b *Element) *Element         { return r.productPlus(a, b, new(Element)) }
func (r *Element) squareMinus(a, y *Element) *Element     { return r.lanewise(doubles.squareMinus, a, y) }
func (r *Element) square(a *Element) *Element             { return r.squareMinus(a, new(Element)) }

// These steps set r to a + b, 2·a, 3·a, a − b and 2·(a − b).
func (r *Element) sum(a, b *Element) *Element         { return r.lanewise(doubles.carryPlus, a, b) }
func (r *Element) carry2(a *Element) *Element         { return r.sum(a, a) }
func (r *Element) carry3(a *Element) *Element         { return r.sum(a, new(Element).twice(a)) }
func (r *Element) difference1(a, b *Element) *Element { return r.sum(a, opposite(b)) }
func (r *Element) difference2(a, b *Element) *Element { return r.carry2(r.plus(a, opposite(b))) }

// These steps set r to a + b and 2·a, not reduced.
func (r *Element) plus(a, b *Element) *Element { return r.lanewise(doubles.plus, a, b) }
func (r *Element) twice(a *Element) *Element   { return r.plus(a, a) }

// twicePlus sets r = 2·a + b, not reduced, with a carry from limb 0, which would be too large for squareMinus.
func (r *Element) twicePlus(a, b *Element) *Element {
	r.plus(new(Element).twice(a), b)
	for i := range N {
		x := r.doubles(i)
		carry := math.FMA(x[0], 1.0/size52, magic) - magic
		x[0] = math.FMA(carry, -size52, x[0])
		x[1] += carry
		r.setDoubles(i, x)
	}
	return r
}

// merge sets r = a in the lanes of k, and r = b in the other lanes.
func (r *Element) merge(a, b *Element, k uint8) *Element {
	for i := range N {
		x := b.doubles(i)
		if has(k, i) {
			x = a.doubles(i)
		}
		r.setDoubles(i, x)
	}
	return r
}

// opposite returns −a.
func opposite(a *Element) *Element {
	return new(Element).lanewise(func(a, _ doubles) doubles { return a.opposite() }, a, a)
}

// flip sets r = −a in the lanes of k, and r = a in the other lanes.
func (r *Element) flip(a *Element, k uint8) *Element { return r.merge(opposite(a), a, k) }

func mulDoubles(r, a, b *Element) { r.product(a, b) }

func squareNDoubles(r, a *Element, n int) {
	*r = *a
	for range n {
		r.square(r)
	}
}

func squarePairNDoubles(r, a *[2]Element, n int) {
	for i := range r {
		squareNDoubles(&r[i], &a[i], n)
	}
}

func squareTripleNDoubles(r, a *[3]Element, n int) {
	for i := range r {
		squareNDoubles(&r[i], &a[i], n)
	}
}

func addDoubles(r, a, b *Element) { r.sum(a, b) }

func subDoubles(r, a, b *Element) { r.difference1(a, b) }

func negateDoubles(r, a *Element, k uint8) { r.flip(a, k) }

func blendDoubles(r, a, b *Element, k uint8) { r.merge(a, b, k) }

func packDoubles(w *Words, a *Element) {
	for i := range N {
		for k, word := range a.doubles(i).words() {
			w[k][i] = word
		}
	}
}

func loadElementsDoubles(r *Element, a []laneElement) {
	for i := range N {
		r.setDoubles(i, doublesOf(a[inLane(i, len(a))].Limbs()))
	}
}

func loadPointsDoubles(r *Affine, a []lanePoint) {
	var p pointers
	for i := range p {
		p[i] = &a[inLane(i, len(a))]
	}
	gatherDoubles(&r.X, &r.Y, &p)
}

func gatherDoubles(x, y *Element, p *pointers) {
	for i, a := range p {
		x.setDoubles(i, doublesOf(a.X.Limbs()))
		y.setDoubles(i, doublesOf(a.Y.Limbs()))
	}
}

func gatherGeneratorDoubles(x, ny *Element, table *tables.Generator, d *generatorDigits, i int, f *isomorphism) {
	var p pointers
	for lane := range p {
		p[lane] = &table[d.offset[i][lane]/64]
	}
	var factor Element
	gatherDoubles(x, ny, &p)
	factor.merge(&f.x[1], &f.x[0], d.power[0][i])
	x.product(x, factor.merge(&f.x[2], &factor, d.power[1][i]))
	ny.product(ny, factor.merge(&f.y[1], &f.y[0], d.minus[i]))
}

// completeDoubles computes β²·x as −x − β·x, because 1 + β + β² = 0.
func completeDoubles(m *multiple) {
	var beta Element
	loadElementsDoubles(&beta, []laneElement{group.Beta})
	x, y, bx, bbx := &m.X, &m.Y, &m.turned[0], &m.turned[1]
	bx.product(x, &beta)
	bbx.sum(x, bx)
	bbx.flip(bbx, 0xFF)
	y.carry2(y)
	m.minus.flip(y, 0xFF)
}

func completeRescaledDoubles(m *multiple, z, ratio *Element) {
	var t Element
	z.product(z, ratio)
	t.square(z)
	m.X.product(&m.X, &t)
	t.product(&t, z)
	m.Y.product(&m.Y, &t)
	completeDoubles(m)
}

func doubleNegateNDoubles(p *Jacobian2Y, n int) {
	var l, s, t, y Element
	for range n {
		l.square(&p.X)
		s.square(&p.Y)
		p.Z.product(&p.Z, &p.Y)
		t.product(&s, &p.X)
		l.carry3(&l)
		p.X.squareMinus(&l, y.twice(&t))
		s.square(&s)
		t.difference2(&p.X, &t)
		p.Y.productPlus(&t, &l, &s)
	}
}

func doubleNegatePairNDoubles(p *[2]Jacobian2Y, n int) {
	for i := range p {
		doubleNegateNDoubles(&p[i], n)
	}
}

func addMixedDoubles(p *Jacobian2Y, x, ny *Element, k uint8) {
	var zz, h, zzz, h2, i, r, v, j, z3, x3, y3 Element
	zz.square(&p.Z)
	h.productMinus(&zz, x, &p.X)
	zzz.product(&zz, &p.Z)
	h2.carry2(&h)
	i.square(&h2)
	r.productPlus(&zzz, ny, &p.Y) // the opposite of the difference of the y coordinates
	v.product(&i, &p.X)
	j.product(&h, &i)
	z3.product(&h2, &p.Z)
	p.Z.merge(&z3, &p.Z, k)
	x3.squareMinus(&r, x3.twicePlus(&v, &j))
	p.X.merge(&x3, &p.X, k)
	y3.carry2(&j)
	y3.product(&y3, &p.Y)
	v.difference2(&x3, &v)
	p.Y.merge(y3.productMinus(&v, &r, &y3), &p.Y, k)
}

func addCoZDoubles(p, u, q *Affine, ratio *Element) {
	var h2, v, r, s Element
	ratio.difference1(&u.X, &q.X)
	h2.square(ratio)
	v.product(&h2, &q.X)
	u.X.product(&h2, &u.X)
	r.difference1(&u.Y, &q.Y)
	p.X.squareMinus(&r, s.plus(&u.X, &v))
	u.Y.product(s.difference1(&u.X, &v), &u.Y)
	p.Y.productMinus(s.difference1(&u.X, &p.X), &r, &u.Y)
}

func addAffinePairDoubles(a, b *[2]Affine, before, inverse *[2]Element) {
	for i := range a {
		var l, s Element
		p, q, inverse := &a[i], &b[i], &inverse[i]
		l.product(&before[i], inverse)
		inverse.product(s.difference1(&q.X, &p.X), inverse)
		l.product(s.difference1(&q.Y, &p.Y), &l)
		p.X.squareMinus(&l, s.plus(&p.X, &q.X))
		p.Y.productMinus(s.difference1(&q.X, &p.X), &l, &q.Y)
	}
}

func addMixedXYZZDoubles(p *XYZZ, x, y *Element, minus, k uint8) {
	var h, r, h2, v, h3, x3, s Element
	h.productMinus(&p.ZZ, x, &p.X)
	r.productMinus(&p.ZZZ, s.flip(y, minus), &p.Y)
	h2.square(&h)
	v.product(&h2, &p.X)
	h3.product(&h, &h2)
	p.ZZ.merge(s.product(&h2, &p.ZZ), &p.ZZ, k)
	x3.squareMinus(&r, s.twicePlus(&v, &h3))
	p.X.merge(&x3, &p.X, k)
	s.product(&h3, &p.Y)
	p.ZZZ.merge(h3.product(&h3, &p.ZZZ), &p.ZZZ, k)
	v.difference1(&v, &x3)
	p.Y.merge(s.productMinus(&v, &r, &s), &p.Y, k)
}

func addXYZZDoubles(p, q *XYZZ) {
	var x, y, h, r, h2, v, h3, s Element
	x.product(&q.ZZ, &p.X)
	h.productMinus(&p.ZZ, &q.X, &x)
	y.product(&q.ZZZ, &p.Y)
	r.productMinus(&p.ZZZ, &q.Y, &y)
	h2.square(&h)
	p.ZZ.product(&q.ZZ, &p.ZZ)
	p.ZZZ.product(&q.ZZZ, &p.ZZZ)
	v.product(&x, &h2)
	h3.product(&h, &h2)
	p.ZZ.product(&p.ZZ, &h2)
	p.X.squareMinus(&r, s.twicePlus(&v, &h3))
	y.product(&y, &h3)
	p.ZZZ.product(&p.ZZZ, &h3)
	v.difference1(&v, &p.X)
	p.Y.productMinus(&v, &r, &y)
}
