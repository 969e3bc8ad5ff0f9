package main

import "fmt"

// This file multiplies integers of eight 32-bit words with SSE2. A multiplication instruction computes two products,
// which belong to columns k and k + 1 of the result, for even k. The low and high halves of products are added up
// separately, in 64 bits each, and carries are propagated only at the end. The fold 2²⁵⁶ ≡ 2³² + 977 leaves eight
// columns.

// Places on the stack, as offsets from DI, which is a multiple of 16.
const (
	factors   = 0                // the words of a, each twice in 16 bytes
	evenPairs = factors + 8*16   // pairs of words of b, 64 bits for each word: 0 and 1, 2 and 3, up to 6 and 7
	oddPairs  = evenPairs + 4*16 // pairs of words of b: zero and word 0, words 1 and 2, up to word 7 and zero
	columns   = oddPairs + 5*16  // eight columns, 64 bits for each
	frame386  = columns + 8*8 + 12
)

// Registers of 128 bits. The names are valid from the first product of the first two columns to the last column.
const (
	products = "X0" // the sum of the products, mod 2⁶⁴
	upper    = "X1" // the sum of their upper halves
	x        = "X2"
	y        = "X3"
	before   = "X4" // upper halves from the two previous columns
	c977     = "X5" // 977, throughout
	squares  = "X6"
	above    = "X7" // the two previous columns, from column 8 on, which the fold also adds times 2³²
)

// fieldI386 emits the routines of package field.
func fieldI386(e *i386) {
	e.routine("mul", "func(v, a, b *Element)", "mul sets v = a · b.")
	e.alignStack()
	e.comment("v = a·b: store each word of a twice, and the words of b in pairs")
	e.op("MOVL", e.operand("a"), "SI")
	e.spreadFactors()
	e.op("MOVL", e.operand("b"), "SI")
	e.spreadPairs()
	e.reduceColumns(mulColumns)
	e.end()

	e.routine("square", "func(v, a *Element)", "square sets v = a².")
	e.alignStack()
	e.comment("v = a²: store each word of a twice, and the words in pairs")
	e.op("MOVL", e.operand("a"), "SI")
	e.spreadBoth()
	e.reduceColumns(squareColumns)
	e.end()

	e.routine("squareN", "func(v, a *Element, n int)", "squareN sets v = a^(2ⁿ) for n > 0.")
	e.alignStack()
	e.op("MOVL", e.operand("a"), "SI")
	e.comment("repeat n times v = x², with x = a the first time and x = v afterwards: store each word of x twice, and the words in pairs")
	e.label("loop")
	e.spreadBoth()
	e.reduceColumns(squareColumns)
	e.op("MOVL", e.operand("v"), "SI")
	e.op("DECL", e.operand("n"))
	e.op("JNE", "loop")
	e.end()
}

func (e *i386) alignStack() {
	e.frame = frame386
	e.note("The stack holds, at offsets from DI: the words of a, each twice, from byte %d on; pairs of words of b that begin with an even word, from byte %d on; "+
		"pairs that begin with an odd word, from byte %d on; eight columns of 64 bits, from byte %d on. In comments, xᵢ and yᵢ are the words of a and b, of 32 bits.", factors, evenPairs, oddPairs, columns)
	e.note("%s: the sum of products in columns k and k + 1; %s: the sum of their upper halves; %s: the sum of the upper halves in the previous columns; %s: 977.", products, upper, before, c977)
	e.op("LEAL", "15(SP)", "DI")
	e.op("ANDL", "$-16", "DI")
}

func local386(at int) string { return fmt.Sprintf("%d(DI)", at) }

// spreadFactors stores each of the words at SI twice, as factors. It loads the words one by one, because they were
// stored one by one, and a wider load would have to wait for all of the stores.
func (e *i386) spreadFactors() {
	for i := range 8 {
		r := vector(i)
		e.op("MOVL", word32(i, "SI"), r)
		e.op("PSHUFL", "$0", r, r)
		e.op("MOVO", r, local386(factors+16*i))
	}
}

