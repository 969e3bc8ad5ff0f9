package main

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

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

type elementOf[R register] [4]R

// productOf is eight words, a carry and a borrow. A carry or borrow whose register is the zero value of R is 0. The
// carry has the weight 2²⁵⁶. The borrow stands for −2⁵¹² if its register holds c, and for 0 if it holds 0.
type productOf[R register] struct {
	words         [8]R
	carry, borrow R
}

// foldedOf is v + t·2²⁵⁶ with a small t.
type foldedOf[R register] struct {
	v      elementOf[R]
	t      R
	bounds bounds // the bounds of t
}

// all returns the registers of f, with t as the highest word.
func (f foldedOf[R]) all() []R { return append(f.v[:], f.t) }

// machine emits the arithmetic of one architecture.
type machine[R register] interface {
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
	// held returns a copy of a parameter, which the banner describes by the given text, and set sets it to another
	// parameter. repeat subtracts one from the copy of a count and jumps back to the label that loop set, until the
	// copy is 0.
	held(name, what string) Op
	set(held Op, name string)
	loop(label string)
	repeat(count Op, label string)

	get() R
	take(r R)
	put(registers ...R)
	move(source, result R)
	load(p place) elementOf[R]
	keep(p place, registers ...R)               // stores registers at p
	addWord(first bool, a, b R)                 // adds a to b, and the carry unless this begins a chain of additions
	carry(r R)                                  // ends a chain of additions by adding the carry to r
	mul(x, y place) productOf[R]                // x·y
	square(x place) productOf[R]                // x²
	squareLimbs(x elementOf[R]) productOf[R]    // x², for squarings that depend on each other
	minus(w productOf[R], p place) productOf[R] // w minus the eight words at p
	fold(w productOf[R]) foldedOf[R]            // folds the upper four words: 2²⁵⁶ ≡ c
	triple(f foldedOf[R]) foldedOf[R]           // 3·f
	half(f foldedOf[R]) foldedOf[R]             // f/2 mod p for t ≥ 0
	less(f foldedOf[R], p ...place) foldedOf[R] // f minus the elements at places
	foldUnsigned(f foldedOf[R]) elementOf[R]    // f mod p for t ≥ 0
	foldSigned(f foldedOf[R]) elementOf[R]      // f mod p, where t may be negative
	sub(v elementOf[R], p place) elementOf[R]   // v minus the element at p
	subLimbs(v, x elementOf[R]) elementOf[R]    // v minus x
}

// schoolbook returns x·y. times multiplies word i of x by word j of y; begin and end are called for each word i, before
// and after its products.
func schoolbook[R register](
	m machine[R], begin func(i int), times func(i, j int, low, high R), end func(i int),
) (r [8]R) {
	for i := range 4 {
		m.comment("row %d: x%s·y", i, sub(i))
		begin(i)
		var high [4]R
		for j := range 4 {
			// In row 0, the high half of a product becomes a new word, to which the next low half is added.
			low := m.get()
			high[j] = m.get()
			times(i, j, low, high[j])
			switch {
			case i == 0 && j == 0:
				r[0], r[1] = low, high[0]
				continue
			case i == 0:
				m.addWord(j == 1, low, r[j])
				r[j+1] = high[j]
			default:
				m.addWord(j == 0, low, r[i+j])
			}
			m.put(low)
		}
		end(i)
		m.carry(high[3])
		if i > 0 {
			for j, h := range high[:3] {
				m.addWord(j == 0, h, r[i+j+1])
			}
			m.carry(high[3])
			r[i+4] = high[3]
			m.put(high[:3]...)
		}
	}
	return r
}

// crossProducts sets words 1 to 6 of r to the sum of the products of different words of x. It changes the other words
// and low. times multiplies words i and j of x; begin is called before the products with word i.
func crossProducts[R register](m machine[R], r *[8]R, low R, begin func(i int), times func(i, j int, low, high R)) {
	// Additions with carry limit the speed, and this order needs the fewest of them. Adding a carry to the high half of
	// a product does not overflow, because the half is at most 2⁶⁴ − 2.
	m.comment("the products of different words: x₁·x₂, x₁·x₃; x₀·x₁, x₀·x₂, x₀·x₃; x₂·x₃")
	begin(1)
	times(1, 2, r[3], r[4])
	times(1, 3, r[6], r[5])
	begin(0)
	times(0, 1, r[1], r[2])
	times(0, 2, low, r[7])
	m.addWord(true, r[7], r[3])
	times(0, 3, r[0], r[7])
	m.addWord(false, r[7], r[4])
	m.carry(r[5])
	for i, word := range []R{low, r[0], r[6]} {
		m.addWord(i == 0, word, r[2+i])
	}
	begin(2)
	times(2, 3, low, r[6])
	m.addWord(false, low, r[5])
	m.carry(r[6])
}

// arithmetic is the arithmetic of a machine, with the parts that are the same for all machines.
type arithmetic[R register] struct{ machine[R] }

// store stores registers at p and frees them.
func (e arithmetic[R]) store(p place, registers ...R) {
	e.keep(p, registers...)
	e.put(registers...)
}

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

// pool holds the free registers of a machine, which have the type R. The emitting code takes and returns registers
// explicitly, because an allocator would spill values that need not be spilled.
type pool[R register] struct{ free []R }

// register is the type of the registers of a machine.
type register interface {
	comparable
	Op
}

// operands returns registers as operands.
func operands[R register](registers []R) (list []Op) {
	for _, r := range registers {
		list = append(list, r)
	}
	return list
}

// get takes any register from the pool.
func (p *pool[R]) get() R {
	if len(p.free) == 0 {
		panic("out of registers")
	}
	r := p.free[0]
	p.free = p.free[1:]
	return r
}

// take4 takes any four registers.
func (p *pool[R]) take4() (v elementOf[R]) {
	for i := range v {
		v[i] = p.get()
	}
	return v
}

// take takes a particular register.
func (p *pool[R]) take(r R) {
	i := slices.Index(p.free, r)
	if i < 0 {
		panic(fmt.Sprintf("register %s is not free", r.Asm()))
	}
	p.free = slices.Delete(p.free, i, i+1)
}

// put returns registers to the pool.
func (p *pool[R]) put(registers ...R) {
	for _, r := range registers {
		if slices.Contains(p.free, r) {
			panic(fmt.Sprintf("register %s is returned twice", r.Asm()))
		}
		p.free = slices.Insert(p.free, 0, r)
	}
}
