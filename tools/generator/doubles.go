package main

import (
	"math"

	"p256k1.mleku.dev/v2/internal/params"
)

// This file implements arithmetic modulo p in four lanes of numbers in double precision, rounded to nearest. An element
// has five limbs, which are integers of either sign:
//
//	x₀ + x₁·2⁵² + x₂·2¹⁰³ + x₃·2¹⁵⁴ + x₄·2²⁰⁵, with |x₀| ≤ 2⁵¹ + 2³⁶ and |xₖ| ≤ 2⁵⁰ + 16 for k > 0
//
// Every operation is exact, except two kinds of rounding that are meant. Adding a large constant and subtracting it
// again rounds to a multiple of a power of two. And a product is split in this way:
//
//	n = x·y + h, rounded to a multiple of 2⁵¹ or 2⁵²      lo = x·y + (h − n), exact, the error of the rounding
//
// where h is the sum of the high parts so far. So a column of a product has sums of low parts and sums of high parts.
// docs/lanes.md has the bounds, and tools/evidence/asmproof proves them and the results.
//
// The generator knows no bounds of doubles, unlike those of integers (lanes.go).
type doubles struct {
	*vectors
	a, b, added laneElement // the operands of a subroutine
}

// Operations on doubles and on the bits of doubles. The operands are a, b and c.
const (
	plusDouble  instruction = iota + 100 // a + b
	minusDouble                          // a − b
	timesDouble                          // a·b
	fusedPlus                            // a·b + c, rounded once, like the next
	fusedMinus                           // a·b − c
	exclusiveOr                          // a ^ b
	lanesOf                              // all ones in the lanes of a mask
	merge                                // a in the lanes of c, b in the others
)

var weights = [5]float64{1 << 52, 1 << 51, 1 << 51, 1 << 51, 1 << 51} // limb k + 1 counts in units of weights[k] of limb k

const (
	magic   = 3 << 51        // adding magic·s to a number and subtracting it rounds the number to a multiple of s
	foldC   = float64(c)     // 2²⁵⁶ mod p
	start51 = 3<<102 + 1<<90 // where a sum of high parts starts, in columns in units of 2⁵¹
	start52 = 3 << 103       // and in columns 0 and 5, in units of 2⁵²
	per51   = 1.0 / (1 << 51)
	per52   = 1.0 / (1 << 52)
)

func (d *doubles) op(what instruction, operands ...*vec) *vec {
	return d.once(&vec{what: what, operands: operands})
}

func (d *doubles) bits(what instruction, a *vec, n uint64) *vec {
	return d.once(&vec{what: what, operands: []*vec{a}, n: n})
}

func (d *doubles) number(x float64) *vec { return d.constant(math.Float64bits(x)) }

func (d *doubles) sum(a, b *vec) *vec        { return d.op(plusDouble, a, b) }
func (d *doubles) difference(a, b *vec) *vec { return d.op(minusDouble, a, b) }

// multiple returns n·a.
func (d *doubles) multiple(n float64, a *vec) *vec {
	switch n {
	case 1:
		return a
	case 2:
		return d.sum(a, a)
	}
	return d.op(timesDouble, a, d.number(n))
}

// factors is a product of a column, and the sum of high parts to which its high part is added.
type factors struct {
	high int
	a, b *vec
}

// column returns the sums of the low parts and of the high parts of products for column k. There may be three sums of
// high parts. The second starts at the opposite of where the first starts, so that their sum needs no correction.
func (d *doubles) column(k int, products []factors) (low, high *vec) {
	start := float64(start51)
	if k%5 == 0 {
		start = start52
	}
	starts := [3]*vec{d.number(start), d.number(-start), d.number(start)}
	sums := starts
	for _, p := range products {
		before := sums[p.high]
		after := d.op(fusedPlus, p.a, p.b, before)
		sums[p.high] = after
		var part *vec
		if before == starts[p.high] { // a constant to subtract may be in memory
			part = d.op(fusedMinus, p.a, p.b, d.difference(after, before))
		} else {
			part = d.op(fusedPlus, p.a, p.b, d.difference(before, after))
		}
		if low != nil {
			part = d.sum(low, part)
		}
		low = part
	}
	if sums[1] == starts[1] {
		high = d.difference(sums[0], starts[0])
	} else {
		high = d.sum(sums[0], sums[1])
	}
	if sums[2] != starts[2] {
		high = d.sum(high, d.difference(sums[2], starts[2]))
	}
	return low, high
}

// columns is an integer in five columns, of the product of two elements or of a square. highs[3] and highs[4] are the
// high parts of columns 2 and 3, to be added to columns 3 and 4 in units of 2⁻⁵¹.
type columns struct {
	x, highs [5]*vec
	square   bool
}

