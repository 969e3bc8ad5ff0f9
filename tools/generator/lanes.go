package main

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"p256k1.mleku.dev/v2/tools/generator/formula"
)

// This file implements arithmetic modulo p = 2²⁵⁶ − c in eight lanes. Values have one of three forms:
//
//   - An element has five limbs. Only the low 52 bits of limbs 0 to 3 count, and limb 4 is below 2⁴⁹. Elements may be
//     multiplied.
//   - Columns are five integers of any size, and all their bits count. Columns may be added, and carrying turns them
//     into an element. Nil columns are 0.
//   - A product has ten columns, and folding turns it into five.

type (
	laneElement [5]*vec
	laneSum     [5]*vec
	laneProduct [10]*vec
)

const c260 = c << 4 // 2²⁶⁰ mod p

// given returns an element whose limbs are in registers when the code begins.
func (e *vectors) given() (x laneElement) {
	for k := range x {
		x[k] = &vec{what: present, most: 1<<64 - 1, dirty: true}
	}
	x[4].most, x[4].dirty = 1<<above4-1, false
	return x
}

// check panics if limb 4 of x may be larger than in an element.
func (e *vectors) check(x laneElement) {
	if x[4].most >= 1<<above4 || x[4].dirty {
		panic(fmt.Sprintf("limb 4 of up to %#x", x[4].most))
	}
}

// element returns the element at m.
func (e *vectors) element(m memory) (x laneElement) {
	for k := range 4 {
		x[k] = e.load(m.plus(k), 64, true)
	}
	x[4] = e.load(m.plus(4), above4, false)
	return x
}

// keepElement stores x at m.
func (e *vectors) keepElement(m memory, x laneElement) {
	e.check(x)
	e.comment("store at %s", m)
	for k, v := range x {
		e.store(m.plus(k), v)
	}
}

// clean returns x as columns, without the bits that do not count.
func (e *vectors) clean(x laneElement) (y laneSum) {
	for k, v := range x {
		y[k] = v
		if v.dirty {
			y[k] = e.low(v, limb)
		}
	}
	return y
}

// accumulate adds a·b to w.
func (e *vectors) accumulate(w *laneProduct, a, b laneElement) {
	for i := range a {
		e.comment("row %d: %s%s·%s, in columns %d to %d", i, e.x, sub(i), e.y, i, i+5)
		e.row(w[i:], a[i], b[:])
	}
}

// row adds a·b to columns.
func (e *vectors) row(columns []*vec, a *vec, b []*vec) {
	for j, v := range b {
		columns[j] = e.lo(columns[j], a, v)
	}
	for j, v := range b {
		columns[j+1] = e.hi(columns[j+1], a, v)
	}
}

// square returns a² + 2·twice. A doubled limb would have 53 bits, so the columns are doubled instead. Only limb 4 has
// room for doubling.
func (e *vectors) square(a laneElement, twice laneSum) (w laneProduct) {
	copy(w[:], twice[:])
	for i := range 3 {
		e.comment("row %d: %s%s·%[2]sⱼ for %[1]d < j < 4", i, e.x, sub(i))
		e.row(w[2*i+1:], a[i], a[i+1:4])
	}
	e.comment("double the columns, which are below %s", below(w[:]))
	for k, v := range w {
		if v != nil {
			w[k] = e.add(v, v)
		}
	}
	e.comment("row 4: %sᵢ·2%[1]s₄ for i < 4", e.x)
	last := e.add(a[4], a[4])
	for i := range 4 {
		w[i+4] = e.lo(w[i+4], a[i], last)
	}
	for i := range 4 {
		w[i+5] = e.hi(w[i+5], a[i], last)
	}
	e.comment("add the squares of the limbs")
	for i := range a {
		w[2*i] = e.lo(w[2*i], a[i], a[i])
		w[2*i+1] = e.hi(w[2*i+1], a[i], a[i])
	}
	return w
}

