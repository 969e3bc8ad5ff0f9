package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"p256k1.mleku.dev/v2/internal/recode"
)

// This file emits the routines of package lanes that write scalars as digits, and the routines that look up the
// multiples of points for digits.

const (
	elementBytes = 5 * vectorBytes
	halfBytes    = 3 * vectorBytes // k1 or k2 of the type halves

	pointPlaces     = recode.RegularPointDigits
	generatorPlaces = recode.RegularGeneratorDigits
)

// lanesDigits emits all routines of this file.
func lanesDigits(e *emitter) {
	e.importType("tables", "Generator")
	e.recodePoint()
	e.recodeGenerator()
	e.prefetchGenerator()
	e.gatherPoint()
	e.gatherGenerator()
	e.gather()
}

// ifma begins a routine for processors with AVX-512 IFMA.
func (e *emitter) ifma(name, signature, doc string) {
	e.declaration(name, signature, doc)
	e.way("IFMA")
}

// endVectors ends a routine that used vectors.
func (e *emitter) endVectors() {
	e.VZEROUPPER()
	e.end()
}

// keepVectors stores vectors at consecutive addresses.
func (e *emitter) keepVectors(list []reg.VecPhysical, to gp) {
	for i, v := range list {
		e.VMOVDQU64(v, Mem{Base: to, Disp: i * vectorBytes})
	}
}

// eightWords loads eight consecutive words, one for each lane, from the address in a register.
func (e *emitter) eightWords(from gp) (words [8]gp) {
	for lane := range words {
		words[lane] = e.get()
		e.MOVQ(Mem{Base: from, Disp: 8 * lane}, words[lane])
	}
	return words
}

// zmm lists the vector registers of 512 bits.
var zmm = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
}

func z(i int) reg.VecPhysical { return zmm[i] }

// all sets every lane of v to n.
func (e *emitter) all(n uint64, v reg.VecPhysical) {
	r := e.get()
	e.MOVQ(U64(n), r)
	e.VPBROADCASTQ(r, v)
	e.put(r)
}

// choose is the truth table for VPTERNLOGQ that selects bits of b where a mask has ones, and bits of a elsewhere. The
// operands are the mask, b and a, and the result replaces a.
const choose = 0xd8

