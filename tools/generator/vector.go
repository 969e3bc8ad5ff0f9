package main

import (
	"fmt"
	"math/bits"
	"strings"
)

// This file describes straight-line code on vectors of eight integers of 64 bits, for
// AVX-512 IFMA. Every vector knows how large its integers are at most: what could
// overflow, become negative or lose bits in a factor stops the generator. So a routine
// that it makes computes with integers. vectoralloc.go gives vectors registers.

// limb is the number of bits in a limb, and the number of bits that a product reads.
const limb = 52

const limbMask = 1<<limb - 1

// above4 is the bits that limb 4 of an element may have.
const above4 = 49

// An instruction makes a vector.
type instruction int

const (
	present   instruction = iota // in a register from the beginning
	load                         // from memory
	constant                     // in all lanes
	zero                         // in all lanes
	productLo                    // first + the low 52 bits of the product of the others
	productHi                    // first + the bits above these
	add
	subtract
	subtractMasked // second − third in the lanes of a mask, first in the others
	shiftRight
	shiftLeft
	and
	or
	blend // first in the lanes of a mask, second in the others
	store // to memory
)

// A vec is the result of an instruction, or a store.
type vec struct {
	what  instruction
	of    []*vec
	n     uint64 // by how much to shift, or the constant
	mem   memory // of a load or store
	mask  string // the parameter, after "^" if all other lanes are meant
	most  uint64
	dirty bool // bits from 52 on were carried and do not count
	same  *vec // which has the bits, if these only count otherwise
	phase *phase

	at allocation
}

// memory is a vector in memory, by the pointer parameter.
type memory struct {
	param  string
	offset int
}

// vectors is the instructions of a routine, in their order.
type vectors struct {
	*emitter
	code      []*vec
	now       *phase
	results   []result
	x, y      string // the factors of the next product, for comments
	constants map[uint64]*vec
	loads     map[memory]*vec
}

// A step is one of a formula, and a phase what a comment says of some of its instructions. Since
// vectororder.go moves these, the comment stands above the first one, where others may go on.
type (
	step  struct{ name, equation string }
	phase struct {
		*step
		text string
	}
	result struct { // a value of which a comment says where it is, and its bounds
		name  string
		limbs []*vec
	}
)

// begin begins a step.
func (e *vectors) begin(name, equation string) {
	e.now = &phase{&step{name, equation}, "sums"}
}

// comment begins a phase.
func (e *vectors) comment(format string, args ...any) {
	e.now = &phase{e.now.step, text(format, args)}
}

// result has a comment say where a value is.
func (e *vectors) result(name string, limbs []*vec) {
	e.results = append(e.results, result{name, limbs})
}

// below is the bounds of columns.
func below(columns []*vec) string {
	list := make([]string, len(columns))
	for k, v := range columns {
		if list[k] = "0"; v != nil {
			list[k] = power(bits.Len64(v.most))
		}
	}
	return strings.Join(list, " ")
}

func newVectors(e *emitter) *vectors {
	return &vectors{emitter: e, now: &phase{step: &step{}}, x: "x", y: "y", constants: map[uint64]*vec{}, loads: map[memory]*vec{}}
}

func (e *vectors) emit(v *vec) *vec {
	v.of, v.phase = originals(v.of), e.now
	e.code = append(e.code, v)
	return v
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

// carried is v when its bits from 52 on have been added elsewhere.
func (e *vectors) carried(v *vec) *vec {
	return &vec{most: v.most, dirty: true, same: originals([]*vec{v})[0]}
}

// load is a vector in memory whose integers have so many bits; dirty if bits from 52 on
// do not count.
func (e *vectors) load(m memory, n uint, dirty bool) *vec {
	if v := e.loads[m]; v != nil {
		return v
	}
	v := e.emit(&vec{what: load, mem: m, most: 1<<n - 1, dirty: dirty})
	e.loads[m] = v
	return v
}

// store ends what loads know of the place.
func (e *vectors) store(m memory, v *vec) {
	delete(e.loads, m)
	e.emit(&vec{what: store, mem: m, of: []*vec{v}})
}

func (e *vectors) constant(n uint64) *vec {
	if e.constants[n] == nil {
		e.constants[n] = e.emit(&vec{what: constant, n: n, most: n})
	}
	return e.constants[n]
}

func sumOf(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		panic(fmt.Sprintf("%#x + %#x overflows", a, b))
	}
	return s
}