// fold folds columns 5 to 9, whose weights are 2²⁶⁰ and more: it carries from each of them to the next, and then
// multiplies them by 2²⁶⁰ mod p. Without the carries there would be more products, which cost more than additions,
// because only one product can begin in a cycle.
func (e *vectors) fold(w laneProduct) (x laneSum) {
	r := e.constant(c260)
	e.comment("fold the columns, which are below %s", below(w[:]))
	for k := 5; k < 9; k++ {
		w[k] = e.carryColumn(w[:], k)
	}
	high := e.hi(nil, w[9], r)
	for k := range x {
		x[k] = e.lo(w[k], w[k+5], r)
		if k > 0 {
			x[k] = e.hi(x[k], w[k+4], r)
		}
	}
	x[0] = e.lo(x[0], high, r)
	x[1] = e.hi(x[1], high, r)
	return x
}

// productOf returns a·b, folded.
func (e *vectors) productOf(a, b laneElement) laneSum {
	var w laneProduct
	e.accumulate(&w, a, b)
	return e.fold(w)
}

// carryColumn adds the bits of column k from 52 on to the next column, and returns column k without them.
func (e *vectors) carryColumn(columns []*vec, k int) *vec {
	columns[k+1] = e.add(columns[k+1], e.shr(columns[k], limb))
	return e.carried(columns[k])
}

// carry turns columns into an element: the part above 2²⁵⁶ is multiplied by c and added at the bottom, and then each
// limb carries to the next.
func (e *vectors) carry(x laneSum) laneElement {
	e.comment("carry the columns, which are below %s", below(x[:]))
	top, factor := e.shr(x[4], 48), e.constant(c)
	_, high := halves(top, factor)
	if high > 0 {
		panic("a carry of more than 52 bits")
	}
	x[0] = e.lo(x[0], top, factor)
	x[4] = e.low(x[4], 48)
	return e.carryUp(x)
}

// carryUp carries from each limb to the next.
func (e *vectors) carryUp(x laneSum) (y laneElement) {
	for k := range 4 {
		y[k] = e.carryColumn(x[:], k)
	}
	y[4] = x[4]
	e.result(cmp.Or(e.now.name, "the value")+", carried,", y[:])
	return y
}

// times returns n·x.
func (e *vectors) times(n uint64, x laneSum) (y laneSum) {
	for k, v := range x {
		switch n {
		case 1:
			y[k] = v
		case 2:
			y[k] = e.add(v, v)
		case 3:
			y[k] = e.add(e.add(v, v), v)
		case 4, 8:
			y[k] = e.shl(v, map[uint64]uint{4: 2, 8: 3}[n])
		default:
			panic(fmt.Sprintf("%d times columns", n))
		}
	}
	return y
}

// plus returns x + y.
func (e *vectors) plus(x, y laneSum) (s laneSum) {
	for k := range s {
		s[k] = e.add(x[k], y[k])
	}
	return s
}

// bias returns a multiple of p whose columns are at least as large as the upper bounds of the columns of x.
func bias(x laneSum) (b [5]uint64) {
	n := uint(limb)
	for k := range x {
		for x[k].most > 1<<n {
			n++
		}
	}
	sum := new(big.Int)
	for k := range b {
		sum.Add(sum, pow2(n+limb*uint(k)))
	}
	p := new(big.Int).Sub(pow2(256), big.NewInt(c))
	rest := sum.Mod(sum.Neg(sum), p)
	for k := range b {
		b[k] = 1<<n + new(big.Int).And(new(big.Int).Rsh(rest, limb*uint(k)), big.NewInt(limbMask)).Uint64()
	}
	return b
}

