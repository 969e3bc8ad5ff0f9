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

// load loads the element at p into four registers.
func (e *emitter) load(p place) (v limbs) {
	for i := range v {
		v[i] = e.get()
	}
	e.with(p, func(word func(i int) Mem) {
		for i, r := range v {
			e.MOVQ(word(i), r)
		}
	})
	return v
}

// store stores v at p and frees the registers of v.
func (e *emitter) store(p place, v limbs) {
	e.keep(p, v[:]...)
	e.put(v[:]...)
}

// storeWide stores w in the eight words at p and frees the registers of w.
func (e *emitter) storeWide(p place, w product) {
	e.keep(p, w.words[:]...)
	e.put(w.words[:]...)
}

// mul returns x·y.
func (e *emitter) mul(x, y place) product {
	var r [8]gp
	e.with(y, func(y func(i int) Mem) {
		for i := range 4 {
			e.comment("row %d: x%s·y", i, sub(i))
			e.loadWord(x, i, dx)
			e.holdsC = false
			var high [4]gp
			for j := range 4 {
				// In row 0, the high half of a product becomes a new word, to which the next low half is added.
				low := e.get()
				high[j] = e.get()
				e.MULXQ(y(j), low, high[j])
				switch {
				case i == 0 && j == 0:
					r[0], r[1] = low, high[0]
					continue
				case i == 0:
					e.addWord(j == 1, low, r[j])
					r[j+1] = high[j]
				default:
					e.addWord(j == 0, low, r[i+j])
				}
				e.put(low)
			}
			e.ADCQ(Imm(0), high[3])
			if i > 0 {
				for j := range 3 {
					e.addWord(j == 0, high[j], r[i+j+1])
				}
				e.ADCQ(Imm(0), high[3])
				r[i+4] = high[3]
				e.put(high[:3]...)
			}
		}
	})
	return product{words: r}
}

// addWord adds a to b. It also adds the carry, unless this is the first addition of a chain.
func (e *emitter) addWord(first bool, a, b gp) {
	if first {
		e.ADDQ(a, b)
	} else {
		e.ADCQ(a, b)
	}
}

// square returns x².
func (e *emitter) square(x place) product {
	var r [8]gp
	for i := range r {
		r[i] = e.get()
	}
	low := e.get()
	e.with(x, func(x func(i int) Mem) {
		// Additions with carry limit the speed, and this order needs the fewest of them. Adding a carry to the high
		// half of a product does not overflow, because the half is at most 2⁶⁴ − 2.
		e.comment("the products of different words: x₁·x₂, x₁·x₃; x₀·x₁, x₀·x₂, x₀·x₃; x₂·x₃")
		e.factor(x(1))
		e.MULXQ(x(2), r[3], r[4])
		e.MULXQ(x(3), r[6], r[5])
		e.factor(x(0))
		e.MULXQ(x(1), r[1], r[2])
		e.MULXQ(x(2), low, r[7])
		e.ADDQ(r[7], r[3])
		e.MULXQ(x(3), r[0], r[7])
		e.ADCQ(r[7], r[4])
		e.ADCQ(Imm(0), r[5])
		e.ADDQ(low, r[2])
		e.ADCQ(r[0], r[3])
		e.ADCQ(r[6], r[4])
		e.factor(x(2))
		e.MULXQ(x(3), low, r[6])
		e.ADCQ(low, r[5])
		e.ADCQ(Imm(0), r[6])
		e.comment("double the sum")
		e.zero(r[7])
		for i := 1; i < 8; i++ {
			e.addWord(i == 1, r[i], r[i])
		}
		e.comment("add the squares of the words")
		for i := range 4 {
			e.factor(x(i))
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
	})
	e.put(low)
	return product{words: r}
}

// squareLimbs returns x² with a shorter latency than square, for squarings that depend on each other. Words 4 to 7 do
// not wait for the carry of the words below, because the reduction adds this carry later. Word 0 of x is used late,
// because it is ready last.
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
	e.ADDQ(low, r[3])
	e.ADCQ(r[7], r[4])
	e.ADCQ(Imm(0), r[5])
	e.ADCQ(Imm(0), r[6])
	e.MULXQ(x[1], r[1], r[2])
	e.MULXQ(x[2], low, r[7])
	e.zero(carry)
	e.ADDQ(low, r[2])
	e.ADCQ(r[7], r[3])
	e.ADCQ(Imm(0), carry)
	e.comment("the upper half: double the sum, and add the squares of the words")
	e.zero(r[7])
	e.ADDQ(r[4], r[4])
	e.ADCQ(r[5], r[5])
	e.ADCQ(r[6], r[6])
	e.ADCQ(r[7], r[7])
	e.factor(x[2])
	e.MULXQ(dx, low, x[2])
	e.ADDQ(low, r[4])
	e.ADCQ(x[2], r[5])
	e.factor(x[3])
	e.MULXQ(dx, low, x[3])
	e.ADCQ(low, r[6])
	e.ADCQ(x[3], r[7])
	e.comment("the lower half in the same way; its carry, %s, belongs to word 4", carry)
	e.ADDQ(r[1], r[1])
	e.ADCQ(r[2], r[2])
	e.ADCQ(r[3], r[3])
	e.ADCQ(carry, carry)
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

// minus returns w minus the eight words at p.
func (e *emitter) minus(w product, p place) product {
	w.borrow = e.get()
	e.comment("subtract the product that was stored unreduced; a borrow at the end stands for −2⁵¹²")
	e.zero(w.borrow)
	e.loadC()
	e.with(p, func(word func(i int) Mem) {
		e.SUBQ(word(0), w.words[0])
		for i := 1; i < 8; i++ {
			e.SBBQ(word(i), w.words[i])
		}
	})
	e.CMOVQCS(dx, w.borrow)
	return w
}

// fold folds the upper four words of w into the lower four words: 2²⁵⁶ ≡ c.
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
	for i := range 3 {
		e.addWord(i == 0, r[4+i], r[1+i])
	}
	e.ADCQ(Imm(0), r[7])
	e.put(r[4:7]...)
	if w.borrow != nil {
		e.SUBQ(w.borrow, f.t) // 2⁵¹² ≡ c·2²⁵⁶
		e.put(w.borrow)
	}
	return f
}

