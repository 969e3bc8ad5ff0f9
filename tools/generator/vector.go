package main

import (
	"fmt"
	"math/bits"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
)

// This file describes straight-line code on vectors of eight 64-bit integers, for AVX-512 IFMA. Every vector has an
// upper bound for its integers. An operation that could overflow, become negative or lose bits of a factor stops the
// generator, so all integers in a generated routine are exact. vectoralloc.go assigns registers to vectors.

// limb is the number of bits in a limb, which is also the number of bits that a multiplication reads.
const limb = 52

const limbMask = 1<<limb - 1

// above4 is the number of bits that limb 4 of an element may have.
const above4 = 49

// An instruction computes a vector.
type instruction int

const (
	present   instruction = iota // in a register from the beginning
	load                         // from memory
	constant                     // in all lanes
	zero                         // in all lanes
	productLo                    // the first operand + the low 52 bits of the product of the other two
	productHi                    // the first operand + the bits of this product above the low 52
	add
	subtract
	subtractMasked // the second operand − the third in the lanes of a mask, the first in the others
	shiftRight
	shiftLeft
	and
	or
	blend // the first operand in the lanes of a mask, the second in the others
	store // to memory
)

// A vec is the result of an instruction, or a store.
type vec struct {
	what     instruction
	operands []*vec
	n        uint64 // the number of bits to shift by, or the constant
	mem      memory // for a load or store
	mask     string // the mask parameter, with a prefix "^" for the lanes that are not in the mask
	most     uint64
	dirty    bool // bits from 52 on have been added elsewhere and do not count
	same     *vec // for a dirty vector: the same vector with all bits, if other code uses them
	phase    *phase

	// Where the vector is, for vectoralloc.go.
	uses []int // positions in the code where the vector is still to be used
	home Op    // memory that holds the vector, nil if none does
	each bool  // the memory holds one word of 64 bits for all lanes
}

// memory is a vector in memory: a parameter points to vector 0, and further vectors follow.
type memory struct {
	param  string
	vector int
}

// element returns the memory of the first limb of element i.
func element(param string, i int) memory { return memory{param, 5 * i} }

func (m memory) plus(n int) memory { return memory{m.param, m.vector + n} }

func (m memory) String() string { return fmt.Sprintf("byte %d of %s", vectorBytes*m.vector, m.param) }

// vectors holds the instructions of a routine, in order.
type vectors struct {
	*emitter
	code    []*vec
	now     *phase
	results []result
	x, y    string // the factors of the next product, for comments
	known   map[content]*vec
}

// content is what an instruction computes.
type content struct {
	what     instruction
	operands [3]*vec
	n        uint64
	mem      memory
}

// A step is a step of a formula. A phase is a group of instructions that a comment describes. Because vectororder.go
// moves instructions, the comment stands above the first instruction of the phase, and instructions of other phases may
// follow.
type (
	step  struct{ name, equation string }
	phase struct {
		*step
		text string
	}
	result struct { // a value for which a comment says where it is and gives its bounds
		name  string
		limbs []*vec
	}
)

// begin begins a step.
func (e *vectors) begin(name, equation string) {
	e.now = &phase{&step{name, equation}, "additions and subtractions"}
}

// comment begins a phase.
func (e *vectors) comment(format string, args ...any) {
	e.now = &phase{e.now.step, text(format, args)}
}

// result adds a comment that says where a value is.
func (e *vectors) result(name string, limbs []*vec) {
	e.results = append(e.results, result{name, limbs})
}

// below formats the bounds of columns.
func below(columns []*vec) string {
	list := make([]string, len(columns))
	for k, v := range columns {
		list[k] = "0"
		if v != nil {
			list[k] = power(bits.Len64(v.most))
		}
	}
	return strings.Join(list, " ")
}

func newVectors(e *emitter) *vectors {
	return &vectors{emitter: e, now: &phase{step: &step{}}, x: "x", y: "y", known: map[content]*vec{}}
}

func (e *vectors) emit(v *vec) *vec {
	v.operands, v.phase = originals(v.operands), e.now
	e.code = append(e.code, v)
	return v
}

// once emits v, unless the same instruction has been emitted before, and returns the result.
func (e *vectors) once(v *vec) *vec {
	c := content{what: v.what, n: v.n, mem: v.mem}
	copy(c.operands[:], v.operands)
	if e.known[c] == nil {
		e.known[c] = e.emit(v)
	}
	return e.known[c]
}

func originals(list []*vec) (o []*vec) {
	for _, v := range list {
		if v.same != nil {
			v = v.same
		}
		o = append(o, v)
	}
	return o
}

// carried returns v after its bits from 52 on have been added elsewhere.
func (e *vectors) carried(v *vec) *vec {
	return &vec{most: v.most, dirty: true, same: originals([]*vec{v})[0]}
}

// load returns a vector in memory whose integers have the given number of bits. The vector is dirty if bits from 52 on
// do not count.
func (e *vectors) load(m memory, n uint, dirty bool) *vec {
	return e.once(&vec{what: load, mem: m, most: 1<<n - 1, dirty: dirty})
}