// spreadPairs stores the pairs of the words at SI.
func (e *i386) spreadPairs() {
	e.spreadEvenPairs()
	e.op("MOVO", vector(0), "X4")
	e.op("PSLLO", "$8", "X4")
	e.op("MOVO", "X4", local386(oddPairs))
	e.spreadOddPairs()
}

// spreadBoth stores the factors and the pairs that are needed to square the words at SI.
func (e *i386) spreadBoth() {
	e.spreadEvenPairs()
	for i := range 4 {
		e.op("PSHUFL", "$0x44", vector(i), "X4")
		e.op("MOVO", "X4", local386(factors+32*i))
		e.op("PSHUFL", "$0xee", vector(i), "X4")
		e.op("MOVO", "X4", local386(factors+32*i+16))
	}
	e.spreadOddPairs()
}

// spreadEvenPairs stores the pairs that begin with an even word, and leaves them in X0 to X3.
func (e *i386) spreadEvenPairs() {
	for i := range 4 {
		e.op("MOVL", word32(2*i, "SI"), vector(i))
		e.op("MOVL", word32(2*i+1, "SI"), "X4")
		e.op("PUNPCKLQDQ", "X4", vector(i))
		e.op("MOVO", vector(i), local386(evenPairs+16*i))
	}
}

// spreadOddPairs computes the pairs that begin with an odd word from X0 to X3, and stores them. It leaves out the pair
// of zero and word 0.
func (e *i386) spreadOddPairs() {
	for i := range 3 {
		e.op("SHUFPD", "$1", vector(i+1), vector(i))
		e.op("MOVO", vector(i), local386(oddPairs+16*(i+1)))
	}
	e.op("PSRLO", "$8", vector(3))
	e.op("MOVO", vector(3), local386(oddPairs+16*4))
}

// multiply sets r to the products of word i of a with words k − i and k + 1 − i of b.
func (e *i386) multiply(i, k int, r string) {
	pair := evenPairs + 8*(k-i)
	if (k-i)%2 != 0 {
		pair = oddPairs + 8*(k-i+1)
	}
	e.op("MOVO", local386(pair), r)
	e.op("PMULULQ", local386(factors+16*i), r)
}

// addPair adds the products in r to the sums or, if first is true, sets the sums to the products. It changes r.
func (e *i386) addPair(first bool, r string) {
	if first {
		e.op("MOVO", r, products)
		e.op("PSRLQ", "$32", r)
		e.op("MOVO", r, upper)
		return
	}
	e.op("PADDQ", r, products)
	e.op("PSRLQ", "$32", r)
	e.op("PADDQ", r, upper)
}

// mulColumns computes columns k and k + 1 of a·b.
func mulColumns(e *i386, k int) {
	first := max(0, k-7)
	e.comment("columns %d and %d: xᵢ·yⱼ for i + j = %[1]d and i + j = %[2]d", k, k+1)
	for i := first; i <= min(k+1, 7); i++ {
		e.multiply(i, k, x)
		e.addPair(i == first, x)
	}
	e.settle()
}

// squareColumns computes columns k and k + 1 of a². Each product of two different words is computed once and doubled.
func squareColumns(e *i386, k int) {
	first := max(0, k-7)
	e.comment("columns %d and %d: twice xᵢ·xⱼ for i < j and i + j = %[1]d or %[2]d, and x%s²", k, k+1, sub(k/2))
	for i := first; i < k/2; i++ {
		e.multiply(i, k, x)
		e.addPair(i == first, x)
	}
	// One of the last two products is a square, which counts once. The other product counts twice.
	e.multiply(k/2, k, x)
	e.clear(y) // becomes the product that counts twice
	e.op("MOVO", x, squares)
	e.op("PUNPCKLLQ", y, squares)
	e.op("SHUFPD", "$2", x, y)
	e.addPair(first == k/2, y)
	e.settle()
	e.op("PADDQ", products, products)
	e.op("PADDQ", squares, products)
}

