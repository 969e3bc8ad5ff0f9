package main

import (
	"math/big"

	"p256k1.mleku.dev/v2/internal/params"
	glv "p256k1.mleku.dev/v2/internal/scalar"
)

// This file emits the routines of package lanes that compute modulo n = 2²⁵⁶ − d. An element has five limbs, as in the
// arithmetic modulo p.

func (e *emitter) mulN() {
	e.straight("mulN", "func(r, a, b *Element)", "mulN sets r = a·b modulo n.", func(v *vectors) {
		var w laneProduct
		v.begin("r", "r = a·b modulo n")
		v.accumulate(&w, v.element(element("a", 0)), v.element(element("b", 0)))
		v.foldN(w[:10])
		v.foldN(w[:8])
		if w[5] != nil {
			panic("columns that are not folded")
		}
		v.keepElement(element("r", 0), v.carryN(laneSum(w[:5])))
	})
}

func (e *emitter) split() {
	e.straight("split", "func(k *halves, a *Element)", "split sets k to the halves of the scalars a, with k1 + k2·λ ≡ a modulo n.", func(v *vectors) {
		a := v.normalN(v.element(element("a", 0)))
		// The basis of the lattice is (a1, b1) and (a1 − b1, a1). Each quotient is the scalar a times a1 or −b1,
		// divided by n and rounded.
		a1 := words(params.A1&params.Limb, params.A1>>64)
		m1 := words(-params.B1&params.Limb, -params.B1>>64)
		a2 := new(big.Int).Add(a1, m1)
		q1 := v.quotient(a, words(glv.B2Quotient&params.Limb, glv.B2Quotient>>64&params.Limb, glv.B2Quotient>>128&params.Limb, glv.B2Quotient>>192))
		q2 := v.quotient(a, words(glv.M1Quotient&params.Limb, glv.M1Quotient>>64&params.Limb, glv.M1Quotient>>128&params.Limb, glv.M1Quotient>>192))
		minus := func(x *big.Int) *big.Int { return new(big.Int).Sub(pow2(4*limb), x) }
		v.keepHalf(memory{"k", 0}, v.combination(a, q1, minus(a1), q2, minus(a2)))
		v.keepHalf(memory{"k", 3}, v.combination(laneSum{}, q1, m1, q2, minus(a1)))
	})
}

// words returns the integer with the given words, the least significant first.
func words(list ...uint64) *big.Int {
	x := new(big.Int)
	for i := len(list) - 1; i >= 0; i-- {
		x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(list[i]))
	}
	return x
}

// limbsOf returns the limbs of x, the least significant first.
func limbsOf(x *big.Int) (limbs []uint64) {
	for x = new(big.Int).Set(x); x.Sign() > 0; x.Rsh(x, limb) {
		limbs = append(limbs, new(big.Int).And(x, big.NewInt(limbMask)).Uint64())
	}
	return limbs
}

// order returns the group order n.
func order() *big.Int {
	return words(params.N&params.Limb, params.N>>64&params.Limb, params.N>>128&params.Limb, params.N>>192)
}

// complementN returns the limbs of d times the n-th power of 2, where 2²⁵⁶ − d is the group order.
func complementN(n uint) []uint64 {
	d := new(big.Int).Sub(pow2(256), order())
	return limbsOf(d.Lsh(d, n))
}

// accumulateTimes adds v·x to the columns, from the first column on.
func (e *vectors) accumulateTimes(w []*vec, first int, v *vec, x []uint64) {
	for j, l := range x {
		w[first+j] = e.lo(w[first+j], v, e.constant(l))
		if _, hi := halves(v, e.constant(l)); hi > 0 {
			w[first+j+1] = e.hi(w[first+j+1], v, e.constant(l))
		}
	}
}

// foldN folds the columns from column 5 on: it carries from each of them to the next, and then multiplies them by 2²⁶⁰
// mod n, which has three limbs.
func (e *vectors) foldN(w []*vec) {
	var high []*vec
	e.comment("fold the columns, which are below %s: carry from each column from 5 on to the next, and multiply these columns by 2²⁶⁰ mod n", below(w))
	for k := 5; k < len(w); k++ {
		if k+1 < len(w) {
			w[k] = e.carryColumn(w, k)
		}
		high = append(high, w[k])
		w[k] = nil
	}
	for i, v := range high {
		e.accumulateTimes(w, i, v, complementN(4))
	}
}