// store emits a store of v to m, and forgets an earlier load from m, because the loaded value is out of date.
func (e *vectors) store(m memory, v *vec) {
	delete(e.known, content{what: load, mem: m})
	e.emit(&vec{what: store, mem: m, operands: []*vec{v}})
}

func (e *vectors) constant(n uint64) *vec { return e.once(&vec{what: constant, n: n, most: n}) }

func sumOf(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		panic(fmt.Sprintf("%#x + %#x overflows", a, b))
	}
	return s
}

// counts panics if some bits of a do not count.
func (e *vectors) counts(a ...*vec) {
	for _, v := range a {
		if v.dirty {
			panic("a vector with bits that do not count")
		}
	}
}

// factor returns the largest value that a multiplication reads from a vector.
func factor(v *vec) uint64 {
	switch {
	case v.dirty:
		return limbMask
	case v.most > limbMask:
		panic(fmt.Sprintf("a factor of up to %#x", v.most))
	}
	return v.most
}

// halves returns the largest values that the low and high parts of a·b can have.
func halves(a, b *vec) (lo, hi uint64) {
	h, l := bits.Mul64(factor(a), factor(b))
	if hi, lo = h<<(64-limb)|l>>limb, l; hi > 0 {
		lo = limbMask
	}
	return lo, hi
}

// lo returns sum + the low 52 bits of a·b; a nil sum counts as 0.
func (e *vectors) lo(s, a, b *vec) *vec {
	lo, _ := halves(a, b)
	return e.product(productLo, s, a, b, lo)
}

// hi returns sum + the bits of a·b above the low 52; a nil sum counts as 0.
func (e *vectors) hi(s, a, b *vec) *vec {
	_, hi := halves(a, b)
	return e.product(productHi, s, a, b, hi)
}

func (e *vectors) product(what instruction, s, a, b *vec, most uint64) *vec {
	if s == nil {
		s = e.emit(&vec{what: zero})
	}
	e.counts(s)
	return e.emit(&vec{what: what, operands: []*vec{s, a, b}, most: sumOf(s.most, most)})
}

// add returns a + b; a nil operand counts as 0.
func (e *vectors) add(a, b *vec) *vec {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	e.counts(a, b)
	return e.emit(&vec{what: add, operands: []*vec{a, b}, most: sumOf(a.most, b.most)})
}

// sub returns n − b for a nil a, and n + a − b otherwise.
func (e *vectors) sub(n uint64, a, b *vec) *vec {
	e.counts(b)
	if n < b.most {
		panic(fmt.Sprintf("%#x − %#x is negative", n, b.most))
	}
	if a == nil {
		return e.emit(&vec{what: subtract, operands: []*vec{e.constant(n), b}, most: n})
	}
	a = e.add(a, e.constant(n))
	return e.emit(&vec{what: subtract, operands: []*vec{a, b}, most: a.most})
}

// addOrSub returns a + b, or a + n − b in the lanes of a mask.
func (e *vectors) addOrSub(mask string, n uint64, a, b *vec) *vec {
	plus, minuend := e.add(a, b), e.add(a, e.constant(n))
	if n < b.most {
		panic(fmt.Sprintf("%#x − %#x is negative", n, b.most))
	}
	return e.emit(&vec{what: subtractMasked, mask: mask, operands: []*vec{plus, minuend, b}, most: max(plus.most, minuend.most)})
}

func (e *vectors) shr(a *vec, n uint) *vec {
	switch {
	case n == 0:
		return a
	case a.most>>n == 0:
		return nil
	}
	return e.emit(&vec{what: shiftRight, n: uint64(n), operands: []*vec{a}, most: a.most >> n})
}

func (e *vectors) shl(a *vec, n uint) *vec {
	e.counts(a)
	if bits.LeadingZeros64(a.most) < int(n) {
		panic(fmt.Sprintf("%#x times 2^%d overflows", a.most, n))
	}
	return e.emit(&vec{what: shiftLeft, n: uint64(n), operands: []*vec{a}, most: a.most << n})
}

// shlLow returns a·2ⁿ without the bits that are shifted out of a lane.
func (e *vectors) shlLow(a *vec, n uint) *vec {
	return e.emit(&vec{what: shiftLeft, n: uint64(n), operands: []*vec{a}, most: ^uint64(0) << n})
}

// low returns the bits of a below 2ⁿ.
func (e *vectors) low(a *vec, n uint) *vec {
	if !a.dirty && a.most < 1<<n {
		return a
	}
	if a.dirty && n > limb {
		panic("bits that do not count")
	}
	return e.emit(&vec{what: and, operands: []*vec{a, e.constant(1<<n - 1)}, most: 1<<n - 1})
}

func (e *vectors) or(a, b *vec) *vec {
	return e.emit(&vec{what: or, operands: []*vec{a, b}, most: 1<<bits.Len64(a.most|b.most) - 1})
}

// blend returns a in the lanes of a mask, and b in the other lanes.
func (e *vectors) blend(mask string, a, b *vec) *vec {
	return e.emit(&vec{what: blend, mask: mask, operands: []*vec{a, b}, most: max(a.most, b.most), dirty: a.dirty || b.dirty})
}