// product returns a·b. Limb 0 has 52 bits and the others have 51, so a product of limbs i and j with i, j > 0 counts
// twice in column i + j, up to i + j = 5. Columns from 5 on are folded: added, times 2²⁵⁶ mod p, to columns from 0 on.
func (d *doubles) product(a, b laneElement) columns {
	d.comment("products of limbs, by columns")
	c := columns{square: a == b}
	var p [9][]factors
	next := 0 // the sum of high parts for the last product of column 1
	if c.square {
		next = 1
		twice := func(i int) *vec { return d.sum(a[i], a[i]) }
		four1, four2 := d.sum(twice(1), twice(1)), d.sum(twice(2), twice(2))
		p = [9][]factors{
			{{0, a[0], a[0]}}, {{0, twice(0), a[1]}}, {{0, twice(0), a[2]}, {1, twice(1), a[1]}},
			{{0, twice(0), a[3]}, {1, four1, a[2]}}, {{0, twice(0), a[4]}, {1, four1, a[3]}, {2, twice(2), a[2]}},
			{{0, four1, a[4]}, {1, four2, a[3]}}, {{0, twice(2), a[4]}, {0, a[3], a[3]}},
			{{0, twice(3), a[4]}}, {{0, a[4], a[4]}},
		}
	} else {
		a1, a2, b1 := d.sum(a[1], a[1]), d.sum(a[2], a[2]), d.sum(b[1], b[1])
		p = [9][]factors{
			{{0, a[0], b[0]}}, {{0, a[0], b[1]}, {1, a[1], b[0]}}, {{0, a[0], b[2]}, {1, a1, b[1]}, {0, a[2], b[0]}},
			{{0, a[0], b[3]}, {1, a1, b[2]}, {0, a[3], b[0]}, {1, a[2], b1}},
			{{0, a[0], b[4]}, {1, a1, b[3]}, {2, a2, b[2]}, {0, a[4], b[0]}, {1, a[3], b1}},
			{{0, a1, b[4]}, {1, a2, b[3]}, {0, a[4], b1}, {1, a[3], d.sum(b[2], b[2])}},
			{{0, a[2], b[4]}, {0, a[4], b[2]}, {0, a[3], b[3]}}, {{0, a[3], b[4]}, {0, a[4], b[3]}}, {{0, a[4], b[4]}},
		}
	}
	columnOf := func(k int, more ...factors) (low, high *vec) { return d.column(k, append(p[k], more...)) }
	fold, fold51 := d.number(foldC), d.number(foldC*per51)
	low8, high8 := columnOf(8)
	low7, high7 := columnOf(7)
	low6, high6 := columnOf(6)
	low5, high5 := columnOf(5)
	var high [5]*vec
	c.x[4], high[4] = columnOf(4, factors{2, high8, fold51})
	c.x[0], high[0] = columnOf(0, factors{0, low5, fold}, factors{0, high[4], fold51})
	c.x[1], high[1] = columnOf(1, factors{next, d.op(fusedPlus, high5, d.number(per52), low6), fold})
	c.x[2], c.highs[3] = columnOf(2, factors{1, d.op(fusedPlus, high6, d.number(per51), low7), fold})
	c.x[3], c.highs[4] = columnOf(3, factors{1, d.op(fusedPlus, high7, d.number(per51), low8), fold})
	c.x[1] = d.op(fusedPlus, high[0], d.number(per52), c.x[1])
	c.x[2] = d.op(fusedPlus, high[1], d.number(per51), c.x[2])
	return c
}

// rounded returns a, rounded to a multiple of the weight of limb k.
func (d *doubles) rounded(a *vec, k int) *vec {
	m := d.number(magic * weights[k])
	return d.difference(d.sum(a, m), m)
}

// collect returns the limbs of l + the carries, where carries[k] is a multiple of weights[k].
func (d *doubles) collect(carries [5]*vec, l laneElement) (x laneElement) {
	for k := range x {
		from := (k + 4) % 5
		unit := 1 / weights[from]
		if k == 0 {
			unit *= foldC
		}
		x[k] = d.op(fusedPlus, carries[from], d.number(unit), l[k])
	}
	return x
}

// reduce returns c + sign·y as an element, where y is the operand to be added.
func (d *doubles) reduce(c columns, sign float64) laneElement {
	d.comment("carry from each column to the next")
	var carries, l [5]*vec
	unit := d.number(per51)
	for k, x := range c.x {
		// The column is x + v, where v has what is added and the carry from the column below. The sum may need more
		// than 53 bits, but it decides only which multiple is carried, so it need not be exact.
		v, high := d.added[k], c.highs[k]
		plus := d.sum
		switch {
		case high != nil && sign < 0:
			v = d.op(fusedMinus, high, unit, v)
		case high != nil && sign > 0:
			v = d.op(fusedPlus, high, unit, v)
		case high != nil:
			plus = func(x, _ *vec) *vec { return d.op(fusedPlus, high, unit, x) }
		case sign < 0:
			plus = d.difference
		case sign == 0:
			plus = func(x, _ *vec) *vec { return x }
		}
		carries[k] = d.rounded(plus(x, v), k)
		if c.square && sign != 0 && k == 4 { // x is small, and v, which has a carry of column 3 too, may be large
			x, v = v, x
		}
		l[k] = plus(d.difference(x, carries[k]), v)
	}
	return d.collect(carries, l)
}