// settle sets products to the values of columns k and k + 1, which are less than 2³⁶. The value of a column is the
// sum of the lower halves of its products, plus the sum of the upper halves in the column before it. The sum of the
// lower halves is the sum of the products minus 2³² times the sum of their upper halves.
func (e *i386) settle() {
	e.comment("%s = the sum of the lower halves of these products + the sum of the upper halves in the previous columns", products)
	e.op("MOVO", upper, x)
	e.op("PSLLQ", "$32", x)
	e.op("PSUBQ", x, products)
	e.op("SHUFPD", "$1", upper, before)
	e.op("PADDQ", before, products)
	e.op("MOVO", upper, before)
}

// reduceColumns reduces the sum of the columns modulo p and stores it in v. add(e, k) puts columns k and k + 1 into
// products.
func (e *i386) reduceColumns(add func(e *i386, k int)) {
	e.op("MOVL", "$977", "AX")
	e.op("MOVL", "AX", c977)
	e.op("PSHUFL", "$0", c977, c977)
	e.clear(before)
	e.clear(above)
	for k := 0; k < 16; k += 2 {
		add(e, k)
		at := local386(columns + 8*(k%8))
		if k < 8 {
			e.op("MOVO", products, at)
			continue
		}
		e.comment("fold: add columns %d and %d, times 2³² + 977, to the lower columns", k, k+1)
		e.op("MOVO", products, x)
		e.op("MOVO", products, y)
		e.op("PMULULQ", c977, x)
		e.op("PSRLQ", "$32", y)
		e.op("PMULULQ", c977, y)
		e.op("PSLLQ", "$32", y)
		e.op("PADDQ", y, x)
		e.op("SHUFPD", "$1", products, above)
		e.op("PADDQ", above, x)
		e.op("PADDQ", at, x)
		e.op("MOVO", x, at)
		e.op("MOVO", products, above)
	}
	e.op("PSRLO", "$8", above) // what remains is column 15, times 2³²

	e.comment("carry: column i is in words i and i + 1")
	e.op("MOVL", above, "BX")
	e.zero("CX")
	half := func(i int) string { return local386(columns + 4*i) }
	for i := 1; i < 8; i++ {
		r := [2]string{"AX", "DX"}[i%2]
		if i == 7 {
			r = "BP"
		}
		e.op("MOVL", half(2*i), r)
		if i == 1 {
			e.op("ADDL", half(2*i-1), r)
		} else {
			e.op("ADCL", half(2*i-1), r)
		}
		if i < 7 {
			e.op("MOVL", r, half(2*i))
		}
	}
	e.op("ADCL", half(15), "BX")
	e.op("ADCL", "$0", "CX")

	e.comment("reduce: the part above 2²⁵⁶ is below 2³³, and is multiplied by 2³² + 977")
	e.op("MOVL", "$977", "AX")
	e.op("MULL", "BX")
	e.op("IMUL3L", "$977", "CX", "SI")
	e.op("ADDL", "SI", "DX")
	e.op("ADDL", "BX", "DX")
	e.op("ADCL", "$0", "CX")
	e.op("ADDL", half(0), "AX")
	e.op("ADCL", half(2), "DX")
	e.op("ADCL", half(4), "CX")
	e.op("MOVL", e.operand("v"), "SI")
	for i := 3; i < 7; i++ {
		e.op("MOVL", half(2*i), "BX")
		e.op("ADCL", "$0", "BX")
		e.op("MOVL", "BX", word32(i, "SI"))
	}
	e.op("ADCL", "$0", "BP")
	e.op("MOVL", "BP", word32(7, "SI"))
	e.comment("after a carry the words hold less than 2⁶⁶, so adding c for the carry changes only words 0 to 2")
	e.op("SBBL", "BX", "BX")
	e.op("MOVL", "BX", "BP")
	e.op("ANDL", "$977", "BX")
	e.op("ANDL", "$1", "BP")
	e.op("ADDL", "BX", "AX")
	e.op("ADCL", "BP", "DX")
	e.op("ADCL", "$0", "CX")
	e.op("MOVL", "AX", word32(0, "SI"))
	e.op("MOVL", "DX", word32(1, "SI"))
	e.op("MOVL", "CX", word32(2, "SI"))
}
