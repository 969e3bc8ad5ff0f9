package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"p256k1.mleku.dev/v2/internal/params"
)

// This file emits the routines of package lanes that move items between vectors and slices or tables, and the look-ups
// of multiples for public digits. The items of a slice are contiguous, and have four words for each coordinate.

// loads emits a routine that loads items with the given number of coordinates.
func (e *emitter) loads(name, signature string, coordinates int) {
	e.ifma(name, signature, name+" sets lane i of r to a[i], for one to eight items. Lanes without an item get a[0].")
	a, n, zero := e.get(), e.get(), e.get()
	e.Load(e.Param("a").Base(), a)
	e.Load(e.Param("a").Len(), n)
	e.zero(zero)
	e.comment("the offset of the item of each lane from the first item: 0 for lanes without an item")
	offsets := [8]gp{zero}
	for lane := 1; lane < 8; lane++ {
		offsets[lane] = e.get()
		e.MOVQ(U64(lane*coordinates*coordinateBytes), offsets[lane])
		e.CMPQ(n, Imm(uint64(lane)))
		e.CMOVQLE(zero, offsets[lane])
	}
	e.put(n)
	r := e.param("r")
	for i := range coordinates {
		e.comment("coordinate %d", i)
		item := func(lane int) Mem { return Mem{Base: a, Disp: i * coordinateBytes, Index: offsets[lane], Scale: 1} }
		e.keepVectors(e.loadIntegers(0, item), r)
		if i+1 < coordinates {
			e.ADDQ(U32(elementBytes), r)
		}
	}
	e.endVectors()
}

// storePoints emits the routine that stores points.
func (e *emitter) storePoints() {
	e.ifma("storePoints", "func(a []lanePoint, x, y *Element)", "storePoints sets a[i] to the point (x, y) of lane i, for up to eight points. x and y must be normalized.")
	a, n := e.get(), e.get()
	e.Load(e.Param("a").Base(), a)
	e.Load(e.Param("a").Len(), n)
	for i, name := range []string{"x", "y"} {
		r := e.param(name)
		e.comment("the four words of %s, in Z%d to Z%d", name, 4*i, 4*i+3)
		for k := range 5 {
			e.VMOVDQU64(Mem{Base: r, Disp: k * vectorBytes}, z(16+k))
		}
		for k := range 4 { // words
			low, word := z(16+k), z(4*i+k)
			e.VPSLLQ(Imm(uint64(52-12*k)), z(16+k+1), z(24))
			if k > 0 {
				e.VPSRLQ(Imm(uint64(12*k)), low, word)
				low = word
			}
			e.VPORQ(z(24), low, word)
		}
		e.put(r)
	}
	e.comment("each quarter of Z8 to Z11: two words of lane 0, 2, 4 or 6; each quarter of Z12 to Z15: two words of lane 1, 3, 5 or 7")
	for i := range 4 {
		e.VPUNPCKLQDQ(z(2*i+1), z(2*i), z(8+i))
		e.VPUNPCKHQDQ(z(2*i+1), z(2*i), z(12+i))
	}
	e.comment("move the item of lane i to Zi")
	for i := range 2 {
		first := 8 + 4*i
		for j, which := range []uint64{evenQuarters, oddQuarters} { // lanes i and i + 4, and then i + 2 and i + 6
			e.VSHUFI64X2(Imm(which), z(first+1), z(first), z(16))
			e.VSHUFI64X2(Imm(which), z(first+3), z(first+2), z(17))
			e.VSHUFI64X2(Imm(evenQuarters), z(17), z(16), z(i+2*j))
			e.VSHUFI64X2(Imm(oddQuarters), z(17), z(16), z(i+2*j+4))
		}
	}
	e.comment("store the points of the first n lanes, where n is the length of a")
	for lane := range 8 {
		e.CMPQ(n, Imm(uint64(lane)))
		e.JLE(LabelRef("stored"))
		e.VMOVDQU64(z(lane), Mem{Base: a, Disp: lane * 2 * coordinateBytes})
	}
	e.Label("stored")
	e.endVectors()
}

