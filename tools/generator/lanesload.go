package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// This file emits the routines of package lanes that move items between slices and vectors. The items of a slice follow
// each other, and have four words for each coordinate.

const coordinateBytes = 4 * 8

// lanesLoad emits all routines of this file.
func lanesLoad(e *emitter) {
	const rest = ". In lanes without one is a copy of the first."
	e.loads("loadScalars", "func(r *Element, a []laneScalar)", "loadScalars sets r to up to eight scalars"+rest, 1)
	e.loads("loadElements", "func(r *Element, a []laneElement)", "loadElements sets r to up to eight elements"+rest, 1)
	e.loads("loadPoints", "func(r *Affine, a []lanePoint)", "loadPoints sets r to up to eight points"+rest, 2)
	e.storePoints()
}

// loads emits a routine that loads items with the given number of coordinates.
func (e *emitter) loads(name, signature, doc string, coordinates int) {
	e.ifma(name, signature, doc)
	a, n, zero := e.get(), e.get(), e.get()
	e.Load(e.Param("a").Base(), a)
	e.Load(e.Param("a").Len(), n)
	e.zero(zero)
	e.comment("where the item of each lane is, from the first one on: 0 for those without one")
	var at [8]gp // counted from the first item
	at[0] = zero
	for lane := 1; lane < 8; lane++ {
		at[lane] = e.get()
		e.MOVQ(U64(lane*coordinates*coordinateBytes), at[lane])
		e.CMPQ(n, Imm(uint64(lane)))
		e.CMOVQLE(zero, at[lane])
	}
	e.put(n)
	r := e.param("r")
	for i := range coordinates {
		e.comment("coordinate %d", i)
		words := e.transpose(func(lane int) Mem { return Mem{Base: a, Disp: i * coordinateBytes, Index: at[lane], Scale: 1} })
		limbs := registers(0, 5)
		e.unpackWords(words, limbs)
		e.keepVectors(limbs, r)
		if i+1 < coordinates {
			e.ADDQ(U32(elementBytes), r)
		}
	}
	e.endVectors()
}

// storePoints emits the routine that stores points.
func (e *emitter) storePoints() {
	const signature = "func(a []lanePoint, x, y *Element)"
	e.ifma("storePoints", signature, "storePoints sets up to eight points to lanes of x and y, which are normal.")
	a, n := e.get(), e.get()
	e.Load(e.Param("a").Base(), a)
	e.Load(e.Param("a").Len(), n)
	for i, name := range []string{"x", "y"} {
		r := e.param(name)
		e.comment("words of %s: word k in Z%d + k", name, 4*i)
		for k := range 5 {
			e.VMOVDQU64(Mem{Base: r, Disp: k * vectorBytes}, z(16+k))
		}
		for k := range 4 { // words
			low, high := uint64(12*k), uint64(52-12*k)
			word := z(4*i + k)
			e.VPSLLQ(Imm(high), z(16+k+1), z(24))
			if k == 0 {
				e.VPORQ(z(24), z(16), word)
				continue
			}
			e.VPSRLQ(Imm(low), z(16+k), word)
			e.VPORQ(z(24), word, word)
		}
		e.put(r)
	}
	e.comment("quarters of Z8 to Z11: two words of lanes 0, 2, 4 and 6; of Z12 to Z15: of the others")
	for i := range 4 {
		e.VPUNPCKLQDQ(z(2*i+1), z(2*i), z(8+i))
		e.VPUNPCKHQDQ(z(2*i+1), z(2*i), z(12+i))
	}
	e.comment("the item of lane i in Zi")
	for i := range 2 {
		from := 8 + 4*i
		for j, which := range []uint64{evenQuarters, oddQuarters} { // lanes i and i + 4, and then i + 2 and i + 6
			e.VSHUFI64X2(Imm(which), z(from+1), z(from), z(16))
			e.VSHUFI64X2(Imm(which), z(from+3), z(from+2), z(17))
			e.VSHUFI64X2(Imm(evenQuarters), z(17), z(16), z(i+2*j))
			e.VSHUFI64X2(Imm(oddQuarters), z(17), z(16), z(i+2*j+4))
		}
	}
	e.comment("as many as there are")
	for lane := range 8 {
		e.CMPQ(n, Imm(uint64(lane)))
		e.JLE(LabelRef("stored"))
		e.VMOVDQU64(z(lane), Mem{Base: a, Disp: lane * 2 * coordinateBytes})
	}
	e.Label("stored")
	e.endVectors()
}
