package main

import (
	"fmt"
	"math"
	"math/bits"

	. "github.com/mmcloughlin/avo/operand"
)

// Formulas are compiled to the arithmetic in this file (compile.go). It is the
// arithmetic modulo p = 2²⁵⁶ − c of a machine whose registers are of the type R.
// Elements are any four words, as in package field, in memory (a place) or in
// registers. Operations on registers take them over and return others.

const c = 1<<32 + 977

// A place is where words are in memory: at an offset from the stack pointer, or
// from a pointer, which is where the machine keeps it.
type place struct {
	pointer Op // nil for the stack
	offset  int
}

type elementOf[R any] [4]R

// productOf is eight words and, in registers unless they are R's zero value, a
// carry that counts 2²⁵⁶ and a borrow: less 2⁵¹² if that holds c rather than 0.
type productOf[R any] struct {
	words         [8]R
	carry, borrow R
}

// foldedOf is v + t·2²⁵⁶ with a small t.
type foldedOf[R any] struct {
	v      elementOf[R]
	t      R
	bounds bounds // of t
}

// machine emits arithmetic of one architecture.
type machine[R any] interface {
	// importType makes a type of another package known by its bare name.
	importType(pkg, name string)
	// routine begins a routine, which end ends.
	routine(name, signature, doc string)
	end()
	// comment says what the instructions that follow do, and note where something is in
	// the whole routine.
	comment(format string, args ...any)
	note(format string, args ...any)
	// arg is the place at an offset from the pointer parameter of that name, and
	// local one of n words on the stack.
	arg(name string, offset int) place
	local(n int) place
	// pointer is a copy of a pointer parameter, and point makes it a copy of another
	// parameter.
	pointer(name string) Op
	point(pointer Op, name string)
	// counter is a copy of an integer parameter; repeat takes one from it and goes
	// back to the label that loop set until it is 0.
	counter(name string) Op
	loop(label string)
	repeat(counter Op, label string)

	load(p place) elementOf[R]
	store(p place, v elementOf[R])              // and frees v
	keep(p place, registers ...R)               // stores without freeing
	storeWide(p place, w productOf[R])          // and frees w
	mul(x, y place) productOf[R]                // x·y
	square(x place) productOf[R]                // x²
	squareLimbs(x elementOf[R]) productOf[R]    // x², for squarings that wait for each other
	minus(w productOf[R], p place) productOf[R] // w less the eight words at p
	fold(w productOf[R]) foldedOf[R]            // 2²⁵⁶ ≡ c for the upper four words
	shift(f foldedOf[R], n uint) foldedOf[R]    // f·2ⁿ
	triple(f foldedOf[R]) foldedOf[R]           // 3·f
	half(f foldedOf[R]) foldedOf[R]             // f/2 mod p for t ≥ 0
	less(f foldedOf[R], p ...place) foldedOf[R] // f less the elements at places
	foldUnsigned(f foldedOf[R]) elementOf[R]    // f mod p for t ≥ 0
	foldSigned(f foldedOf[R]) elementOf[R]      // f mod p, where t may be negative
	sub(v elementOf[R], p place) elementOf[R]   // v less the element at p
	subLimbs(v, x elementOf[R]) elementOf[R]    // v less x
	rename(x, v elementOf[R])                   // moves v to the registers x, each free or that word's own
}

// arithmetic is the arithmetic of a machine, and the parts that are the same for all machines.
type arithmetic[R any] struct{ machine[R] }

// reduce returns w mod p.
func (e arithmetic[R]) reduce(w productOf[R]) elementOf[R] { return e.reduceFolded(e.fold(w)) }

// reduceFolded returns f mod p, for a t of one word. A carry leaves less than t·c,
// so that c, which the carry is worth, is lost in two words. So it is with a borrow,
// which leaves more than 2²⁵⁶ − |t|·c, of which c can be taken in two words.
func (e arithmetic[R]) reduceFolded(f foldedOf[R]) elementOf[R] {
	e.comment("reduce %s: t = %s times c, for %s, and then the carry times c", names(f.v[:]), f.t, f.bounds)
	if f.bounds.least >= 0 {
		return e.foldUnsigned(f)
	}
	if f.bounds.most > math.MaxInt64 {
		panic(fmt.Sprintf("t is from %d to %d, which is more than a word", f.bounds.least, f.bounds.most))
	}
	return e.foldSigned(f)
}

// bounds are the least and the greatest value of a word, which is signed if the least value is
// negative.
type bounds struct {
	least int64
	most  uint64
}

// String is for comments.
func (b bounds) String() string {
	least := "0"
	if b.least < 0 {
		least = "−" + power(bits.Len64(uint64(-b.least)))
	}
	return fmt.Sprintf("%s ≤ t < %s", least, power(bits.Len64(b.most)))
}

// foldedProduct is the bounds of t after folding eight words, with a carry and a
// borrow or without.
func foldedProduct(carry, borrow bool) bounds {
	b := bounds{0, c + 1}
	if carry {
		b.most += 4 // 2·1 + 1 + 1
	}
	if borrow {
		b.least = -c
	}
	return b
}

// times2 is the bounds of t in 2ⁿ·f.
func (b bounds) times2(n uint) bounds {
	if bits.Len64(b.most+1)+int(n) > 64 || bits.Len64(uint64(-b.least))+int(n) > 63 {
		panic(fmt.Sprintf("2^%d times %d to %d is more than a word", n, b.least, b.most))
	}
	return bounds{b.least << n, (b.most + 1) << n}
}

// halved is the bounds of f/2, before which p may be added, for t ≥ 0.
func (b bounds) halved() bounds {
	if b.least < 0 {
		panic("half of what may be negative")
	}
	return bounds{0, b.most/2 + 1}
}

// lessOne is those after a borrow.
func (b bounds) lessOne() bounds { return bounds{b.least - 1, b.most} }