// prefetchGenerator emits the routine that prefetches the entries of the table of G for all digits.
func (e *emitter) prefetchGenerator() {
	e.ifma("prefetchVartime", "func(table *Generator, d *generatorDigits)", "prefetchVartime prefetches the table entries for all digits.")
	table, d, n, offset := e.param("table"), e.param("d"), e.get(), e.get()
	e.MOVQ(U64(generatorPlaces), n)
	e.Label("places")
	for i := range 8 {
		e.MOVQ(Mem{Base: d, Disp: 8 * i}, offset)
		e.PREFETCHT0(Mem{Base: table, Index: offset, Scale: 1})
	}
	e.ADDQ(Imm(vectorBytes), d)
	e.SUBQ(Imm(1), n)
	e.JNE(LabelRef("places"))
	e.RET()
}

// gatherPoint emits the look-up in a table of points, which only moves words.
func (e *emitter) gatherPoint() {
	e.ifma("gatherPointVartime", "func(x, ny *Element, table *multiples, d *pointDigits, i int)",
		"gatherPointVartime sets x and ny to x and −2y of the multiples that digit i stands for.")
	e.gatherLanes(func(low, high reg.VecPhysical, m Mem) {
		e.VINSERTI64X4(Imm(1), high, low.AsZ(), low.AsZ())
		e.VMOVDQU64(low.AsZ(), m)
	})
	e.way("FMA")
	e.gatherLanes(func(low, high reg.VecPhysical, m Mem) {
		e.VMOVDQU(low, m)
		e.VMOVDQU(high, m.Offset(vectorBytes/2))
	})
}

// gatherLanes emits one version of the look-up. keep stores the words of lanes 0 to 3 and of lanes 4 to 7.
func (e *emitter) gatherLanes(keep func(low, high reg.VecPhysical, m Mem)) {
	table, d, i := e.param("table"), e.param("d"), e.param("i")
	e.SHLQ(Imm(6), i)
	e.ADDQ(i, d)
	e.put(i)
	low, high := e.take4(), e.take4()
	offsets := append(low[:], high[:]...)
	for j, name := range []string{"x", "ny"} {
		e.comment("%s: load the offset of each lane's coordinate in the table, and then each limb", name)
		for lane, r := range offsets {
			e.MOVQ(Mem{Base: d, Disp: j*pointPlaces*vectorBytes + 8*lane}, r)
		}
		result := e.param(name)
		for limb := range 5 {
			word := func(lane int) Mem { return Mem{Base: table, Disp: limb * vectorBytes, Index: offsets[lane], Scale: 1} }
			for i, v := range []Op{reg.X0, reg.X1, reg.X2, reg.X3} {
				e.VMOVQ(word(2*i), v)
				e.VPINSRQ(Imm(1), word(2*i+1), v, v)
			}
			e.VINSERTI128(Imm(1), reg.X1, reg.Y0, reg.Y0)
			e.VINSERTI128(Imm(1), reg.X3, reg.Y2, reg.Y2)
			keep(reg.Y0, reg.Y2, Mem{Base: result, Disp: limb * vectorBytes})
		}
		e.put(result)
	}
	e.endVectors()
}

// gatherGenerator emits the look-up in the table of G. Each entry of the table is one cache line.
func (e *emitter) gatherGenerator() {
	e.vectorRoutine("gatherGeneratorVartime", "func(x, ny *Element, table *Generator, d *generatorDigits, i int, f *isomorphism)",
		"gatherGeneratorVartime sets x and ny to x and −2y of the multiples of G that digit i stands for, mapped by f.",
		block{inputs: 4, describe: func(v *vectors, in []laneElement) []laneElement {
			v.loadGenerator() // emits its instructions at once, so they come first
			for i, param := range []string{"x", "ny"} {
				var w laneProduct
				v.begin(param, param+" = x·y, for a coordinate x of the entries and its factor y")
				v.accumulate(&w, in[i], in[2+i])
				v.keepElement(element(param, 0), v.carry(v.fold(w)))
			}
			return nil
		}})
}

