package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"p256k1.mleku.dev/v2/internal/recode"
)

// This file emits the routines of package lanes that write scalars as digits.

const (
	pointPlaces     = recode.RegularPointDigits
	generatorPlaces = recode.RegularGeneratorDigits
)

// choose is the truth table for VPTERNLOGQ that selects bits of b where a mask has ones, and bits of a elsewhere. The
// operands are the mask, b and a, and the result replaces a.
const choose = 0xd8

// recodePoint emits the recoding of docs/digits.md, S16.
func (e *emitter) recodePoint() {
	e.ifma("recodePointVartime", "func(d *pointDigits, k *halves, c *classes)",
		"recodePointVartime sets d to the digits of the scalars k for multiples of a point.")
	d, h, c := e.param("d"), e.param("k"), e.param("c")
	const nonzero, fits = 2 * pointPlaces * vectorBytes, 2*pointPlaces*vectorBytes + pointPlaces

	classU, classV, classX, classY, classMinusY := z(31), z(30), z(29), z(28), z(27)
	for i, v := range []Op{classU, classV, classX, classY, classMinusY} {
		e.VMOVDQU64(Mem{Base: c, Disp: i * vectorBytes}, v)
	}
	seven, eight, class, bytes, lane := z(26), z(25), z(24), z(23), z(22)
	e.all(7, seven)
	e.all(8, eight)
	e.all(63, class)
	e.all(8*elementBytes/8, bytes)
	// Lane i begins 8·i bytes after lane 0.
	r := e.get()
	e.MOVQ(U64(0x3830282018100800), r)
	e.VMOVQ(r, lane.AsX())
	e.VPMOVZXBQ(lane.AsX(), lane)
	e.MOVQ(U64(0x0101010101010101), r)
	lowest := reg.K1 // selects the lowest byte of each lane, which holds the class
	e.KMOVQ(r, lowest)
	e.put(r)

	// bits holds 63 bits of k1 and k2, enough for 21 digits. rest holds the remainder that the earlier digits leave.
	bits, rest, digit, t := pair{z(0), z(1)}, pair{z(2), z(3)}, pair{z(5), z(6)}, z(4)
	e.both(e.VPXORQ, rest, rest, rest)
	e.note("%s and %s: 63 bits of k1 and k2; %s and %s: the remainder x + y·λ that earlier digits leave; %s and %s: a digit u + v·λ.",
		bits[0], bits[1], rest[0], rest[1], digit[0], digit[1])

	// row stores the offset of a class's row. With a mask, it stores only in the lanes of the mask.
	row := func(class Op, maskAndPlace ...Op) {
		e.comment("store the offset of the row of the class")
		e.VPERMB_Z(class, t, lowest, z(7))
		e.VMOVDQA64(lane, z(8))
		e.VPMADD52LUQ(bytes, z(7), z(8))
		e.VMOVDQU64(append([]Op{z(8)}, maskAndPlace...)...)
	}
	rowOfY := Mem{Base: c, Disp: pointPlaces * vectorBytes}
	// recode sets t to the class of x + y·λ, and digit to the coordinates of its digit, plus 8. It stores whether the
	// digit is 0 and the row of its x, but not the row of its y.
	recode := func() {
		e.comment("%s: the class (x mod 8, y mod 8), and whether it is 0; %s and %s: u + 8 and v + 8 for the digit u + v·λ of the class", t, digit[0], digit[1])
		e.VPSLLQ(Imm(3), rest[1], t)
		e.VPTERNLOGQ(Imm(choose), seven, rest[0], t)
		e.VPTESTMQ(class, t, reg.K2)
		e.KMOVB(reg.K2, Mem{Base: d, Disp: nonzero, Index: h, Scale: 1})
		e.VPERMB_Z(classU, t, lowest, digit[0])
		e.VPERMB_Z(classV, t, lowest, digit[1])
		row(classX, Mem{Base: c})
	}
	half := func(offset int) { // sets bits to the bits of k1 and k2 from bit 63 or 126 on
		word, low := offset/64, offset%64
		e.comment("%s and %s: the bits of k1 and k2 from bit %d on", bits[0], bits[1], offset)
		for i, r := range bits {
			e.VMOVDQU64(Mem{Base: h, Disp: i*halfBytes + word*vectorBytes}, r)
			e.VMOVDQU64(Mem{Base: h, Disp: i*halfBytes + (word+1)*vectorBytes}, t)
			e.join(r, t, uint64(low), t, r)
		}
	}
	half(126)
	top, middle := pair{z(16), z(17)}, pair{z(18), z(19)}
	e.both(e.VMOVDQA64, bits, top)
	half(63)
	e.both(e.VMOVDQA64, bits, middle)
	e.both(e.VMOVDQU64, pair{Mem{Base: h}, Mem{Base: h, Disp: halfBytes}}, bits)

	e.comment("for each place: add three bits to x and y; %s: where the digit is stored; %s: the number of the place", c, h)
	e.MOVQ(d, c)
	e.zero(h)
	e.Label("digits")
	for i, r := range bits {
		e.VPANDQ(seven, r, t)
		e.VPADDQ(t, rest[i], rest[i])
		e.VPSRLQ(Imm(3), r, r)
	}
	recode()
	row(classY, rowOfY)
	e.comment("x = (x − u)/8, y = (y − v)/8")
	for i, r := range rest {
		e.VPADDQ(eight, r, r)
		e.VPSUBQ(digit[i], r, r)
		e.VPSRAQ(Imm(3), r, r)
	}
	e.comment("swap the rows of y and −y, because the three doublings between two places negate the point")
	e.VMOVDQA64(classY, t)
	e.VMOVDQA64(classMinusY, classY)
	e.VMOVDQA64(t, classMinusY)
	e.ADDQ(Imm(vectorBytes), c)
	e.ADDQ(Imm(1), h)
	e.CMPQ(h, Imm(pointPlaces/2))
	e.JNE(LabelRef("same"))
	e.both(e.VMOVDQA64, middle, bits)
	e.Label("same")
	e.CMPQ(h, Imm(pointPlaces-1))
	e.JNE(LabelRef("digits"))

	e.comment("the last remainder must be the digit of its class or the opposite of this digit")
	e.both(e.VPADDQ, top, rest, rest)
	recode()
	e.both(e.VPSUBQ, eight, digit, digit)
	e.both(e.VPXORQ, digit, rest, pair{z(7), z(8)})
	e.VPORQ(z(7), z(8), z(7))
	e.VPTESTNMQ(z(7), z(7), reg.K2)
	e.both(e.VPADDQ, digit, rest, rest)
	e.VPORQ(rest[0], rest[1], rest[0])
	e.VPTESTNMQ(rest[0], rest[0], reg.K3)
	e.KANDNB(reg.K3, reg.K2, reg.K3)
	e.KORB(reg.K2, reg.K3, reg.K2)
	e.KMOVB(reg.K2, Mem{Base: d, Disp: fits})
	row(classY, rowOfY)
	row(classMinusY, reg.K3, rowOfY)
	e.endVectors()
}