// counts panics if bits of a do not.
func (e *vectors) counts(a ...*vec) {
	for _, v := range a {
		if v.dirty {
			panic("a vector with bits that do not count")
		}
	}
}

// factor is the largest value of a factor.
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

// lo is sum + the low 52 bits of a·b; sum is nil for 0.
func (e *vectors) lo(s, a, b *vec) *vec {
	lo, _ := halves(a, b)
	return e.product(productLo, s, a, b, lo)
}

// hi is sum + what is above them.
func (e *vectors) hi(s, a, b *vec) *vec {
	_, hi := halves(a, b)
	return e.product(productHi, s, a, b, hi)
}

func (e *vectors) product(what instruction, s, a, b *vec, most uint64) *vec {
	if s == nil {
		s = e.emit(&vec{what: zero})
	}
	e.counts(s)
	return e.emit(&vec{what: what, of: []*vec{s, a, b}, most: sumOf(s.most, most)})
}

// add is a + b; either may be nil for 0.
func (e *vectors) add(a, b *vec) *vec {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	e.counts(a, b)
	return e.emit(&vec{what: add, of: []*vec{a, b}, most: sumOf(a.most, b.most)})
}

// sub is the constant n, or n + a, less b.
func (e *vectors) sub(n uint64, a, b *vec) *vec {
	e.counts(b)
	if n < b.most {
		panic(fmt.Sprintf("%#x − %#x is negative", n, b.most))
	}
	if a == nil {
		return e.emit(&vec{what: subtract, of: []*vec{e.constant(n), b}, most: n})
	}
	a = e.add(a, e.constant(n))
	return e.emit(&vec{what: subtract, of: []*vec{a, b}, most: a.most})
}

// addOrSub is a + b, and a + n − b in the lanes of a mask.
func (e *vectors) addOrSub(mask string, n uint64, a, b *vec) *vec {
	plus, from := e.add(a, b), e.add(a, e.constant(n))
	if n < b.most {
		panic(fmt.Sprintf("%#x − %#x is negative", n, b.most))
	}
	return e.emit(&vec{what: subtractMasked, mask: mask, of: []*vec{plus, from, b}, most: max(plus.most, from.most)})
}

func (e *vectors) shr(a *vec, n uint) *vec {
	switch {
	case n == 0:
		return a
	case a.most>>n == 0:
		return nil
	}
	return e.emit(&vec{what: shiftRight, n: uint64(n), of: []*vec{a}, most: a.most >> n})
}

func (e *vectors) shl(a *vec, n uint) *vec {
	e.counts(a)
	if bits.LeadingZeros64(a.most) < int(n) {
		panic(fmt.Sprintf("%#x times 2^%d overflows", a.most, n))
	}
	return e.emit(&vec{what: shiftLeft, n: uint64(n), of: []*vec{a}, most: a.most << n})
}

// shlLow is a·2ⁿ without the bits that leave the vector.
func (e *vectors) shlLow(a *vec, n uint) *vec {
	return e.emit(&vec{what: shiftLeft, n: uint64(n), of: []*vec{a}, most: ^uint64(0) << n})
}

// and is the bits of a below 2ⁿ.
func (e *vectors) low(a *vec, n uint) *vec {
	if !a.dirty && a.most < 1<<n {
		return a
	}
	if a.dirty && n > limb {
		panic("bits that do not count")
	}
	return e.emit(&vec{what: and, of: []*vec{a, e.constant(1<<n - 1)}, most: 1<<n - 1})
}

func (e *vectors) or(a, b *vec) *vec {
	return e.emit(&vec{what: or, of: []*vec{a, b}, most: 1<<bits.Len64(a.most|b.most) - 1})
}

// blend is a in the lanes of a mask, and b in the others.
func (e *vectors) blend(mask string, a, b *vec) *vec {
	return e.emit(&vec{what: blend, mask: mask, of: []*vec{a, b}, most: max(a.most, b.most), dirty: a.dirty || b.dirty})
}
