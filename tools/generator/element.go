package main

import . "github.com/mmcloughlin/avo/operand"

// This file implements the arithmetic of the interface machine on x86-64.

type (
	limbs   = elementOf[gp]
	product = productOf[gp]
	folded  = foldedOf[gp]
)

// factor puts x into DX, from which MULX takes one factor.
func (e *emitter) factor(x Op) {
	e.MOVQ(x, dx)
	e.holdsC = false
}

// loadC puts the constant c = 2³² + 977 into DX.
func (e *emitter) loadC() {
	if !e.holdsC {
		e.MOVQ(U64(c), dx)
	}
	e.holdsC = true
}

func (e *emitter) load(p place) limbs {
	v := e.take4()
	words, done := e.words(p)
	for i, r := range v {
		e.MOVQ(words[i], r)
	}
	done()
	return v
}

func (e *emitter) mul(x, y place) product {
	words, done := e.words(y)
	row := func(i int) {
		e.loadWord(x, i, dx)
		e.holdsC = false
	}
	r := schoolbook(e, row, func(_, j int, low, high gp) { e.MULXQ(words[j], low, high) }, func(int) {})
	done()
	return product{words: r}
}

func (e *emitter) carry(r gp) { e.ADCQ(Imm(0), r) }

func (e *emitter) addWord(first bool, a, b gp) {
	if first {
		e.ADDQ(a, b)
	} else {
		e.ADCQ(a, b)
	}
}

func (e *emitter) square(x place) product {
	low4, high4, low := e.take4(), e.take4(), e.get()
	r := [8]gp(append(low4[:], high4[:]...))
	words, done := e.words(x)
	crossProducts(e, &r, low, func(i int) { e.factor(words[i]) }, func(_, j int, low, high gp) { e.MULXQ(words[j], low, high) })
	e.comment("double the sum")
	e.zero(r[7])
	e.double(r[1:])
	e.comment("add the squares of the words")
	for i, word := range words[:4] {
		e.factor(word)
		if i == 0 {
			e.MULXQ(dx, r[0], low)
			e.ADDQ(low, r[1])
			continue
		}
		high := e.get()
		e.MULXQ(dx, low, high)
		e.ADCQ(low, r[2*i])
		e.ADCQ(high, r[2*i+1])
		e.put(high)
	}
	done()
	e.put(low)
	return product{words: r}
}

// double doubles the integer in registers. Repeated additions are faster than SHLD, which takes six operations on AMD's
// processors and occupies the multiplier's port on Intel's.
func (e *emitter) double(r []gp) { e.addWords(r, operands(r)...) }

// squareLimbs has a shorter latency than square. Words 4 to 7 do not wait for the carry of the words below, because the
// reduction adds this carry later. Word 0 of x is used late, because it is ready last.
func (e *emitter) squareLimbs(x limbs) product {
	r := [8]gp{x[0]} // r[0] is written only when x[0] is no longer needed
	for i := 1; i < 8; i++ {
		r[i] = e.get()
	}
	low, carry := e.get(), e.get()
	e.comment("the products of different words: x₁·x₂, x₁·x₃; x₂·x₃; x₀·x₃, x₀·x₁, x₀·x₂")
	e.factor(x[1])
	e.MULXQ(x[2], r[3], r[4])
	e.MULXQ(x[3], low, r[5])
	e.ADDQ(low, r[4])
	e.factor(x[2])
	e.MULXQ(x[3], low, r[6])
	e.ADCQ(low, r[5])
	e.ADCQ(Imm(0), r[6])
	e.factor(x[0])
	e.MULXQ(x[3], low, r[7])
	e.addWords(r[3:7], low, r[7])
	e.MULXQ(x[1], r[1], r[2])
	e.MULXQ(x[2], low, r[7])
	e.zero(carry)
	e.addWords([]gp{r[2], r[3], carry}, low, r[7])
	e.comment("the upper half: double the sum, and add the squares of the words")
	e.zero(r[7])
	e.double(r[4:])
	e.factor(x[2])
	e.MULXQ(dx, low, x[2])
	e.ADDQ(low, r[4])
	e.ADCQ(x[2], r[5])
	e.factor(x[3])
	e.MULXQ(dx, low, x[3])
	e.ADCQ(low, r[6])
	e.ADCQ(x[3], r[7])
	e.comment("the lower half in the same way; its carry, %s, belongs to word 4", carry)
	e.double([]gp{r[1], r[2], r[3], carry})
	e.factor(x[0])
	e.MULXQ(dx, r[0], low)
	e.ADDQ(low, r[1])
	e.factor(x[1])
	e.MULXQ(dx, low, x[1])
	e.ADCQ(low, r[2])
	e.ADCQ(x[1], r[3])
	e.ADCQ(Imm(0), carry)
	e.put(low, x[1], x[2], x[3])
	return product{words: r, carry: carry}
}

func (e *emitter) minus(w product, p place) product {
	w.borrow = e.get()
	e.comment("subtract the product that was stored unreduced; a borrow at the end stands for −2⁵¹²")
	e.zero(w.borrow)
	e.loadC()
	words, done := e.words(p)
	e.subWords(w.words[:], words[:]...)
	done()
	e.CMOVQCS(dx, w.borrow)
	return w
}