// carryN turns columns into an element: the columns carry, the part above 2²⁵⁶ is multiplied by d and added at the
// bottom, and the columns carry again.
func (e *vectors) carryN(x laneSum) laneElement {
	e.comment("carry the columns, which are below %s; the part above 2²⁵⁶ is multiplied by 2²⁵⁶ − n and added at the bottom", below(x[:]))
	x = e.ripple(x)
	top := e.shr(x[4], 48)
	x[4] = e.low(x[4], 48)
	e.accumulateTimes(x[:], 0, top, complementN(0))
	return e.carryUp(x)
}

// normalN returns x reduced to [0, n).
func (e *vectors) normalN(x laneElement) laneSum {
	// After the first carry the value may reach 2²⁵⁶ again, but not after the second.
	y := e.clean(x)
	for range 2 {
		y = e.clean(e.carryN(y))
	}
	d := complementN(0)
	e.comment("if y + 2²⁵⁶ − n reaches 2²⁵⁶ for the value y, that is, if y ≥ n, replace y by this sum without bit 256")
	var sum *vec // y + d, whose carry is 1 if y ≥ n
	for k, v := range y {
		if sum != nil {
			v = e.add(v, e.shr(sum, limb))
		}
		if k < len(d) {
			v = e.add(v, e.constant(d[k]))
		}
		sum = v
	}
	over := e.shr(sum, 48)
	e.accumulateTimes(y[:], 0, over, d)
	y = e.ripple(y)
	y[4] = e.low(y[4], 48)
	return y
}

// quotient returns three limbs of a·g/2³⁸⁴, rounded as in scalar.Split.
func (e *vectors) quotient(a laneSum, g *big.Int) []*vec {
	const column, shift = 384 / limb, 384 % limb
	e.comment("the quotient: a·g/2³⁸⁴ for a constant g, rounded")
	var w laneProduct
	w[column] = e.constant(1 << (shift - 1))
	for i, v := range a {
		e.accumulateTimes(w[:], i, v, limbsOf(g))
	}
	for k := range w[1:] {
		w[k+1] = e.add(w[k+1], e.shr(w[k], limb))
	}
	var q []*vec
	for i := range 2 {
		low := e.shr(e.low(w[column+i], limb), shift)
		q = append(q, e.carried(e.or(low, e.shlLow(w[column+i+1], limb-shift))))
	}
	return append(q, e.shr(w[column+2], shift))
}

// combination returns four limbs of x + q1·a + q2·b modulo 2²⁰⁸.
func (e *vectors) combination(x laneSum, q1 []*vec, a *big.Int, q2 []*vec, b *big.Int) (w [4]*vec) {
	e.comment("k1 or k2: subtract multiples of the basis vectors, modulo 2²⁰⁸")
	copy(w[:], x[:])
	for _, f := range []struct {
		q []*vec
		x *big.Int
	}{{q1, a}, {q2, b}} {
		for i, v := range f.q {
			for j, l := range limbsOf(f.x) {
				if i+j < 4 {
					w[i+j] = e.lo(w[i+j], v, e.constant(l))
				}
				if i+j < 3 {
					w[i+j+1] = e.hi(w[i+j+1], v, e.constant(l))
				}
			}
		}
	}
	return w
}

// keepHalf carries a number of 192 bits and stores it in words.
func (e *vectors) keepHalf(m memory, w [4]*vec) {
	e.comment("carry, and store as words at %s", m)
	for k := range 3 {
		w[k+1] = e.add(w[k+1], e.shr(w[k], limb))
		w[k] = e.low(w[k], limb)
	}
	for k := range 3 {
		word := w[k]
		if k > 0 {
			word = e.shr(w[k], uint(64-limb)*uint(k))
		}
		word = e.or(word, e.shlLow(w[k+1], limb-uint(64-limb)*uint(k)))
		e.store(m.plus(k), word)
	}
}
