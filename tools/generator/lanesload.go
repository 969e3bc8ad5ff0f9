package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// This file emits the routines of package lanes that move items between slices and vectors. The items of a slice are
// contiguous, and have four words for each coordinate.

const coordinateBytes = 4 * 8

// lanesLoad emits all routines of this file.
func lanesLoad(e *emitter) {
	const item = "sets lane i of r to a[i], for one to eight items. Lanes without an item get a[0]."
	e.loads("loadScalars", "func(r *Element, a []laneScalar)", "loadScalars "+item, 1)
	e.loads("loadElements", "func(r *Element, a []laneElement)", "loadElements "+item, 1)
	e.loads("loadPoints", "func(r *Affine, a []lanePoint)", "loadPoints "+item, 2)
	e.storePoints()
}

// loads emits a routine that loads items with the given number of coordinates.
func (e *emitter) loads(name, signature, doc string, coordinates int) {
	e.ifma(name, signature, doc)
	a, n, zero := e.get(), e.get(), e.get()
	e.Load(e.Param("a").Base(), a)
	e.Load(e.Param("a").Len(), n)
	e.zero(zero)
	e.comment("the offset of the item of each lane from the first item: 0 for lanes without an item")
	var at [8]gp // offsets from the first item
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
	e.ifma("storePoints", signature, "storePoints sets a[i] to the point (x, y) of lane i, for up to eight points. x and y must be normalized.")
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
	e.comment("each quarter of Z8 to Z11: two words of lane 0, 2, 4 or 6; each quarter of Z12 to Z15: two words of lane 1, 3, 5 or 7")
	for i := range 4 {
		e.VPUNPCKLQDQ(z(2*i+1), z(2*i), z(8+i))
		e.VPUNPCKHQDQ(z(2*i+1), z(2*i), z(12+i))
	}
	e.comment("move the item of lane i to Zi")
	for i := range 2 {
		from := 8 + 4*i
		for j, which := range []uint64{evenQuarters, oddQuarters} { // lanes i and i + 4, and then i + 2 and i + 6
			e.VSHUFI64X2(Imm(which), z(from+1), z(from), z(16))
			e.VSHUFI64X2(Imm(which), z(from+3), z(from+2), z(17))
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