func (e *emitter) fold(w product) folded {
	r := w.words
	e.comment("fold %s: add the upper four words, times 2³² + 977, to the lower four", names(r[:]))
	e.loadC()
	low := e.get()
	for i := range 4 {
		e.MULXQ(r[4+i], low, r[4+i])
		e.addWord(i == 0, low, r[i])
	}
	e.put(low)
	f := folded{limbs{r[0], r[1], r[2], r[3]}, r[7], foldedProduct(w.carry != nil, w.borrow != nil)}
	if w.carry == nil {
		e.ADCQ(Imm(0), r[7])
	} else {
		e.ADCQ(w.carry, r[7])
		e.put(w.carry)
	}
	e.addWords([]gp{r[1], r[2], r[3], r[7]}, r[4], r[5], r[6])
	e.put(r[4:7]...)
	if w.borrow != nil {
		e.SUBQ(w.borrow, f.t) // 2⁵¹² ≡ c·2²⁵⁶
		e.put(w.borrow)
	}
	return f
}

func (e *emitter) triple(f folded) folded {
	var w []gp
	e.comment("times 3: copy the value, and double it")
	for i, r := range f.all() {
		w = append(w, e.get())
		e.MOVQ(r, w[i])
	}
	e.comment("times 2¹")
	e.double(f.all())
	e.comment("add the copy")
	e.addWords(f.all(), operands(w)...)
	e.put(w...)
	f.bounds = f.bounds.times2(2)
	return f
}

// half uses RCR, which takes one operation on AMD's processors and three on Intel's. SHRD would take six operations on
// AMD's processors, and would occupy the multiplier's port on Intel's.
func (e *emitter) half(f folded) folded {
	e.comment("halve: for an odd value f, f/2 ≡ (f − 1)/2 + (p + 1)/2, where (p + 1)/2 = 2²⁵⁵ − (c − 1)/2")
	odd := e.get()
	e.MOVQ(f.v[0], odd)
	e.ANDL(U32(1), odd.As32())
	e.ADDQ(odd, f.t)
	e.SHRQ(U8(1), f.t)
	for i := 3; i >= 0; i-- {
		e.RCRQ(U8(1), f.v[i])
	}
	e.NEGQ(odd)
	e.ANDL(U32((c-1)/2), odd.As32())
	e.subWords(f.all(), odd)
	e.put(odd)
	f.bounds = f.bounds.halved()
	return f
}

func (e *emitter) less(f folded, places ...place) folded {
	for _, p := range places {
		e.comment("subtract the next term of the equation")
		words, done := e.words(p)
		e.subWords(f.all(), words[:4]...)
		done()
		f.bounds = f.bounds.lessOne()
	}
	return f
}

func (e *emitter) foldUnsigned(f folded) limbs {
	// DX still holds c from the fold.
	v, t := f.v, f.t
	low, high := e.get(), t
	fix := e.get()
	e.MULXQ(t, low, high)
	e.zero(fix)
	e.addWords(v[:], low, high)
	e.CMOVQCS(dx, fix)
	e.addWords(v[:2], fix)
	e.put(low, high, fix)
	return v
}

func (e *emitter) foldSigned(f folded) limbs {
	// DX still holds c from the fold.
	v, t := f.v, f.t
	low, high, sign := e.get(), e.get(), e.get()
	e.MULXQ(t, low, high)
	e.SARQ(Imm(63), t)
	e.MOVQ(t, sign)
	e.ANDQ(dx, sign)
	e.SUBQ(sign, high) // high and low now hold the product of c and the signed word t
	e.addWords(v[:], low, high, t, t)
	e.carry(t) // 1 after a carry, −1 after a borrow, otherwise 0
	e.IMULQ(dx, t)
	e.MOVQ(t, sign)
	e.SARQ(Imm(63), sign)
	e.addWords(v[:2], t, sign)
	e.put(low, high, sign, t)
	return v
}

func (e *emitter) sub(v limbs, p place) limbs {
	words, done := e.words(p)
	e.subModP(v, words[:4])
	done()
	return v
}

func (e *emitter) subLimbs(v, x limbs) limbs {
	e.subModP(v, operands(x[:]))
	e.put(x[:]...)
	return v
}

func (e *emitter) subModP(v limbs, words []Op) {
	// If subtracting c borrows again, the result is at least 2²⁵⁶ − c, so subtracting c once more changes only word 0.
	e.comment("subtract; after a borrow subtract c, and c again if that borrows too")
	once, again := e.get(), e.get()
	e.zero(once)
	e.zero(again)
	e.loadC()
	e.subWords(v[:], words...)
	e.CMOVQCS(dx, once)
	e.subWords(v[:], once)
	e.CMOVQCS(dx, again)
	e.SUBQ(again, v[0])
	e.put(once, again)
}

func (e *emitter) move(source, result gp) { e.MOVQ(source, result) }
