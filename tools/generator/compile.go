package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"

	"p256k1.mleku.dev/v2/tools/generator/formula"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// This file compiles the point formulas to the arithmetic of the interface machine. A routine computes a whole formula,
// so that the processor overlaps multiplications that do not depend on each other. Steps pass their results in memory,
// except for a result that the next step takes from registers.

// fourWords describes the machines whose elements consist of four words of any value.
var fourWords = formula.Machine{
	Fits: func(sum []formula.Term) bool { _, ok := shapeOf(sum); return ok },
}

// group emits the routines of package group. s holds the formulas.
func group[R register](m machine[R], s *formula.Source) {
	m.importType("field", "Element")
	for _, name := range s.Routines() {
		compile(m, formulaOf(s, name))
	}
}

func formulaOf(s *formula.Source, name string) *formula.Formula {
	return must.Get(s.Formula(name, fourWords))
}

// shape is a sum that is reduced once. It has one of three forms:
//
//   - a product A·B times 1, 3, 1/2 or 3/2, minus any number of elements
//   - a product A·B minus another product
//   - an element minus another element
type shape struct {
	product formula.Term // its B is nil if the sum has no product
	three   bool
	half    bool
	wide    *formula.Value
	minuend *formula.Value
	less    []*formula.Value // elements to subtract; an element that is subtracted twice is listed twice
}

func shapeOf(sum []formula.Term) (s shape, ok bool) {
	for _, t := range sum {
		n, denom := t.Coefficient.Num().Int64(), t.Coefficient.Denom().Int64()
		if !t.Coefficient.Num().IsInt64() || !t.Coefficient.Denom().IsInt64() || denom > 2 || (denom == 2 && t.B == nil) {
			return s, false
		}
		switch {
		case t.B != nil:
			if s.product.B != nil || (n != 1 && n != 3) {
				return s, false
			}
			s.product, s.half, s.three = t, denom == 2, n == 3
		case t.A.Unreduced:
			if s.wide != nil || n != -1 || t.A.Terms[0].Coefficient.Num().Int64() != 1 {
				return s, false
			}
			s.wide = t.A
		case n < 0:
			s.less = append(s.less, slices.Repeat([]*formula.Value{t.A}, int(-n))...)
		case n == 1 && s.minuend == nil:
			s.minuend = t.A
		default:
			return s, false
		}
	}
	switch {
	case s.product.B == nil:
		return s, s.minuend != nil && len(s.less) == 1 && s.wide == nil
	case s.wide != nil:
		return s, s.minuend == nil && len(s.less) == 0 && !s.three && !s.half
	}
	return s, s.minuend == nil
}

// compiler compiles one formula.
type compiler[R register] struct {
	arithmetic[R]
	f       *formula.Formula
	points  map[string]place // the places to which the parameters point
	locals  map[*formula.Value]place
	lastUse map[*formula.Value]int
	free    map[int][]place  // free slots on the stack, by the number of their words
	names   map[int][]string // the names of the values that each slot holds over time, by the offset of the slot
}

func compile[R register](m machine[R], f *formula.Formula) {
	e := compiler[R]{
		arithmetic[R]{m}, f, map[string]place{},
		map[*formula.Value]place{}, map[*formula.Value]int{}, map[int][]place{}, map[int][]string{},
	}
	e.routine(f.Name, f.Signature(), f.Doc)
	var count, input Op
	if f.Repeat != nil {
		count, input = e.held(f.Repeat.Count, "the count"), e.held(f.Repeat.Input, "the pointer "+f.Repeat.Input)
		e.points[f.Repeat.Input] = place{input, 0}
	}
	for _, p := range f.Params {
		if p.Elements > 0 && (f.Repeat == nil || p.Name != f.Repeat.Input) {
			e.points[p.Name] = e.arg(p.Name, 0)
		}
	}
	for i, v := range f.Steps {
		for _, a := range v.Operands() {
			e.lastUse[a] = i
		}
	}
	if f.Repeat != nil {
		e.comment("repeat %s times, from the second time on with %s in place of %s", f.Repeat.Count, f.Repeat.Output, f.Repeat.Input)
		e.loop("loop")
	}
	for i := 0; i < len(f.Steps); i++ {
		i += e.step(i)
	}
	if f.Repeat != nil {
		e.set(input, f.Repeat.Output)
		e.repeat(count, "loop")
	}
	var slots []string
	for _, offset := range slices.Sorted(maps.Keys(e.names)) {
		slots = append(slots, fmt.Sprintf("%s at byte %d", strings.Join(e.names[offset], " and then "), offset))
	}
	e.note("The stack holds %s.", strings.Join(slots, "; "))
	e.end()
}

