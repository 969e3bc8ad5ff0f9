package main

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"

	"p256k1.mleku.dev/v2/tools/generator/formula"
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
	f, err := s.Formula(name, fourWords)
	if err != nil {
		panic(err)
	}
	return f
}

// shape is a sum that is reduced once. It has one of three forms:
//
//   - a product A·B times 2ⁿ, 3·2ⁿ, 1/2 or 3/2, minus any number of elements
//   - a product A·B minus another product
//   - an element minus another element
type shape struct {
	product formula.Term // its B is nil if the sum has no product
	three   bool
	half    bool
	n       uint
	wide    *formula.Value
	from    *formula.Value
	less    []*formula.Value // elements to subtract; an element that is subtracted twice is listed twice
}

func shapeOf(sum []formula.Term) (s shape, ok bool) {
	for _, t := range sum {
		num, denom := t.Coefficient.Num(), t.Coefficient.Denom()
		if !num.IsInt64() || !denom.IsInt64() || denom.Int64() > 2 || (denom.Int64() == 2 && t.B == nil) {
			return s, false
		}
		switch n := num.Int64(); {
		case t.B != nil:
			if s.product.B != nil || n <= 0 {
				return s, false
			}
			s.product, s.half, s.n = t, denom.Int64() == 2, uint(bits.TrailingZeros64(uint64(n)))
			if s.three = n>>s.n == 3; n>>s.n != 1 && !s.three {
				return s, false
			}
		case t.A.Unreduced:
			if s.wide != nil || n != -1 || t.A.Terms[0].Coefficient.Num().Int64() != 1 {
				return s, false
			}
			s.wide = t.A
		case n < 0:
			for range -n {
				s.less = append(s.less, t.A)
			}
		case n == 1 && s.from == nil:
			s.from = t.A
		default:
			return s, false
		}
	}
	switch {
	case s.product.B == nil:
		return s, s.from != nil && len(s.less) == 1 && s.wide == nil
	case s.wide != nil:
		return s, s.from == nil && len(s.less) == 0 && s.n == 0 && !s.three && !s.half
	}
	return s, s.from == nil
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
	var count, from Op
	if f.Repeat != nil {
		count, from = e.held(f.Repeat.Count, "the count"), e.held(f.Repeat.Input, "the pointer "+f.Repeat.Input)
	}
	for _, p := range f.Params {
		switch {
		case p.Elements == 0:
		case f.Repeat != nil && p.Name == f.Repeat.Input:
			e.points[p.Name] = place{from, 0}
		default:
			e.points[p.Name] = e.arg(p.Name, 0)
		}
	}
	for i, v := range f.Steps {
		for _, t := range v.Terms {
			e.lastUse[t.A], e.lastUse[t.B] = i, i
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
		e.set(from, f.Repeat.Output)
		e.repeat(count, "loop")
	}
	var where []string
	for _, at := range slices.Sorted(maps.Keys(e.names)) {
		where = append(where, fmt.Sprintf("%s at byte %d", strings.Join(e.names[at], " and then "), at))
	}
	e.note("The stack holds %s.", strings.Join(where, "; "))
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
		e.store(e.to(i, 8), w.words[:]...)
		return 0
	}
	var x elementOf[R]
	switch {
	case s.product.B == nil:
		x = e.sub(e.load(e.at(s.from)), e.at(s.less[0]))
	case s.wide != nil:
		x = e.reduce(e.minus(e.product(s), e.at(s.wide)))
	default:
		f := e.fold(e.product(s))
		if s.three {
			f = e.triple(f)
		}
		if s.half {
			f = e.half(f)
		}
		if s.n > 0 {
			f = e.shift(f, s.n)
		}
		var less []place
		for _, a := range s.less {
			less = append(less, e.at(a))
		}
		if less != nil {
			f = e.less(f, less...)
		}
		x = e.reduceFolded(f)
	}
	if i+1 < len(e.f.Steps) {
		if next, _ := shapeOf(e.f.Steps[i+1].Terms); next.from != nil && next.less[0] == v {
			e.keep(e.to(i, 4), x[:]...)
			e.comment("%s = %s", e.f.Steps[i+1].Name, e.f.Steps[i+1])
			x = e.subLimbs(e.load(e.at(next.from)), x)
			e.store(e.to(i+1, 4), x[:]...)
			return 1
		}
	}
	e.store(e.to(i, 4), x[:]...)
	return 0
}

func (e *compiler[R]) product(s shape) productOf[R] {
	if s.product.A == s.product.B {
		return e.square(e.at(s.product.A))
	}
	return e.mul(e.at(s.product.A), e.at(s.product.B))
}

// at returns the place of a value.
func (e *compiler[R]) at(v *formula.Value) place {
	if v.Place == nil {
		return e.locals[v]
	}
	p := e.points[v.Place.Param.Name]
	return place{p.pointer, p.offset + 32*v.Place.Index}
}

// to returns the place for the value of step i. A place on the stack may be the slot of a value that is not needed
// after the step.
func (e *compiler[R]) to(i, words int) place {
	v := e.f.Steps[i]
	if v.Place != nil {
		return e.at(v)
	}
	for _, v := range e.f.Steps[:i] {
		if p, ok := e.locals[v]; ok && e.lastUse[v] <= i {
			n := 4
			if v.Unreduced {
				n = 8
			}
			e.free[n] = append(e.free[n], p)
			delete(e.locals, v)
		}
	}
	if p := e.free[words]; len(p) > 0 {
		e.locals[v], e.free[words] = p[len(p)-1], p[:len(p)-1]
	} else {
		e.locals[v] = e.local(words)
	}
	at := e.locals[v].offset
	e.names[at] = append(e.names[at], v.Name)
	e.comment("store %s at byte %d of the stack", v.Name, at)
	return e.locals[v]
}