// loadGenerator emits code that sets the first registers to x and y of the entries. The code sets the next registers to
// the factors that map x and y to the other curve and apply the power of λ and the sign.
func (e *emitter) loadGenerator() {
	d, i, f := e.param("d"), e.param("i"), e.param("f")
	masks := []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3} // the lanes with a minus sign, with λ and with λ²
	for j, k := range masks {
		e.KMOVB(Mem{Base: d, Disp: generatorPlaces*vectorBytes + (j+1)*generatorPlaces, Index: i, Scale: 1}, k)
	}
	e.comment("Z10 to Z14: the factor of x, chosen by the power of λ; Z15 to Z19: the factor of y, chosen by the sign")
	for limb := range 5 {
		factor := func(element int) Mem { return Mem{Base: f, Disp: element*elementBytes + limb*vectorBytes} }
		x, y := z(10+limb), z(15+limb)
		e.VMOVDQU64(factor(0), x)
		e.VMOVDQU64(factor(1), masks[1], x)
		e.VMOVDQU64(factor(2), masks[2], x)
		e.VMOVDQU64(factor(3), y)
		e.VMOVDQU64(factor(4), masks[0], y)
	}
	e.put(f)
	e.SHLQ(Imm(6), i)
	e.ADDQ(i, d)
	e.put(i)
	table := e.param("table")
	offsets := e.eightWords(d)
	for j := range 2 {
		row := func(lane int) Mem { return Mem{Base: table, Disp: j * coordinateBytes, Index: offsets[lane], Scale: 1} }
		e.loadIntegers(5*j, row)
	}
	e.put(offsets[:]...)
	e.put(d, table)
}

// gather emits the routine that loads points from arbitrary addresses.
func (e *emitter) gather() {
	e.ifma("gatherVartime", "func(x, y *Element, p *pointers)", "gatherVartime sets x and y to the coordinates of the eight points that p points to.")
	p := e.param("p")
	addresses := e.eightWords(p)
	e.put(p)
	for j, name := range []string{"x", "y"} {
		limbs := e.loadIntegers(0, func(lane int) Mem { return Mem{Base: addresses[lane], Disp: j * coordinateBytes} })
		r := e.param(name)
		e.keepVectors(limbs, r)
		e.put(r)
	}
	e.endVectors()
}

// eightWords loads eight consecutive words, one for each lane, from the address in a register.
func (e *emitter) eightWords(address gp) (words [8]gp) {
	for lane := range words {
		words[lane] = e.get()
		e.MOVQ(Mem{Base: address, Disp: 8 * lane}, words[lane])
	}
	return words
}

// lanesMultiples emits the routines that complete an entry of a table of multiples, which at first holds x and y.
func lanesMultiples(e *emitter) {
	const beta = params.Beta
	row := func(i int) memory { return element("m", i) }
	complete := func(v *vectors, x laneElement, y laneSum) {
		v.begin("entry", "the entry gets 2y, −2y, β·x and β²·x = −x − β·x, since 1 + β + β² = 0")
		v.y = "β"
		bx := v.productOf(x, laneElement{v.constant(beta & limbMask), v.constant(beta >> 52 & limbMask), v.constant(beta >> 104 & limbMask), v.constant(beta >> 156 & limbMask), v.constant(beta >> 208)})
		y = v.times(2, y)
		v.keepElement(row(1), v.carry(y))
		v.keepElement(row(2), v.carry(bx))
		v.keepElement(row(3), v.carry(v.minus(laneSum{}, v.plus(v.clean(x), bx))))
		v.keepElement(row(4), v.carry(v.minus(laneSum{}, y)))
	}
	e.straight("completeVartime", "func(m *multiple)", "completeVartime sets m to x, 2y, β·x, β²·x and −2y of the point (x, y) that m holds.", func(v *vectors) {
		complete(v, v.element(row(0)), v.clean(v.element(row(1))))
	})
	e.straight("completeRescaledVartime", "func(m *multiple, z, ratio *Element)",
		"completeRescaledVartime sets z = z·ratio, multiplies the x of m by z² and its y by z³, and completes m.",
		func(v *vectors) {
			place := element("z", 0)
			v.begin("z", "z = z·ratio")
			z := v.carry(v.productOf(v.element(place), v.element(element("ratio", 0))))
			v.keepElement(place, z)
			v.begin("z2", "z2 = z²")
			z2 := v.carry(v.fold(v.square(z, laneSum{})))
			v.begin("m.X", "m.X = m.X·z2")
			x := v.carry(v.productOf(v.element(row(0)), z2))
			v.begin("z3", "z3 = z2·z")
			z3 := v.carry(v.productOf(z2, z))
			v.begin("m.Y", "m.Y = m.Y·z3")
			complete(v, x, v.productOf(v.element(row(1)), z3))
			v.keepElement(row(0), x)
		})
}