// shift returns f·2ⁿ. Repeated additions of f to itself are faster than SHLD, which takes six operations on AMD's
// processors and occupies the multiplier's port on Intel's.
func (e *emitter) shift(f folded, n uint) folded {
	e.comment("times %s", power(int(n)))
	for range n {
		for i, r := range append(f.v[:], f.t) {
			e.addWord(i == 0, r, r)
		}
	}
	f.bounds = f.bounds.times2(n)
	return f
}

// triple returns 3·f.
func (e *emitter) triple(f folded) folded {
	var w [5]gp
	e.comment("times 3: copy the value, and double it")
	for i, r := range append(f.v[:], f.t) {
		w[i] = e.get()
		e.MOVQ(r, w[i])
	}
	f = e.shift(f, 1)
	e.comment("add the copy")
	for i, r := range append(f.v[:], f.t) {
		e.addWord(i == 0, w[i], r)
	}
	e.put(w[:]...)
	f.bounds = f.bounds.times2(1)
	return f
}

// half returns f/2 mod p for f.t ≥ 0. It uses RCR, which takes one operation on AMD's processors and three on Intel's.
// SHRD would take six operations on AMD's processors, and would occupy the multiplier's port on Intel's.
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
	e.SUBQ(odd, f.v[0])
	for _, r := range append(f.v[1:], f.t) {
		e.SBBQ(Imm(0), r)
	}
	e.put(odd)
	f.bounds = f.bounds.halved()
	return f
}

// less returns f minus the elements at places.
func (e *emitter) less(f folded, places ...place) folded {
	for _, p := range places {
		e.comment("subtract the next term of the equation")
		e.with(p, func(word func(i int) Mem) {
			e.SUBQ(word(0), f.v[0])
			for i := 1; i < 4; i++ {
				e.SBBQ(word(i), f.v[i])
			}
		})
		e.SBBQ(Imm(0), f.t)
		f.bounds = f.bounds.lessOne()
	}
	return f
}

// foldUnsigned returns f mod p for f.t ≥ 0.
func (e *emitter) foldUnsigned(f folded) limbs {
	// DX still holds c from the fold.
	v, t := f.v, f.t
	low, high := e.get(), t
	fix := e.get()
	e.MULXQ(t, low, high)
	e.zero(fix)
	e.ADDQ(low, v[0])
	e.ADCQ(high, v[1])
	e.ADCQ(Imm(0), v[2])
	e.ADCQ(Imm(0), v[3])
	e.CMOVQCS(dx, fix)
	e.ADDQ(fix, v[0])
	e.ADCQ(Imm(0), v[1])
	e.put(low, high, fix)
	return v
}

// foldSigned returns f mod p, where f.t may be negative.
func (e *emitter) foldSigned(f folded) limbs {
	// DX still holds c from the fold.
	v, t := f.v, f.t
	low, high, sign := e.get(), e.get(), e.get()
	e.MULXQ(t, low, high)
	e.SARQ(Imm(63), t)
	e.MOVQ(t, sign)
	e.ANDQ(dx, sign)
	e.SUBQ(sign, high) // high and low now hold the product of c and the signed word t
	e.ADDQ(low, v[0])
	e.ADCQ(high, v[1])
	e.ADCQ(t, v[2])
	e.ADCQ(t, v[3])
	e.ADCQ(Imm(0), t) // 1 after a carry, −1 after a borrow, otherwise 0
	e.IMULQ(dx, t)
	e.MOVQ(t, sign)
	e.SARQ(Imm(63), sign)
	e.ADDQ(t, v[0])
	e.ADCQ(sign, v[1])
	e.put(low, high, sign, t)
	return v
}

// sub returns v minus the element at p.
func (e *emitter) sub(v limbs, p place) limbs {
	e.with(p, func(word func(i int) Mem) {
		e.subWords(v, func(i int) Op { return word(i) })
	})
	return v
}

// subLimbs returns v minus x.
func (e *emitter) subLimbs(v, x limbs) limbs {
	e.subWords(v, func(i int) Op { return x[i] })
	e.put(x[:]...)
	return v
}

func (e *emitter) subWords(v limbs, word func(i int) Op) {
	// If subtracting c borrows again, the result is at least 2²⁵⁶ − c, so subtracting c once more changes only word 0.
	e.comment("subtract; after a borrow subtract c, and c again if that borrows too")
	once, again := e.get(), e.get()
	e.zero(once)
	e.zero(again)
	e.loadC()
	e.SUBQ(word(0), v[0])
	for i := 1; i < 4; i++ {
		e.SBBQ(word(i), v[i])
	}
	e.CMOVQCS(dx, once)
	e.SUBQ(once, v[0])
	for i := 1; i < 4; i++ {
		e.SBBQ(Imm(0), v[i])
	}
	e.CMOVQCS(dx, again)
	e.SUBQ(again, v[0])
	e.put(once, again)
}

func (e *emitter) rename(x, v limbs) {
	e.pool.rename(x, v, func(from, to gp) { e.MOVQ(from, to) })
}
