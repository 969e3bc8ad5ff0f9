package main

import (
	"fmt"
	"math"
	"math/bits"

	. "github.com/mmcloughlin/avo/operand"
)

// compile.go compiles formulas to the arithmetic in this file: the arithmetic modulo p = 2²⁵⁶ − c of a machine with
// registers of type R. An element is any four words, as in package field, in memory (a place) or in registers. An
// operation on registers may overwrite or free its operands, and returns the registers of its result.

const c = 1<<32 + 977

// A place is an address of words in memory: an offset from the stack pointer, or from a pointer that the machine keeps
// in a register or in memory.
type place struct {
	pointer Op // nil for the stack
	offset  int
}

type elementOf[R any] [4]R

// productOf is eight words, a carry and a borrow. A carry or borrow whose register is the zero value of R is 0. The
// carry has the weight 2²⁵⁶. The borrow stands for −2⁵¹² if its register holds c, and for 0 if it holds 0.
type productOf[R any] struct {
	words         [8]R
	carry, borrow R
}

// foldedOf is v + t·2²⁵⁶ with a small t.
type foldedOf[R any] struct {
	v      elementOf[R]
	t      R
	bounds bounds // the bounds of t
}

// machine emits the arithmetic of one architecture.
type machine[R any] interface {
	// importType declares a type of another package, so that signatures can use its unqualified name.
	importType(pkg, name string)
	// routine begins a routine, and end ends it.
	routine(name, signature, doc string)
	end()
	// comment describes the instructions that follow. note adds to the banner where a value is throughout the routine.
	comment(format string, args ...any)
	note(format string, args ...any)
	// arg returns the place at an offset from the pointer parameter with the given name, and local returns a place of n
	// words on the stack.
	arg(name string, offset int) place
	local(n int) place
	// pointer returns an operand that holds a pointer parameter, and point sets it to another pointer parameter.
	pointer(name string) Op
	point(pointer Op, name string)
	// counter returns a copy of an integer parameter. repeat subtracts one from it and jumps back to the label that
	// loop set, until the copy is 0.
	counter(name string) Op
	loop(label string)
	repeat(counter Op, label string)

	load(p place) elementOf[R]
	store(p place, v elementOf[R])              // stores v and frees its registers
	keep(p place, registers ...R)               // stores without freeing registers
	storeWide(p place, w productOf[R])          // stores w and frees its registers
	mul(x, y place) productOf[R]                // x·y
	square(x place) productOf[R]                // x²
	squareLimbs(x elementOf[R]) productOf[R]    // x², for squarings that depend on each other
	minus(w productOf[R], p place) productOf[R] // w minus the eight words at p
	fold(w productOf[R]) foldedOf[R]            // folds the upper four words: 2²⁵⁶ ≡ c
	shift(f foldedOf[R], n uint) foldedOf[R]    // f·2ⁿ
	triple(f foldedOf[R]) foldedOf[R]           // 3·f
	half(f foldedOf[R]) foldedOf[R]             // f/2 mod p for t ≥ 0
	less(f foldedOf[R], p ...place) foldedOf[R] // f minus the elements at places
	foldUnsigned(f foldedOf[R]) elementOf[R]    // f mod p for t ≥ 0
	foldSigned(f foldedOf[R]) elementOf[R]      // f mod p, where t may be negative
	sub(v elementOf[R], p place) elementOf[R]   // v minus the element at p
	subLimbs(v, x elementOf[R]) elementOf[R]    // v minus x
	rename(x, v elementOf[R])                   // moves v to the registers x, each of which is free or already holds its word
}

// arithmetic is the arithmetic of a machine, with the parts that are the same for all machines.
type arithmetic[R any] struct{ machine[R] }

// reduce returns w mod p.
func (e arithmetic[R]) reduce(w productOf[R]) elementOf[R] { return e.reduceFolded(e.fold(w)) }

// reduceFolded returns f mod p, if t has one word. If adding t·c carries, the words then hold less than t·c, so adding
// c for the carry changes only two words. If subtracting |t|·c borrows, the words then hold more than 2²⁵⁶ − |t|·c, so
// subtracting c for the borrow also changes only two words.
func (e arithmetic[R]) reduceFolded(f foldedOf[R]) elementOf[R] {
	e.comment("reduce %s: add 2³² + 977 times top, where top is in %s and %s, and then 2³² + 977 times the carry", names(f.v[:]), f.t, f.bounds)
	if f.bounds.least >= 0 {
		return e.foldUnsigned(f)
	}
	if f.bounds.most > math.MaxInt64 {
		panic(fmt.Sprintf("t is from %d to %d, which is more than a word", f.bounds.least, f.bounds.most))
	}
	return e.foldSigned(f)
}

// bounds are the least and the greatest value of a word. The word is signed if the least value is negative.
type bounds struct {
	least int64
	most  uint64
}

// String formats the bounds for comments.
func (b bounds) String() string {
	least := "0"
	if b.least < 0 {
		least = "−" + power(bits.Len64(uint64(-b.least)))
	}
	return fmt.Sprintf("%s ≤ top < %s", least, power(bits.Len64(b.most)))
}

// foldedProduct returns the bounds of t after folding eight words, with or without a carry and a borrow.
func foldedProduct(carry, borrow bool) bounds {
	b := bounds{0, c + 1}
	if carry {
		b.most += 4 // the carry of squareLimbs is at most 2·1 + 1 + 1
	}
	if borrow {
		b.least = -c
	}
	return b
}

// times2 returns the bounds of t in 2ⁿ·f.
func (b bounds) times2(n uint) bounds {
	if bits.Len64(b.most+1)+int(n) > 64 || bits.Len64(uint64(-b.least))+int(n) > 63 {
		panic(fmt.Sprintf("2^%d times %d to %d is more than a word", n, b.least, b.most))
	}
	return bounds{b.least << n, (b.most + 1) << n}
}

// halved returns the bounds of t in f/2 for t ≥ 0, where p may be added before halving.
func (b bounds) halved() bounds {
	if b.least < 0 {
		panic("half of a number that may be negative")
	}
	return bounds{0, b.most/2 + 1}
}

// lessOne returns the bounds of t after an element has been subtracted, which may borrow from t.
func (b bounds) lessOne() bounds { return bounds{b.least - 1, b.most} }
