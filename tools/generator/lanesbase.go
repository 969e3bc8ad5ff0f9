package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"p256k1.mleku.dev/v2/internal/recode"
)

// This file emits the routines of package lanes that look up multiples for secret scalars. These routines read all
// entries of a table, and select multiples of G by permutations and multiples of other points by masks. So no address
// depends on the digits, which are secret.

// baseIndex replaces the window in the lowest bits of each lane by the index of the digit's absolute value in a row
// with the given number of entries. It sets mask K1 to the lanes with a negative digit.
func (e *emitter) baseIndex(windows reg.VecPhysical, entries uint64) {
	constant, minus := z(31), reg.K1
	e.comment("%s: the lanes with a negative digit, in whose window the highest bit is 0; %s: the index of the entry for the digit's absolute value", minus, windows)
	e.all(entries, constant)
	e.VPTESTNMQ(constant, windows, minus)
	e.all(entries-1, constant)
	e.VPXORQ(constant, windows, minus, windows)
}

// keepMinus stores the mask of the lanes with a negative digit.
func (e *emitter) keepMinus() {
	minus := e.param("minus")
	e.KMOVB(reg.K1, Mem{Base: minus})
	e.put(minus)
}

// storeWords stores four words of each lane as an element, at the address in a register.
func (e *emitter) storeWords(w []reg.VecPhysical, address gp) {
	limb, high := z(30), z(31)
	e.comment("convert four words to five limbs")
	e.VMOVDQU64(w[0], Mem{Base: address})
	for k := 1; k < 4; k++ {
		e.join(w[k-1], w[k], uint64(64-12*k), high, limb)
		e.VMOVDQU64(limb, Mem{Base: address, Disp: k * vectorBytes})
	}
	e.VPSRLQ(Imm(16), w[3], limb)
	e.VMOVDQU64(limb, Mem{Base: address, Disp: 4 * vectorBytes})
}

func (e *emitter) baseLookup() {
	e.ifma("baseLookup", "func(x, y *Element, minus *uint8, row *baseRow, words *baseWords, shift int)",
		"baseLookup sets x and y to multiples of G from the row of a window. "+
			"Lane i becomes |d| times the point whose odd multiples the row holds, where d is the digit from bit shift on in lane i of words. "+
			"minus becomes the set of the lanes with a negative digit.")
	words, shift, left := e.param("words"), e.param("shift"), e.get()
	index, t := z(16), z(17)
	e.comment("%s: the bits of words from bit shift on", index)
	e.VMOVQ(shift, reg.X0)
	e.MOVQ(U32(64), left)
	e.SUBQ(shift, left)
	e.VMOVQ(left, reg.X1)
	e.VMOVDQU64(Mem{Base: words}, index)
	e.VMOVDQU64(Mem{Base: words, Disp: vectorBytes}, t)
	e.VPSRLQ(reg.X0, index, index)
	e.VPSLLQ(reg.X1, t, t)
	e.VPORQ(t, index, index)
	e.put(words, shift, left)

	// Two registers hold one word of each of sixteen entries, and a permutation selects among them. The upper two bits
	// of the index then select one of four results.
	sixteen, thirtyTwo := reg.K2, reg.K3
	e.baseIndex(index, recode.LanesEntries)
	e.all(16, t)
	e.VPTESTMQ(t, index, sixteen)
	e.all(32, t)
	e.VPTESTMQ(t, index, thirtyTwo)
	e.keepMinus()
	row := e.param("row")
	w := registers(0, 8)
	for k := range w {
		e.comment("word %d: the lower bits of the index select one entry of each sixteen; masks %s and %s then select one of the four results", k, sixteen, thirtyTwo)
		selected := [4]reg.VecPhysical{w[k], z(18), z(19), z(20)}
		for i, v := range selected {
			part := func(i int) Mem { return Mem{Base: row, Disp: 8*recode.LanesEntries*k + i*vectorBytes} }
			e.VMOVDQU64(part(2*i), v)
			e.VPERMT2Q(part(2*i+1), index, v)
		}
		e.VMOVDQA64(selected[1], sixteen, selected[0])
		e.VMOVDQA64(selected[3], sixteen, selected[2])
		e.VMOVDQA64(selected[2], thirtyTwo, selected[0])
	}
	e.storeWords(w[:4], e.param("x"))
	e.storeWords(w[4:], e.param("y"))
	e.endVectors()
}

