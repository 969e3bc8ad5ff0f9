package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ecmult emits the routines of package ecmult, which look up points in tables.
func ecmult(e *emitter) {
	e.importType("group", "Affine")
	const signature = "func(p *Affine)"
	e.declaration("prefetch", signature, "prefetch brings a point that will be read soon into the cache.")
	e.function("prefetch", signature)
	e.PREFETCHT0(Mem{Base: e.param("p")})
	e.RET()
	e.declaration("lookup", "func(p *Affine, table []entry, window uint64)",
		"lookup sets p to the entry of table for the signed odd digit that window stands for, negated if the digit is negative.")
	e.way("AVX512")
	e.lookup(func(mask reg.VecPhysical, words Mem, sum reg.VecPhysical) {
		const sumOrMasked = 0xf8 // the truth table of a | b&c
		e.VPTERNLOGQ(Imm(sumOrMasked), words, mask, sum)
	})
	e.way("Broadwell")
	e.lookup(func(mask reg.VecPhysical, words Mem, sum reg.VecPhysical) {
		e.VPAND(words, mask, reg.Y15)
		e.VPOR(reg.Y15, sum, sum)
	}, reg.X15)
}

// lookup emits the body of the look-up. addMasked adds masked words to a sum, and used lists the registers that it
// changes.
//
// The vectors have 32 bytes and hold one coordinate each. Vectors of 64 bytes were no faster, and using them slows
// older processors down for a while.
//
// Four consecutive entries get the same mask, and each of the four is added to a sum of its own. The index modulo 4
// then selects one of the four sums.
func (e *emitter) lookup(addMasked func(mask reg.VecPhysical, words Mem, sum reg.VecPhysical), used ...reg.VecPhysical) {
	const entry = 64 // in bytes
	sums := [4][2]reg.VecPhysical{{reg.Y0, reg.Y1}, {reg.Y2, reg.Y3}, {reg.Y4, reg.Y5}, {reg.Y6, reg.Y7}}
	mask, zero, one := reg.Y8, reg.Y9, reg.Y10
	fours, place := reg.Y11, reg.Y12 // index/4 and index mod 4

	table, n, size, index, negative := e.get(), e.get(), e.get(), e.get(), e.get()
	e.comment("%s: −1 for a negative digit, otherwise 0; %s: the index of the entry for the digit's absolute value", negative, index)
	e.Load(e.Param("table").Base(), table)
	e.Load(e.Param("table").Len(), n)
	e.Load(e.Param("window"), index)
	e.MOVQ(index, negative)
	e.SUBQ(n, negative)
	e.SARQ(Imm(63), negative)
	e.XORQ(negative, index)
	e.LEAQ(Mem{Base: n, Disp: -1}, size)
	e.ANDQ(size, index)
	e.comment("%s: the size of the table in bytes", size)
	e.MOVQ(n, size)
	e.SHLQ(Imm(6), size)

	e.comment("%s: index/4; %s: index mod 4; Y0 to Y7: four sums of masked entries, x and y of each", fours, place)
	e.VMOVQ(index, fours.AsX())
	e.VPBROADCASTQ(fours.AsX(), fours)
	e.VPSLLQ(Imm(62), fours, place)
	e.VPSRLQ(Imm(62), place, place)
	e.VPSRLQ(Imm(2), fours, fours)
	e.VPXOR(zero, zero, zero)
	e.VPCMPEQQ(one, one, one)
	e.VPSRLQ(Imm(63), one, one)
	for _, s := range sums {
		e.VPXOR(s[0], s[0], s[0])
		e.VPXOR(s[1], s[1], s[1])
	}

	e.comment("each round reads four entries, and mask %s selects the round in which %s, which counts down, is 0", mask, fours)
	e.Label("loop")
	e.VPCMPEQQ(zero, fours, mask)
	e.VPSUBQ(one, fours, fours)
	for i, s := range sums {
		addMasked(mask, Mem{Base: table, Disp: entry * i}, s[0])
		addMasked(mask, Mem{Base: table, Disp: entry*i + 32}, s[1])
		e.PREFETCHT0(Mem{Base: table, Disp: entry * i, Index: size, Scale: 1}) // the same entries of the next table
	}
	e.ADDQ(U32(4*entry), table)
	e.SUBQ(Imm(4), n)
	e.JNE(LabelRef("loop"))
	e.put(table, n, size, index)

	x, y := sums[0][0], sums[0][1]
	e.comment("mask %s selects the sum for which %s, which counts down, is 0", mask, place)
	for i, s := range sums {
		e.VPCMPEQQ(zero, place, mask)
		if i < len(sums)-1 {
			e.VPSUBQ(one, place, place)
		}
		e.VPAND(s[0], mask, s[0])
		e.VPAND(s[1], mask, s[1])
		if i > 0 {
			e.VPOR(s[0], x, x)
			e.VPOR(s[1], y, y)
		}
	}

	e.comment("complement y for a negative digit: −y ≡ ^y − (c − 1), minus c after a borrow, as in Element.Negate")
	e.VMOVQ(negative, mask.AsX())
	e.VPBROADCASTQ(mask.AsX(), mask)
	e.VPXOR(mask, y, y)
	p, done := e.words(e.arg("p", 0))
	e.VMOVDQU(x, p[0])
	e.VMOVDQU(y, p[4])
	done()
	e.comment("clear the vectors that hold secrets")
	for _, r := range append(used, reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, mask.AsX().(reg.VecPhysical), fours.AsX().(reg.VecPhysical), place.AsX().(reg.VecPhysical)) {
		e.VPXOR(r, r, r)
	}
	e.VZEROUPPER()
	e.comment("for a negative digit, subtract c − 1, and c after a borrow")
	v, less := e.load(e.arg("p", 32)), e.get()
	e.MOVQ(U64(c-1), less)
	e.ANDQ(negative, less)
	e.subWords(v[:], less)
	e.SBBQ(less, less)
	e.MOVQ(U64(c), dx)
	e.ANDQ(dx, less)
	e.SUBQ(less, v[0])
	e.put(less, negative)
	e.keep(e.arg("p", 32), v[:]...)
	e.RET()
}