// recodeGenerator emits the recoding of docs/digits.md, S17.
func (e *emitter) recodeGenerator() {
	e.ifma("recodeGeneratorVartime", "func(d *generatorDigits, k *halves, c *classes)",
		"recodeGeneratorVartime sets d to the digits of the scalars k for multiples of G.")
	d, h, c := e.param("d"), e.param("k"), e.param("c")
	const (
		nonzero = generatorPlaces * vectorBytes
		minus   = nonzero + generatorPlaces
		power   = minus + generatorPlaces
		fits    = power + 2*generatorPlaces
	)
	rows, zero, one, seven, low, middle := z(31), z(30), z(29), z(28), z(27), z(26)
	e.VMOVDQU64(Mem{Base: c, Disp: 5 * vectorBytes}, rows)
	e.VPXORQ(zero, zero, zero)
	e.all(1, one)
	e.all(7, seven)
	e.all(255, low)
	e.all(128, middle)
	bits, rest, digit := pair{z(0), z(1)}, pair{z(2), z(3)}, pair{z(4), z(5)}
	e.both(e.VPXORQ, rest, rest, rest)
	place := e.get()
	e.zero(place)

	// recode stores the digit for the class of x + y·λ, and sets digit to its coordinates u and v.
	recode := func() {
		u, v, r, s, any := digit[0], digit[1], z(6), z(7), z(8)
		rs := pair{r, s}
		valuation, mask, half, t, offset := z(9), z(10), z(11), z(12), z(13)
		nonzeroK, minusK, turnedK, secondK, firstK := reg.K1, reg.K2, reg.K3, reg.K4, reg.K5
		keep := func(k reg.OpmaskPhysical, offset int) {
			e.KMOVB(k, Mem{Base: d, Disp: offset, Index: place, Scale: 1})
		}
		e.comment("%s and %s: x mod 2⁸ and y mod 2⁸; %s: the lanes in which one of them is not 0", r, s, nonzeroK)
		e.both(e.VPANDQ, low, rest, rs)
		e.VPORQ(r, s, any)
		e.VPTESTMQ(any, any, nonzeroK)
		keep(nonzeroK, nonzero)
		e.comment("%s: the exponent of the largest power of 2 that divides both, which is 63 minus the number of zeros above the lowest set bit; divide both by this power", valuation)
		e.VPSUBQ(any, zero, valuation)
		e.VPANDQ(any, valuation, valuation)
		e.VPLZCNTQ(valuation, valuation)
		e.VPANDNQ(seven, valuation, valuation)
		e.both(e.VPSRLVQ, valuation, rs, rs)
		e.both(e.VPSRLVQ, valuation, pair{low, middle}, pair{mask, half})
		// turnedK holds the lanes with j = 1 or j = 2, and secondK the lanes with j = 2, whose results are set last.
		e.comment("u + v·λ = (r + s·λ)/λʲ (docs/digits.md, S1), with j = 1 in the lanes of %s, j = 2 in the lanes of %s, and j = 0 elsewhere", firstK, secondK)
		e.VPTESTMQ(one, s, turnedK)
		e.VPTESTMQ(one, r, turnedK, secondK)
		e.KANDNB(turnedK, secondK, firstK)
		keep(firstK, power)
		keep(secondK, power+generatorPlaces)
		e.both(e.VMOVDQA64, rs, digit)
		e.both(e.VPSUBQ, r, pair{s, zero}, turnedK, digit)
		e.both(e.VPSUBQ, s, pair{zero, r}, secondK, digit)
		e.comment("%s: the lanes whose digit is negated, so that 0 < u ≤ 2ʷ⁻¹ for w = 8 − %s", minusK, valuation)
		e.VPTESTMQ(half, u, minusK)
		keep(minusK, minus)
		e.both(e.VPSUBQ, digit, zero, minusK, digit)
		e.both(e.VPANDQ, mask, digit, digit)
		e.comment("the offset of the digit's entry in the table")
		e.VPSRLQ(Imm(1), u, offset)
		e.VPSUBQ(valuation, seven, t)
		e.VPSLLVQ(t, offset, offset)
		e.VPSRLQ(Imm(1), v, t)
		e.VPADDQ(t, offset, offset)
		e.VPERMQ(rows, valuation, t)
		e.VPADDQ(t, offset, offset)
		e.VPSLLQ_Z(Imm(6), offset, nonzeroK, offset)
		e.VMOVDQU64(offset, Mem{Base: c})
		e.comment("bring v into the range −2ʷ⁻¹ ≤ v < 2ʷ⁻¹")
		e.VPXORQ(half, v, v)
		e.VPSUBQ(half, v, v)
		e.comment("the digit itself: multiply u + v·λ by the power of λ, the sign and the power of 2")
		e.both(e.VMOVDQA64, digit, rs)
		e.both(e.VPSUBQ, s, pair{zero, r}, turnedK, digit)
		e.both(e.VPSUBQ, r, pair{s, zero}, secondK, digit)
		e.both(e.VPSUBQ, digit, zero, minusK, digit)
		e.VPSLLVQ_Z(valuation, u, nonzeroK, u)
		e.VPSLLVQ_Z(valuation, v, nonzeroK, v)
	}

	e.comment("for each place: add eight bits to x and y; %s: where the digit is stored; %s: the number of the place", c, place)
	e.MOVQ(d, c)
	e.Label("words")
	words := pair{Mem{Base: h}, Mem{Base: h, Disp: halfBytes}}
	e.both(e.VMOVDQU64, words, bits)
	e.ADDQ(Imm(vectorBytes), h)
	e.Label("digits")
	for i, r := range bits {
		e.VPANDQ(low, r, z(6))
		e.VPADDQ(z(6), rest[i], rest[i])
		e.VPSRLQ(Imm(8), r, r)
	}
	recode()
	e.comment("x = (x − u)/2⁸, y = (y − v)/2⁸")
	e.both(e.VPSUBQ, digit, rest, rest)
	e.both(e.VPSRAQ, Imm(8), rest, rest)
	e.ADDQ(Imm(vectorBytes), c)
	e.ADDQ(Imm(1), place)
	e.CMPQ(place, Imm(generatorPlaces/2))
	e.JEQ(LabelRef("words"))
	e.CMPQ(place, Imm(generatorPlaces-1))
	e.JNE(LabelRef("digits"))

	e.comment("the last digit must equal 4 times the remainder")
	e.both(e.VPADDQ, words, rest, rest)
	e.both(e.VPSLLQ, Imm(2), rest, rest)
	recode()
	e.both(e.VPXORQ, digit, rest, rest)
	e.VPORQ(rest[0], rest[1], rest[0])
	e.VPTESTNMQ(rest[0], rest[0], reg.K1)
	e.KMOVB(reg.K1, Mem{Base: d, Disp: fits})
	e.endVectors()
}
