package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/operand"
)

// The two lowest words of 2²⁵⁶ − n. The third and highest word is 1.
const fold0, fold1 = 0x402da1732fc9bebf, 0x4551231950b75fc4

// scalar emits the routine of package scalar.
func scalar(e *emitter) {
	e.routine("mul", "func(v, a, b *Scalar)", "mul sets v = a · b modulo n.")
	e.comment("v = a·b")
	v := e.reduceScalar(e.mul(e.arg("a", 0), e.arg("b", 0)))
	e.keep(e.arg("v", 0), v[:]...)
	e.end()
}

// reduceScalar returns w mod n, below n. Its steps and bounds are the same as in the Go twin.
func (e *emitter) reduceScalar(w product) limbs {
	e.comment("first fold: adding words 4 to 7 times 2²⁵⁶ − n gives less than 2³⁸⁵")
	t := e.foldScalar(w.words[:4], w.words[4:], 7)
	e.comment("second fold: adding words 4 to 6 times 2²⁵⁶ − n gives less than 3·2²⁵⁶")
	r := e.foldScalar(t[:4], t[4:], 5)
	v, top := limbs(r[:4]), r[4]

	e.comment("third fold: the top word is at most 2, so the words of the product do not overflow, and the sum is below 2n")
	f0, f1, low, mid := e.get(), e.get(), e.get(), e.get()
	e.MOVQ(U64(fold0), f0)
	e.MOVQ(U64(fold1), f1)
	e.MOVQ(f0, low)
	e.MOVQ(f1, mid)
	e.IMULQ(top, low)
	e.IMULQ(top, mid)
	carry := e.get()
	e.zero(carry)
	e.addWords(append(v[:], carry), low, mid, top)
	e.put(low, mid, top)

	e.comment("subtract n if adding 2²⁵⁶ − n carries, or if the third fold carried")
	s := e.take4()
	for i, r := range s {
		e.MOVQ(v[i], r)
	}
	e.addWords(append(s[:], carry), f0, f1, Imm(1))
	for i, r := range s {
		e.CMOVQNE(r, v[i])
	}
	e.put(s[:]...)
	e.put(f0, f1, carry)
	return v
}

// foldScalar returns low plus the product of high and 2²⁵⁶ − n in the given number of words, which must suffice. It
// takes over the registers of low and high.
func (e *emitter) foldScalar(low, high []gp, words int) []gp {
	t := slices.Clone(low)
	grow := func(n int) {
		for len(t) < min(n, words) {
			r := e.get()
			e.zero(r)
			t = append(t, r)
		}
	}
	grow(min(len(low)+2, words))
	zero := e.get()
	e.zero(zero)
	e.addRow(high, fold0, t[:len(low)+1], zero)
	e.addRow(high, fold1, t[1:], zero)
	grow(words)
	e.free = append(e.free, zero) // at the end of the list, so that get returns this register last
	e.comment("add the upper words times word 2 of 2²⁵⁶ − n, which is 1")
	e.addWords(t[2:], operands(high)...)
	e.put(high...)
	return t
}

// addRow adds x·y to t, which has room for a carry. CF and OF are clear before and after.
func (e *emitter) addRow(x []gp, y uint64, t []gp, zero gp) {
	low, high := e.get(), e.get()
	e.comment("row: the upper words times %#x", y)
	e.MOVQ(U64(y), dx)
	for i, r := range x {
		e.MULXQ(r, low, high)
		e.ADCXQ(low, t[i])
		e.ADOXQ(high, t[i+1])
	}
	for i := len(x); i < len(t); i++ {
		e.ADCXQ(zero, t[i])
		if i+1 < len(t) {
			e.ADOXQ(zero, t[i+1])
		}
	}
	e.put(low, high)
}