// step emits step i. If step i + 1 takes the result of step i from registers, step emits both steps and returns 1.
func (e *compiler[R]) step(i int) int {
	v := e.f.Steps[i]
	e.comment("%s = %s", v.Name, v)
	s, ok := shapeOf(v.Terms)
	if !ok {
		panic(fmt.Sprintf("%s: no way to compute %s in\n%s", e.f.Name, v.Name, e.f))
	}
	if v.Unreduced {
		w := e.product(s)
		e.store(e.result(i), w.words[:]...)
		return 0
	}
	x := e.reduced(s)
	if i+1 < len(e.f.Steps) {
		w := e.f.Steps[i+1]
		next, _ := shapeOf(w.Terms)
		if next.minuend != nil && next.less[0] == v {
			e.keep(e.result(i), x[:]...)
			e.comment("%s = %s", w.Name, w)
			x = e.subLimbs(e.load(e.place(next.minuend)), x)
			e.store(e.result(i+1), x[:]...)
			return 1
		}
	}
	e.store(e.result(i), x[:]...)
	return 0
}

// reduced returns a sum modulo p.
func (e *compiler[R]) reduced(s shape) elementOf[R] {
	if s.product.B == nil {
		return e.sub(e.load(e.place(s.minuend)), e.place(s.less[0]))
	}
	w := e.product(s)
	if s.wide != nil {
		return e.reduce(e.minus(w, e.place(s.wide)))
	}
	f := e.fold(w)
	if s.three {
		f = e.triple(f)
	}
	if s.half {
		f = e.half(f)
	}
	var less []place
	for _, a := range s.less {
		less = append(less, e.place(a))
	}
	return e.reduceFolded(e.less(f, less...))
}

func (e *compiler[R]) product(s shape) productOf[R] {
	if s.product.A == s.product.B {
		return e.square(e.place(s.product.A))
	}
	return e.mul(e.place(s.product.A), e.place(s.product.B))
}

// place returns the place of a value.
func (e *compiler[R]) place(v *formula.Value) place {
	if v.Place == nil {
		return e.locals[v]
	}
	p := e.points[v.Place.Param.Name]
	return place{p.pointer, p.offset + 32*v.Place.Index}
}

func wordsOf(v *formula.Value) int {
	if v.Unreduced {
		return 8
	}
	return 4
}

// result returns the place for the value of step i. A place on the stack may be the slot of a value that is not needed
// after the step.
func (e *compiler[R]) result(i int) place {
	v, n := e.f.Steps[i], wordsOf(e.f.Steps[i])
	if v.Place != nil {
		return e.place(v)
	}
	for _, old := range e.f.Steps[:i] {
		slot, ok := e.locals[old]
		if ok && e.lastUse[old] <= i {
			e.free[wordsOf(old)] = append(e.free[wordsOf(old)], slot)
			delete(e.locals, old)
		}
	}
	if len(e.free[n]) == 0 {
		e.free[n] = []place{e.local(n)}
	}
	slot := e.free[n][len(e.free[n])-1]
	e.locals[v], e.free[n] = slot, e.free[n][:len(e.free[n])-1]
	e.names[slot.offset] = append(e.names[slot.offset], v.Name)
	e.comment("store %s at byte %d of the stack", v.Name, slot.offset)
	return slot
}
