package main

import "fmt"

// lookupI386 emits the table look-up of package ecmult. The routine reads the whole table. The mask of an entry is all
// ones if the number of the entry equals the index, and zero otherwise. The OR of all masked entries is the result (see
// lookupGeneric).
func lookupI386(e *i386) {
	e.importType("group", "Affine")
	e.routine("lookup", "func(p *Affine, table []entry, window uint64)",
		"lookup sets p to the entry of table for the signed odd digit that window stands for, negated if the digit is negative.")
	const table, n, index, negative, t = "SI", "CX", "AX", "BX", "DX"
	e.comment("%s: −1 for a negative digit, otherwise 0; %s: the index of the entry for the digit's absolute value", negative, index)
	e.op("MOVL", e.operand("table_base"), table)
	e.op("MOVL", e.operand("table_len"), n)
	e.op("MOVL", e.operand("window_lo"), index)
	e.op("MOVL", index, negative)
	e.op("SUBL", n, negative)
	e.op("SARL", "$31", negative)
	e.op("XORL", negative, index)
	e.op("LEAL", "-1("+n+")", t)
	e.op("ANDL", t, index)

	e.comment("X0 to X3: the OR of masked entries; X4 counts down from the index")
	const left, mask, minus, x = "X4", "X5", "X6", "X7"
	e.op("MOVL", index, left)
	e.op("PSHUFL", "$0", left, left)
	e.op("PCMPEQL", minus, minus)
	for i := range 4 {
		e.clear(vector(i))
	}
	e.comment("all entries are read: mask %s selects the words of the entry for which %s is 0", mask, left)
	e.label("loop")
	for i := range 4 {
		e.clear(mask)
		e.op("PCMPEQL", left, mask)
		e.op("PADDL", minus, left)
		for j := range 4 {
			e.op("MOVOU", fmt.Sprintf("%d(%s)", 64*i+16*j, table), x)
			e.op("PAND", mask, x)
			e.op("POR", x, vector(j))
		}
	}
	e.op("ADDL", "$256", table)
	e.op("SUBL", "$4", n)
	e.op("JNE", "loop")

	e.comment("complement y for a negative digit: −y ≡ ^y − (c − 1), minus c after a borrow, as in Element.Negate")
	const p, less, low, high = "SI", "CX", "AX", "DX"
	e.op("MOVL", negative, mask)
	e.op("PSHUFL", "$0", mask, mask)
	e.op("PXOR", mask, vector(2))
	e.op("PXOR", mask, vector(3))
	e.op("MOVL", e.operand("p"), p)
	for i := range 4 {
		e.op("MOVOU", vector(i), fmt.Sprintf("%d(%s)", 16*i, p))
	}
	e.comment("clear the vectors that hold secrets")
	for i := range 8 {
		e.clear(vector(i))
	}
	e.comment("for a negative digit, subtract c − 1, and c after a borrow")
	y := func(i int) string { return word32(8+i, p) }
	e.op("MOVL", y(0), low)
	e.op("MOVL", y(1), high)
	e.op("MOVL", negative, less)
	e.op("ANDL", "$976", less)
	e.op("ANDL", "$1", negative)
	e.op("SUBL", less, low)
	e.op("SBBL", negative, high)
	for i := 2; i < 8; i++ {
		e.op("SBBL", "$0", y(i))
	}
	e.op("SBBL", negative, negative)
	e.op("MOVL", negative, less)
	e.op("ANDL", "$977", less)
	e.op("ANDL", "$1", negative)
	e.op("SUBL", less, low)
	e.op("SBBL", negative, high)
	e.op("MOVL", low, y(0))
	e.op("MOVL", high, y(1))
	e.end()
}