// recodePoint emits the recoding of docs/digits.md, S16.
func (e *emitter) recodePoint() {
	const signature = "func(d *pointDigits, k *halves, c *classes)"
	e.ifma("recodePointVartime", signature, "recodePointVartime sets d to the digits of the scalars k for multiples of a point.")
	d, h, c := e.param("d"), e.param("k"), e.param("c")
	const nonzero, fits = 2 * pointPlaces * vectorBytes, 2*pointPlaces*vectorBytes + pointPlaces

	classU, classV, classX, classY, classMinusY := z(31), z(30), z(29), z(28), z(27)
	for i, v := range []reg.VecPhysical{classU, classV, classX, classY, classMinusY} {
		e.VMOVDQU64(Mem{Base: c, Disp: i * vectorBytes}, v)
	}
	seven, eight, class, bytes, lane := z(26), z(25), z(24), z(23), z(22)
	e.all(7, seven)
	e.all(8, eight)
	e.all(63, class)
	e.all(8*elementBytes/8, bytes)
	// Lane i begins 8·i bytes after lane 0.
	first := e.get()
	e.MOVQ(U64(0x3830282018100800), first)
	e.VMOVQ(first, lane.AsX())
	e.VPMOVZXBQ(lane.AsX(), lane)
	e.MOVQ(U64(0x0101010101010101), first)
	lowest := reg.K1 // selects the lowest byte of each lane, which holds the class
	e.KMOVQ(first, lowest)
	e.put(first)

	// a and b hold 63 bits of k1 and k2, enough for 21 digits. x and y hold the remainder that the earlier digits
	// leave.
	a, b, x, y := z(0), z(1), z(2), z(3)
	e.VPXORQ(x, x, x)
	e.VPXORQ(y, y, y)
	t, u, v := z(4), z(5), z(6)
	e.note("%s and %s: 63 bits of k1 and k2; %s and %s: the remainder x + y·λ that earlier digits leave; %s and %s: a digit u + v·λ.", a, b, x, y, u, v)

	// row stores the offset of a class's row. With a mask, it stores only in the lanes of the mask.
	row := func(class reg.VecPhysical, to ...Op) {
		e.comment("store the offset of the row of the class")
		e.VPERMB_Z(class, t, lowest, z(7))
		e.VMOVDQA64(lane, z(8))
		e.VPMADD52LUQ(bytes, z(7), z(8))
		e.VMOVDQU64(append([]Op{z(8)}, to...)...)
	}
	rowOfY := Mem{Base: c, Disp: pointPlaces * vectorBytes}
	// digit sets t to the class of x + y·λ, and u and v to the coordinates of its digit, plus 8. It stores whether the
	// digit is 0 and the row of its x, but not the row of its y.
	digit := func() {
		e.comment("%s: the class (x mod 8, y mod 8), and whether it is 0; %s and %s: u + 8 and v + 8 for the digit u + v·λ of the class", t, u, v)
		e.VPSLLQ(Imm(3), y, t)
		e.VPTERNLOGQ(Imm(choose), seven, x, t)
		e.VPTESTMQ(class, t, reg.K2)
		e.KMOVB(reg.K2, Mem{Base: d, Disp: nonzero, Index: h, Scale: 1})
		e.VPERMB_Z(classU, t, lowest, u)
		e.VPERMB_Z(classV, t, lowest, v)
		row(classX, Mem{Base: c})
	}
	// next moves to the next place.
	next := func() {
		e.ADDQ(Imm(vectorBytes), c)
		e.ADDQ(Imm(1), h)
	}

	half := func(offset int) { // sets a and b to the bits of k1 and k2 from bit 63 or 126 on
		word, low := offset/64, offset%64
		e.comment("%s and %s: the bits of k1 and k2 from bit %d on", a, b, offset)
		for i, r := range []reg.VecPhysical{a, b} {
			e.VMOVDQU64(Mem{Base: h, Disp: i*halfBytes + word*vectorBytes}, r)
			e.VMOVDQU64(Mem{Base: h, Disp: i*halfBytes + (word+1)*vectorBytes}, t)
			e.VPSRLQ(Imm(uint64(low)), r, r)
			e.VPSLLQ(Imm(uint64(64-low)), t, t)
			e.VPORQ(t, r, r)
		}
	}
	half(126)
	topA, topB, midA, midB := z(16), z(17), z(18), z(19)
	e.VMOVDQA64(a, topA)
	e.VMOVDQA64(b, topB)
	half(63)
	e.VMOVDQA64(a, midA)
	e.VMOVDQA64(b, midB)
	e.VMOVDQU64(Mem{Base: h}, a)
	e.VMOVDQU64(Mem{Base: h, Disp: halfBytes}, b)

	e.comment("for each place: add three bits to x and y; %s: where the digit is stored; %s: the number of the place", c, h)
	e.MOVQ(d, c)
	e.zero(h)
	e.Label("digits")
	for i, r := range [2]reg.VecPhysical{a, b} {
		sum := [2]reg.VecPhysical{x, y}[i]
		e.VPANDQ(seven, r, t)
		e.VPADDQ(t, sum, sum)
		e.VPSRLQ(Imm(3), r, r)
	}
	digit()
	row(classY, rowOfY)
	e.comment("x = (x − u)/8, y = (y − v)/8")
	for i, sum := range []reg.VecPhysical{x, y} {
		e.VPADDQ(eight, sum, sum)
		e.VPSUBQ([]reg.VecPhysical{u, v}[i], sum, sum)
		e.VPSRAQ(Imm(3), sum, sum)
	}
	e.comment("swap the rows of y and −y, because the three doublings between two places negate the point")
	e.VMOVDQA64(classY, t)
	e.VMOVDQA64(classMinusY, classY)
	e.VMOVDQA64(t, classMinusY)
	next()
	e.CMPQ(h, Imm(pointPlaces/2))
	e.JNE(LabelRef("same"))
	e.VMOVDQA64(midA, a)
	e.VMOVDQA64(midB, b)
	e.Label("same")
	e.CMPQ(h, Imm(pointPlaces-1))
	e.JNE(LabelRef("digits"))

	e.comment("the last remainder must be the digit of its class or the opposite of this digit")
	e.VPADDQ(topA, x, x)
	e.VPADDQ(topB, y, y)
	digit()
	e.VPSUBQ(eight, u, u)
	e.VPSUBQ(eight, v, v)
	e.VPXORQ(u, x, z(7))
	e.VPXORQ(v, y, z(8))
	e.VPORQ(z(7), z(8), z(7))
	e.VPTESTNMQ(z(7), z(7), reg.K2)
	e.VPADDQ(u, x, x)
	e.VPADDQ(v, y, y)
	e.VPORQ(x, y, x)
	e.VPTESTNMQ(x, x, reg.K3)
	e.KANDNB(reg.K3, reg.K2, reg.K3)
	e.KORB(reg.K2, reg.K3, reg.K2)
	e.KMOVB(reg.K2, Mem{Base: d, Disp: fits})
	row(classY, rowOfY)
	row(classMinusY, reg.K3, rowOfY)
	e.endVectors()
}