// carry returns n·x as an element, for limbs x that are larger than those of an element.
func (d *doubles) carry(x laneElement, n float64) laneElement {
	d.comment("carry from each limb to the next")
	var carries [5]*vec
	for k := range x {
		x[k] = d.multiple(n, x[k])
		carries[k] = d.rounded(x[k], k)
		x[k] = d.difference(x[k], carries[k])
	}
	return d.collect(carries, x)
}

// carry0 carries from limb 0 to limb 1.
func (d *doubles) carry0(x laneElement) laneElement {
	carry := d.rounded(x[0], 0)
	x[0] = d.difference(x[0], carry)
	x[1] = d.op(fusedPlus, carry, d.number(per52), x[1])
	return x
}

// lanes returns all ones in the lanes of the mask, and zero in the others.
func (d *doubles) lanes() *vec { return d.op(lanesOf) }

// each returns what f computes of each limb of a and b.
func (d *doubles) each(a, b laneElement, f func(a, b *vec) *vec) (x laneElement) {
	for k := range x {
		x[k] = f(a[k], b[k])
	}
	return x
}

// element returns the element at m.
func (d *doubles) element(m memory) (x laneElement) {
	for k := range x {
		x[k] = d.load(m.plus(k), 64, true)
	}
	return x
}

// keep stores x at m.
func (d *doubles) keep(m memory, x laneElement) {
	d.comment("store at %s", m)
	for k, v := range x {
		d.store(m.plus(k), v)
	}
}

// ofWords returns limbs of 52, 51, 51, 51 and 51 bits, of integers given in words, as an element.
func (d *doubles) ofWords(w []*vec) (x laneElement) {
	d.comment("cut the words into limbs, and carry")
	limb51 := func(k int, low uint64) *vec { // 51 bits from bit 64·k + low on
		bits := d.op(or, d.bits(shiftRight, w[k], low), d.bits(shiftLeft, w[k+1], 64-low))
		return d.op(and, bits, d.constant(1<<51-1))
	}
	limbs := [5]*vec{
		d.op(and, w[0], d.constant(1<<52-1)), limb51(0, 52), limb51(1, 39), limb51(2, 26), d.bits(shiftRight, w[3], 13),
	}
	base := d.number(1 << 52) // The bits of 2⁵² + n are the bits of 2⁵² and those of n, for n < 2⁵².
	for k, l := range limbs {
		x[k] = d.difference(d.op(or, l, base), base)
	}
	return d.carry(x, 1)
}

// toWords returns the four words of x, reduced modulo p.
func (d *doubles) toWords(x laneElement) (w [4]*vec) {
	d.comment("add p, whose limbs are larger than those of x, and turn doubles into integers")
	x = d.carry0(x)
	var limbs [5]*vec
	for k, p := range [5]uint64{1<<52 - c, 1<<51 - 1, 1<<51 - 1, 1<<51 - 1, 1<<51 - 1} {
		// The bits of magic + n are the bits of magic, plus n, for |n| ≤ 2⁵¹.
		limbs[k] = d.op(add, d.op(plusDouble, x[k], d.number(magic)), d.constant(p-math.Float64bits(magic)))
	}
	up := func(x [5]*vec, low *vec) (y [5]*vec) {
		x[0] = d.op(add, x[0], low)
		for k, n := range [4]uint64{52, 51, 51, 51} {
			y[k] = d.op(and, x[k], d.constant(1<<n-1))
			x[k+1] = d.op(add, x[k+1], d.bits(shiftRight, x[k], n))
		}
		y[4] = x[4]
		return y
	}
	d.comment("the sum is below 2p; if it is at least p, adding 2²⁵⁶ − p makes it 2²⁵⁶ or more, and this part is dropped")
	over := d.bits(shiftRight, up(limbs, d.constant(c))[4], 51)
	none := d.op(subtract, d.constant(0), over)
	y := up(limbs, d.op(and, none, d.constant(c)))
	for k, n := range [4][2]uint64{{0, 52}, {12, 39}, {25, 26}, {38, 13}} {
		low := y[k]
		if k > 0 {
			low = d.bits(shiftRight, low, n[0])
		}
		w[k] = d.op(or, low, d.bits(shiftLeft, y[k+1], n[1]))
	}
	return w
}

// beta returns β.
func (d *doubles) beta() (x laneElement) {
	const beta = params.Beta
	const limb51 = 1<<51 - 1
	limbs := [5]int64{beta & (1<<52 - 1), beta >> 52 & limb51, beta >> 103 & limb51, beta >> 154 & limb51, beta >> 205}
	for k := range limbs {
		n := limbs[k]
		if k < 4 && float64(n) >= weights[k]/2 {
			n -= int64(weights[k])
			limbs[k+1]++
		}
		x[k] = d.number(float64(n))
	}
	return x
}