// pow2 returns 2ⁿ.
func pow2(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// minus returns x − y.
func (e *vectors) minus(x, y laneSum) (s laneSum) {
	for k, n := range bias(y) {
		s[k] = e.sub(n, x[k], y[k])
	}
	return s
}

// ripple carries from each limb to the next, but not out of the highest limb.
func (e *vectors) ripple(x laneSum) laneSum {
	for k := range 4 {
		x[k+1] = e.add(x[k+1], e.shr(x[k], limb))
		x[k] = e.low(x[k], limb)
	}
	return x
}

// normal returns x reduced to [0, p). Bits 48 and above of limb 4 of the result do not count.
func (e *vectors) normal(x laneElement) laneSum {
	y := e.clean(e.carry(e.clean(x)))
	// If y reaches 2²⁵⁶ again, y − 2²⁵⁶ is so small that adding c to limb 0 does not carry.
	e.comment("in lanes whose sum reaches 2²⁵⁶ again, subtract 2²⁵⁶ and add c")
	y[0] = e.lo(y[0], e.shr(y[4], 48), e.constant(c))
	y[4] = e.low(y[4], 48)
	z := y
	z[0] = e.add(z[0], e.constant(c))
	e.comment("if the value y is at least p, all bits of limbs 1 to 4 are set, and the carry from limb 0 of y + c clears them")
	over := e.shr(e.ripple(z)[4], 48)
	y[0] = e.lo(y[0], over, e.constant(c))
	over = e.shr(y[0], limb)
	for k := 1; k < 5; k++ {
		y[k] = e.add(y[k], over)
	}
	for k := range 4 {
		y[k] = e.low(y[k], limb)
	}
	return y
}

// blendElement returns a in the lanes of a mask, and b in the other lanes.
func (e *vectors) blendElement(mask string, a, b laneElement) (x laneElement) {
	e.comment("replace the value only in the lanes of %s", mask)
	for k := range x {
		x[k] = e.blend(mask, a[k], b[k])
	}
	return x
}

// unpack returns the integer of four 64-bit words as an element.
func (e *vectors) unpack(w [4]*vec) (x laneElement) {
	e.comment("limb k has the bits of word k − 1 from bit 64 − 12·k on, and the lowest bits of word k")
	x[0] = e.carried(w[0])
	for k := 1; k < 4; k++ {
		x[k] = e.carried(e.or(e.shr(w[k-1], 64-12*uint(k)), e.shlLow(w[k], 12*uint(k))))
	}
	x[4] = e.shr(w[3], 16)
	return x
}

// pack returns the words of an integer below 2²⁵⁶ with carried limbs. Bits of limb 4 from 48 on do not count.
func (e *vectors) pack(x laneSum) (w [4]*vec) {
	e.comment("word k has the bits of limb k from bit 12·k on, and the lowest bits of limb k + 1")
	for k := range w {
		w[k] = e.or(e.shr(x[k], 12*uint(k)), e.shlLow(x[k+1], 52-12*uint(k)))
	}
	return w
}

// lanesPackage emits the routines of package lanes.
func lanesPackage(e *emitter, s *formula.Source) {
	e.importType("tables", "Generator")
	e.recodePoint()
	e.recodeGenerator()
	e.prefetchGenerator()
	e.gatherPoint()
	e.gatherGenerator()
	e.gather()
	e.baseLookup()
	e.baseLookupOne()
	e.variableLookup()
	e.turn()
	e.mulN()
	e.split()
	e.loads("loadScalars", "func(r *Element, a []laneScalar)", 1)
	e.loads("loadElements", "func(r *Element, a []laneElement)", 1)
	e.loads("loadPointsVartime", "func(r *Affine, a []lanePoint)", 2)
	e.storePoints()
	result := func(name, signature, doc string, value func(v *vectors) laneElement) {
		e.straight(name, signature, doc, func(v *vectors) { v.keepElement(element("r", 0), value(v)) })
	}
	result("mul", "func(r, a, b *Element)", "mul sets r = a·b.", func(v *vectors) laneElement {
		v.begin("r", "r = a·b")
		return v.carry(v.productOf(v.element(element("a", 0)), v.element(element("b", 0))))
	})
	e.squares("squarePairN", "func(r, a *[2]Element, n int)", "squarePairN sets r[i] = a[i]^(2ⁿ) for both elements, with n > 0.", 2)
	e.squares("squareTripleN", "func(r, a *[3]Element, n int)", "squareTripleN sets r[i] = a[i]^(2ⁿ) for all three elements, with n > 0.", 3)
	lanesMultiples(e)
	e.squares("squareN", "func(r, a *Element, n int)", "squareN sets r = a^(2ⁿ), for n > 0.", 1)
	result("add", "func(r, a, b *Element)", "add sets r = a + b.", func(v *vectors) laneElement {
		return v.carry(v.plus(v.clean(v.element(element("a", 0))), v.clean(v.element(element("b", 0)))))
	})
	result("sub", "func(r, a, b *Element)", "sub sets r = a − b.", func(v *vectors) laneElement {
		a := v.clean(v.element(element("a", 0)))
		return v.carry(v.minus(a, v.clean(v.element(element("b", 0)))))
	})
	result("negate", "func(r, a *Element, k uint8)", "negate sets r = −a in the lanes of k, and r = a in the other lanes.", func(v *vectors) laneElement {
		a := v.element(element("a", 0))
		return v.blendElement("k", v.carry(v.minus(laneSum{}, v.clean(a))), a)
	})
	result("blend", "func(r, a, b *Element, k uint8)", "blend sets r = a in the lanes of k, and r = b in the other lanes.", func(v *vectors) laneElement {
		return v.blendElement("k", v.element(element("a", 0)), v.element(element("b", 0)))
	})
	result("normalize", "func(r, a *Element)", "normalize sets r to a, reduced modulo p, with all limbs below 2⁵².", func(v *vectors) laneElement {
		x := laneElement(v.normal(v.element(element("a", 0))))
		x[4] = v.low(x[4], 48)
		return x
	})
	result("unpack", "func(r *Element, w *Words)", "unpack sets r to the eight integers below 2²⁵⁶ in w.", func(v *vectors) laneElement {
		var w [4]*vec
		for i := range w {
			w[i] = v.load(memory{"w", i}, 64, false)
		}
		return v.unpack(w)
	})
	e.straight("pack", "func(w *Words, a *Element)", "pack sets w to the eight integers of a, reduced modulo p.", func(v *vectors) {
		for i, w := range v.pack(v.normal(v.element(element("a", 0)))) {
			v.store(memory{"w", i}, w)
		}
	})
	for _, r := range pointsInLanes {
		e.inLanes(s, r)
	}
	for _, name := range strings.Fields("mul squareN squarePairN squareTripleN add sub negate blend pack loadElements " +
		"doubleNegateN addMixed addCoZ addMixedXYZZ addXYZZ") {
		e.public(name)
	}
	e.lanesInDoubles(s)
}

// public declares the routine nameVartime, which does with public data what the routine with the given name does with
// all data. Both routines jump to the same version for AVX-512 IFMA.
func (e *emitter) public(name string) {
	r := *e.find(name)
	r.name += "Vartime"
	r.doc = strings.Replace(r.doc, name, r.name, 1)
	e.routines = append(e.routines, r)
}

// squares emits squarings of n elements at a time. Each squaring of a chain waits for the squaring before it, so
// several chains are interleaved: the processor computes one chain while another waits.
func (e *emitter) squares(name, signature, doc string, n int) {
	e.repeated(name, signature, doc, "n", "a", "r", n, func(v *vectors, in []laneElement) (out []laneElement) {
		for i, a := range in {
			v.begin(fmt.Sprintf("a[%d]", i), fmt.Sprintf("a[%d] = a[%[1]d]²", i))
			out = append(out, v.carry(v.fold(v.square(a, laneSum{}))))
		}
		return out
	})
}