// recodeGenerator emits the recoding of docs/digits.md, S17.
func (e *emitter) recodeGenerator() {
	const signature = "func(d *generatorDigits, k *halves, c *classes)"
	e.ifma("recodeGeneratorVartime", signature, "recodeGeneratorVartime sets d to the digits of the scalars k for multiples of G.")
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
	a, b, x, y := z(0), z(1), z(2), z(3)
	e.VPXORQ(x, x, x)
	e.VPXORQ(y, y, y)
	place := e.get()
	e.zero(place)

	// digit stores the digit for the class of x + y·λ, and sets u and v to its coordinates.
	u, v := z(4), z(5)
	digit := func() {
		r, s, any := z(6), z(7), z(8)
		valuation, mask, half, t, at := z(9), z(10), z(11), z(12), z(13)
		nonzeroK, minusK, turnedK, secondK, firstK := reg.K1, reg.K2, reg.K3, reg.K4, reg.K5
		keep := func(k reg.OpmaskPhysical, offset int) {
			e.KMOVB(k, Mem{Base: d, Disp: offset, Index: place, Scale: 1})
		}
		e.comment("%s and %s: x mod 2⁸ and y mod 2⁸; %s: the lanes in which one of them is not 0", r, s, nonzeroK)
		e.VPANDQ(low, x, r)
		e.VPANDQ(low, y, s)
		e.VPORQ(r, s, any)
		e.VPTESTMQ(any, any, nonzeroK)
		keep(nonzeroK, nonzero)
		e.comment("%s: the exponent of the largest power of 2 that divides both, which is 63 minus the number of zeros above the lowest set bit; divide both by this power", valuation)
		e.VPSUBQ(any, zero, valuation)
		e.VPANDQ(any, valuation, valuation)
		e.VPLZCNTQ(valuation, valuation)
		e.VPANDNQ(seven, valuation, valuation)
		e.VPSRLVQ(valuation, r, r)
		e.VPSRLVQ(valuation, s, s)
		e.VPSRLVQ(valuation, low, mask)
		e.VPSRLVQ(valuation, middle, half)
		// turnedK holds the lanes with j = 1 or j = 2, and secondK the lanes with j = 2, whose results are set last.
		e.comment("u + v·λ = (r + s·λ)/λʲ (docs/digits.md, S1), with j = 1 in the lanes of %s, j = 2 in the lanes of %s, and j = 0 elsewhere", firstK, secondK)
		e.VPTESTMQ(one, s, turnedK)
		e.VPTESTMQ(one, r, turnedK, secondK)
		e.KANDNB(turnedK, secondK, firstK)
		keep(firstK, power)
		keep(secondK, power+generatorPlaces)
		e.VMOVDQA64(r, u)
		e.VMOVDQA64(s, v)
		e.VPSUBQ(r, s, turnedK, u)
		e.VPSUBQ(r, zero, turnedK, v)
		e.VPSUBQ(s, zero, secondK, u)
		e.VPSUBQ(s, r, secondK, v)
		e.comment("%s: the lanes whose digit is negated, so that 0 < u ≤ 2ʷ⁻¹ for w = 8 − %s", minusK, valuation)
		e.VPTESTMQ(half, u, minusK)
		keep(minusK, minus)
		e.VPSUBQ(u, zero, minusK, u)
		e.VPSUBQ(v, zero, minusK, v)
		e.VPANDQ(mask, u, u)
		e.VPANDQ(mask, v, v)
		e.comment("the offset of the digit's entry in the table")
		e.VPSRLQ(Imm(1), u, at)
		e.VPSUBQ(valuation, seven, t)
		e.VPSLLVQ(t, at, at)
		e.VPSRLQ(Imm(1), v, t)
		e.VPADDQ(t, at, at)
		e.VPERMQ(rows, valuation, t)
		e.VPADDQ(t, at, at)
		e.VPSLLQ_Z(Imm(6), at, nonzeroK, at)
		e.VMOVDQU64(at, Mem{Base: c})
		e.comment("bring v into the range −2ʷ⁻¹ ≤ v < 2ʷ⁻¹")
		e.VPXORQ(half, v, v)
		e.VPSUBQ(half, v, v)
		e.comment("the digit itself: multiply u + v·λ by the power of λ, the sign and the power of 2")
		e.VMOVDQA64(u, r)
		e.VMOVDQA64(v, s)
		e.VPSUBQ(s, zero, turnedK, u)
		e.VPSUBQ(s, r, turnedK, v)
		e.VPSUBQ(r, s, secondK, u)
		e.VPSUBQ(r, zero, secondK, v)
		e.VPSUBQ(u, zero, minusK, u)
		e.VPSUBQ(v, zero, minusK, v)
		e.VPSLLVQ_Z(valuation, u, nonzeroK, u)
		e.VPSLLVQ_Z(valuation, v, nonzeroK, v)
	}

	e.comment("for each place: add eight bits to x and y; %s: where the digit is stored; %s: the number of the place", c, place)
	e.MOVQ(d, c)
	e.Label("words")
	e.VMOVDQU64(Mem{Base: h}, a)
	e.VMOVDQU64(Mem{Base: h, Disp: halfBytes}, b)
	e.ADDQ(Imm(vectorBytes), h)
	e.Label("digits")
	for i, r := range [2]reg.VecPhysical{a, b} {
		sum := [2]reg.VecPhysical{x, y}[i]
		e.VPANDQ(low, r, z(6))
		e.VPADDQ(z(6), sum, sum)
		e.VPSRLQ(Imm(8), r, r)
	}
	digit()
	e.comment("x = (x − u)/2⁸, y = (y − v)/2⁸")
	e.VPSUBQ(u, x, x)
	e.VPSUBQ(v, y, y)
	e.VPSRAQ(Imm(8), x, x)
	e.VPSRAQ(Imm(8), y, y)
	e.ADDQ(Imm(vectorBytes), c)
	e.ADDQ(Imm(1), place)
	e.CMPQ(place, Imm(generatorPlaces/2))
	e.JEQ(LabelRef("words"))
	e.CMPQ(place, Imm(generatorPlaces-1))
	e.JNE(LabelRef("digits"))

	e.comment("the last digit must equal 4 times the remainder")
	e.VPADDQ(Mem{Base: h}, x, x)
	e.VPADDQ(Mem{Base: h, Disp: halfBytes}, y, y)
	e.VPSLLQ(Imm(2), x, x)
	e.VPSLLQ(Imm(2), y, y)
	digit()
	e.VPXORQ(u, x, x)
	e.VPXORQ(v, y, y)
	e.VPORQ(x, y, x)
	e.VPTESTNMQ(x, x, reg.K1)
	e.KMOVB(reg.K1, Mem{Base: d, Disp: fits})
	e.endVectors()
}