func (e *emitter) baseLookupOne() {
	e.ifma("baseLookupOne", "func(x, y *Element, minus *uint8, rows *baseOneRows, windows uint64, n int)",
		"baseLookupOne sets x and y to multiples of G from n ≤ 4 rows. "+
			"windows holds the digits of the eight lanes, one after the other. Lanes i and i + 4 use row i, and become 0 if i ≥ n. "+
			"minus becomes the set of the lanes with a negative digit.")
	index, t := z(16), z(17)
	windows, shifts := e.param("windows"), e.get()
	e.VPBROADCASTQ(windows, index)
	all := uint64(0)
	for i := range 8 {
		all |= uint64(recode.VariableWidth*i) << (8 * i)
	}
	e.MOVQ(U64(all), shifts)
	e.VMOVQ(shifts, reg.X0)
	e.VPMOVZXBQ(reg.X0, t)
	e.VPSRLVQ(t, index, index)
	e.put(windows, shifts)

	e.baseIndex(index, recode.VariableEntries)
	e.keepMinus()
	e.comment("K2: the lanes whose entry is in the first vector of each word; K3: the lanes whose entry is in the second vector")
	vectors := [2]reg.OpmaskPhysical{reg.K2, reg.K3}
	e.all(recode.VariableEntries/2, t)
	e.VPTESTNMQ(t, index, vectors[0])
	e.VPTESTMQ(t, index, vectors[1])

	row, n := e.param("rows"), e.param("n")
	lanes, here := reg.K4, reg.K5
	first := e.get()
	e.MOVQ(U32(0x11), first)
	e.KMOVB(first.As32(), lanes)
	e.put(first)
	w := registers(0, 8)
	for _, v := range w[1:] { // Z0 is 0 already, except in lane 0, which holds the shifts and always receives a multiple
		e.VPXORQ(v, v, v)
	}
	const word = 8 * recode.VariableEntries // bytes that one word of all entries takes
	e.comment("lanes i and i + 4 use row i: mask %s selects these two lanes, and all words of the row are read", lanes)
	e.loop("row")
	for i, k := range vectors {
		e.KANDB(k, lanes, here)
		for j, v := range w {
			e.VPERMQ(Mem{Base: row, Disp: j*word + i*vectorBytes}, index, here, v)
		}
	}
	e.ADDQ(U32(8*word), row)
	e.KSHIFTLB(Imm(1), lanes, lanes)
	e.repeat(n, "row")
	e.storeWords(w[:4], e.param("x"))
	e.storeWords(w[4:], e.param("y"))
	e.endVectors()
}

func (e *emitter) turn() {
	e.ifma("turn", "func(q, p *XYZZ, n int)",
		"turn sets lane i of q to lane (i + n) mod 8 of p.")
	q, p, n, lanes := e.param("q"), e.param("p"), e.param("n"), e.get()
	source, t := z(0), z(1)
	e.comment("lane i comes from lane (i + n) mod 8")
	e.MOVQ(U64(0x0706050403020100), lanes)
	e.VMOVQ(lanes, reg.X0)
	e.VPMOVZXBQ(reg.X0, source)
	e.VPBROADCASTQ(n, t)
	e.VPADDQ(t, source, source)
	for i := range 20 {
		e.VPERMQ(Mem{Base: p, Disp: i * vectorBytes}, source, t)
		e.VMOVDQU64(t, Mem{Base: q, Disp: i * vectorBytes})
	}
	e.endVectors()
}

func (e *emitter) variableLookup() {
	e.ifma("variableLookup", "func(x, y *Element, table *variableTable, index uint64)",
		"variableLookup sets x and y to entry index of the table. It reads all entries, because index is secret.")
	left, minusOne, limb, here := z(16), z(17), z(18), reg.K1
	index, table := e.param("index"), e.param("table")
	e.VPBROADCASTQ(index, left)
	e.put(index)
	e.all(recode.VariableEntries-1, limb)
	e.VPANDQ(limb, left, left)
	e.all(1<<64-1, minusOne)
	w := registers(0, 10)
	e.comment("entry 0, which another entry may replace")
	for i := range recode.VariableEntries {
		if i > 0 {
			e.comment("entry %d, in the lanes where %s, which counts down from the index, is 0", i, left)
			e.VPTESTNMQ(left, left, here)
		}
		for k, v := range w {
			entry := Mem{Base: table, Disp: (len(w)*i + k) * vectorBytes}
			if i == 0 {
				e.VMOVDQU64(entry, v)
				continue
			}
			e.VMOVDQU64(entry, limb)
			e.VMOVDQA64(limb, here, v)
		}
		if i < recode.VariableEntries-1 {
			e.VPADDQ(minusOne, left, left)
		}
	}
	e.put(table)
	for n, name := range []string{"x", "y"} {
		result := e.param(name)
		e.keepVectors(w[5*n:][:5], result)
		e.put(result)
	}
	e.endVectors()
}
