package main

import "fmt"

// lookupARM64 emits the table look-up of package ecmult. The routine reads the whole table: if the number of an entry
// equals the index, the words of the entry replace the result, without a branch (see lookupGeneric).
func lookupARM64(e *arm64) {
	e.importType("group", "Affine")
	e.routine("lookup", "func(p *Affine, table []entry, window uint64)",
		"lookup sets p to the entry of table for the signed odd digit that window stands for, negated if the digit is negative.")
	table, n, index, negative, t := e.get(), e.get(), e.get(), e.get(), e.get()
	e.comment("%s: −1 for a negative digit, otherwise 0; %s: the index of the entry for the digit's absolute value", negative, index)
	entries := e.signature.Params().Lookup("table")
	e.setTo(table, entries.Base())
	e.setTo(n, entries.Len())
	e.set(index, "window")
	e.op("SUB", n, index, negative)
	e.op("ASR", "$63", negative, negative)
	e.op("EOR", negative, index, index)
	e.op("SUB", "$1", n, t)
	e.op("AND", t, index, index)

	vector := func(i int, lanes string) string { return fmt.Sprintf("V%d.%s", i, lanes) }
	const wanted, number, one, mask, x = 4, 5, 6, 7, 16 // the result is in V16 to V19
	e.comment("V%d: the index; V%d: the number of the current entry; V%d to V%d: x and y of the entry at the index", wanted, number, x, x+3)
	e.op("VDUP", index, vector(wanted, "D2"))
	e.op("MOVD", "$1", t)
	e.op("VDUP", t, vector(one, "D2"))
	for _, v := range []int{number, x, x + 1, x + 2, x + 3} {
		e.op("VEOR", vector(v, "B16"), vector(v, "B16"), vector(v, "B16"))
	}
	e.comment("all entries are read: mask V%d selects the words of the entry whose number is the index", mask)
	e.label("loop")
	for range 4 {
		e.op("VLD1.P", fmt.Sprintf("64(%s)", table), "[V0.D2, V1.D2, V2.D2, V3.D2]")
		e.op("VCMEQ", vector(wanted, "D2"), vector(number, "D2"), vector(mask, "D2"))
		e.op("VADD", vector(one, "D2"), vector(number, "D2"), vector(number, "D2"))
		for i := range 4 {
			e.op("VBIT", vector(mask, "B16"), vector(i, "B16"), vector(x+i, "B16"))
		}
	}
	e.op("SUB", "$4", n, n)
	e.op("CBNZ", n, "loop")
	e.put(table, n, index, t)

	p := e.arg("p", 0)
	y := e.take4()
	for i, r := range y {
		e.op("VMOV", fmt.Sprintf("V%d.D[%d]", x+2+i/2, i%2), r)
	}
	e.op("VST1", "[V16.D2, V17.D2]", fmt.Sprintf("(%s)", p.pointer.Asm()))
	e.comment("clear the vectors that hold secrets")
	for _, v := range []int{wanted, mask, x, x + 1, x + 2, x + 3} {
		e.op("VEOR", vector(v, "B16"), vector(v, "B16"), vector(v, "B16"))
	}
	e.comment("negate y for a negative digit: −y ≡ ^y − (c − 1), minus c after a borrow, as in Element.Negate")
	less := e.get()
	e.loadC()
	for _, r := range y {
		e.op("EOR", negative, r, r)
	}
	e.op("SUB", "$1", e.c, less)
	e.op("AND", negative, less, less)
	e.subWords(y[:], less)
	e.op("CSEL", "LO", e.c, zr, less)
	e.op("SUB", less, y[0], y[0])
	e.keep(place{p.pointer, 32}, y[:]...)
	e.end()
}