// prefetchGenerator emits the routine that prefetches the entries of the table of G for all digits.
func (e *emitter) prefetchGenerator() {
	const signature = "func(table *Generator, d *generatorDigits)"
	e.ifma("prefetchVartime", signature, "prefetchVartime prefetches the table entries for all digits.")
	table, d, n, at := e.param("table"), e.param("d"), e.get(), e.get()
	e.MOVQ(U64(generatorPlaces), n)
	e.Label("places")
	for i := range 8 {
		e.MOVQ(Mem{Base: d, Disp: 8 * i}, at)
		e.PREFETCHT0(Mem{Base: table, Index: at, Scale: 1})
	}
	e.ADDQ(Imm(vectorBytes), d)
	e.SUBQ(Imm(1), n)
	e.JNE(LabelRef("places"))
	e.RET()
}

// gatherPoint emits the look-up in a table of points.
func (e *emitter) gatherPoint() {
	const signature = "func(x, ny *Element, table *multiples, d *pointDigits, i int)"
	e.ifma("gatherPointVartime", signature, "gatherPointVartime sets x and ny to x and −2y of the multiples that digit i stands for.")
	table, d, i := e.param("table"), e.param("d"), e.param("i")
	e.SHLQ(Imm(6), i)
	e.ADDQ(i, d)
	e.put(i)
	var at [8]gp
	for lane := range at {
		at[lane] = e.get()
	}
	for j, name := range []string{"x", "ny"} {
		e.comment("%s: load the offset of each lane's coordinate in the table, and then each limb", name)
		for lane, r := range at {
			e.MOVQ(Mem{Base: d, Disp: j*pointPlaces*vectorBytes + 8*lane}, r)
		}
		to := e.param(name)
		for limb := range 5 {
			word := func(lane int) Mem { return Mem{Base: table, Disp: limb * vectorBytes, Index: at[lane], Scale: 1} }
			x := []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3}
			for p, v := range x {
				e.VMOVQ(word(2*p), v)
				e.VPINSRQ(Imm(1), word(2*p+1), v, v)
			}
			e.VINSERTI128(Imm(1), reg.X1, reg.Y0, reg.Y0)
			e.VINSERTI128(Imm(1), reg.X3, reg.Y2, reg.Y2)
			e.VINSERTI64X4(Imm(1), reg.Y2, reg.Z0, reg.Z0)
			e.VMOVDQU64(reg.Z0, Mem{Base: to, Disp: limb * vectorBytes})
		}
		e.put(to)
	}
	e.endVectors()
}

// gatherGenerator emits the look-up in the table of G. Each entry of the table is one cache line.
func (e *emitter) gatherGenerator() {
	e.vectorRoutine("gatherGeneratorVartime", "func(x, ny *Element, table *Generator, d *generatorDigits, i int, f *isomorphism)",
		"gatherGeneratorVartime sets x and ny to x and −2y of the multiples of G that digit i stands for, mapped by f.",
		block{in: 4, describe: func(v *vectors, in []laneElement) []laneElement {
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
		of := func(element int) Mem { return Mem{Base: f, Disp: element*elementBytes + limb*vectorBytes} }
		x, y := z(10+limb), z(15+limb)
		e.VMOVDQU64(of(0), x)
		e.VMOVDQU64(of(1), masks[1], x)
		e.VMOVDQU64(of(2), masks[2], x)
		e.VMOVDQU64(of(3), y)
		e.VMOVDQU64(of(4), masks[0], y)
	}
	e.put(f)
	e.SHLQ(Imm(6), i)
	e.ADDQ(i, d)
	e.put(i)
	table := e.param("table")
	at := e.eightWords(d)
	for j := range 2 {
		row := func(lane int) Mem { return Mem{Base: table, Disp: j * coordinateBytes, Index: at[lane], Scale: 1} }
		e.unpackWords(e.transpose(row), registers(5*j, 5))
	}
	e.put(at[:]...)
	e.put(d, table)
}

// gather emits the routine that loads points from arbitrary addresses.
func (e *emitter) gather() {
	e.ifma("gatherVartime", "func(x, y *Element, p *pointers)", "gatherVartime sets x and y to the coordinates of the eight points that p points to.")
	p := e.param("p")
	at := e.eightWords(p)
	e.put(p)
	for j, name := range []string{"x", "y"} {
		limbs := registers(0, 5)
		e.unpackWords(e.transpose(func(lane int) Mem { return Mem{Base: at[lane], Disp: j * coordinateBytes} }), limbs)
		r := e.param(name)
		e.keepVectors(limbs, r)
		e.put(r)
	}
	e.endVectors()
}

// registers returns n consecutive vector registers.
func registers(first, n int) []reg.VecPhysical { return zmm[first : first+n] }

// transpose loads four words of each lane. It returns four vectors: the first words of all lanes, the second words, and
// so on. It uses registers Z20 to Z31.
func (e *emitter) transpose(row func(lane int) Mem) []reg.VecPhysical {
	e.comment("Z20 to Z23: the words of two lanes each, in halves of 256 bits: lanes 0 and 2, 1 and 3, 4 and 6, 5 and 7")
	y := []reg.VecPhysical{reg.Y20, reg.Y21, reg.Y22, reg.Y23}
	for i, lanes := range [4][2]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}} {
		e.VMOVDQU64(row(lanes[0]), y[i])
		e.VINSERTI64X4(Imm(1), row(lanes[1]), z(20+i), z(20+i))
	}
	e.comment("Z24 and Z26: words 0 and 2 of lanes 0 to 3 and of lanes 4 to 7, in pairs of lanes; Z25 and Z27: words 1 and 3 of the same lanes")
	e.VPUNPCKLQDQ(z(21), z(20), z(24))
	e.VPUNPCKHQDQ(z(21), z(20), z(25))
	e.VPUNPCKLQDQ(z(23), z(22), z(26))
	e.VPUNPCKHQDQ(z(23), z(22), z(27))
	e.comment("Z28 to Z31: words 0 to 3 of all lanes")
	words := registers(28, 4)
	e.VSHUFI64X2(Imm(evenQuarters), z(26), z(24), words[0])
	e.VSHUFI64X2(Imm(evenQuarters), z(27), z(25), words[1])
	e.VSHUFI64X2(Imm(oddQuarters), z(26), z(24), words[2])
	e.VSHUFI64X2(Imm(oddQuarters), z(27), z(25), words[3])
	return words
}

// The quarters that VSHUFI64X2 takes from each of two vectors.
const (
	evenQuarters = 0x88
	oddQuarters  = 0xdd
)

// unpackWords sets registers to the five limbs of integers that are given as four words. Bits of limbs from 52 on do
// not count.
func (e *emitter) unpackWords(words, limbs []reg.VecPhysical) {
	t := z(20)
	e.comment("limbs in %s", names(limbs))
	e.VMOVDQA64(words[0], limbs[0])
	for i := 1; i < 4; i++ {
		shift := uint64(limb * i % 64)
		e.VPSRLQ(Imm(shift), words[i-1], limbs[i])
		e.VPSLLQ(Imm(64-shift), words[i], t)
		e.VPORQ(t, limbs[i], limbs[i])
	}
	e.VPSRLQ(Imm(16), words[3], limbs[4])
}
