package main

import (
	"fmt"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/operand"

	"p256k1.mleku.dev/v2/tools/generator/formula"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// This file compiles the point formulas to calls of subroutines in doubles. A step has at most one product, and what is
// added to the product is reduced together with it. Signs are free: a value is an element times a number. A sum without
// a product becomes an element when it is used as a factor.

// term is n times an element in memory.
type term struct {
	n float64
	m memory
}

// doublesLowering compiles one formula.
type doublesLowering struct {
	formulaCopy
	values  map[*formula.Value][]term
	factors map[scaledValue]term
	steps   []doubleStep
	written map[memory]bool // where results are
}

// formulaInDoubles emits a formula.
func (e *emitter) formulaInDoubles(s *formula.Source, r inLanes) {
	m := r.machine()
	m.Fits = func(sum []formula.Term) bool {
		isElement := func(t formula.Term) bool { return t.B == nil && !t.A.Unreduced }
		return len(slices.DeleteFunc(slices.Clone(sum), isElement)) <= 1
	}
	f := must.Get(s.Formula(r.formula, m))
	count := ""
	if f.Repeat != nil {
		count = f.Repeat.Count
	}
	lower := func(r inLanes) (steps []doubleStep) {
		for i := range max(r.copies, 1) {
			l := &doublesLowering{
				formulaCopy: formulaCopy{r, f, i}, written: map[memory]bool{},
				values: map[*formula.Value][]term{}, factors: map[scaledValue]term{},
			}
			for _, v := range f.Steps {
				first := len(l.steps)
				l.step(v)
				if first < len(l.steps) {
					l.steps[first].comment = v.Name + " = " + v.String()
				}
			}
			l.reuse()
			steps = append(steps, l.steps...)
		}
		return steps
	}
	steps := lower(r)
	if r.lanes != "" {
		// In all lanes the results go where they belong at once.
		all := r
		all.lanes = ""
		begin := func() {
			e.CMPB(e.arg(r.lanes, 0).pointer, I8(-1))
			e.JNE(LabelRef("lanes"))
		}
		middle := func() {
			e.JMP(LabelRef("end"))
			e.Label("lanes")
		}
		end := func() { e.Label("end") }
		steps = slices.Concat(
			[]doubleStep{{code: begin}}, lower(all), []doubleStep{{code: middle}}, steps, []doubleStep{{code: end}})
	}
	e.inDoubles(r.name, count, steps...)
}

// call appends a call whose result is r.
func (l *doublesLowering) call(name string, r memory, operands ...memory) {
	l.steps = append(l.steps, calling(name, r, operands...))
}

// temporary returns memory on the stack for the element that the next step computes.
func (l *doublesLowering) temporary() memory { return element("", len(l.steps)) }

// reuse lets temporary elements share memory, if one is no longer used when another is computed.
func (l *doublesLowering) reuse() {
	last := map[memory]int{}
	for i, s := range l.steps {
		for _, m := range s.operands {
			last[m] = i
		}
	}
	places := map[memory]memory{}
	var until []int // by place, the last step that uses the element in it
	for i, s := range l.steps {
		result := s.operands["r"]
		if result.param == "" {
			n := slices.IndexFunc(until, func(last int) bool { return last <= i })
			if n < 0 {
				n, until = len(until), append(until, 0)
			}
			until[n], places[result] = last[result], element("", n)
		}
		for p, m := range s.operands {
			if m.param == "" {
				s.operands[p] = places[m]
			}
		}
	}
}

// sign returns −1 if the opposite of a value is stored.
func (l *doublesLowering) sign(v *formula.Value) float64 {
	if slices.Contains(l.negated, v.Name) {
		return -1
	}
	return 1
}

// terms returns a value as a sum of elements.
func (l *doublesLowering) terms(v *formula.Value) []term {
	if v.Terms == nil && l.values[v] == nil {
		m, is := l.place(v)
		if !is || l.written[m] {
			panic("no place for " + v.Name)
		}
		if mask := l.signs[v.Name]; mask != "" {
			t := l.temporary()
			l.steps = append(l.steps, calling("flip", t, m).masked(mask))
			m = t
		}
		l.values[v] = []term{{l.sign(v), m}}
	}
	return l.values[v]
}

// addend returns a sum of elements as ±1 times limbs in memory, for a product to which it is added.
func (l *doublesLowering) addend(sum []term) term {
	slices.SortFunc(sum, func(a, b term) int { return int(math.Abs(b.n) - math.Abs(a.n)) })
	sign := math.Copysign(1, sum[0].n)
	sizes, elements := [3]float64{}, []memory{}
	for i, t := range sum {
		sizes[i], elements = t.n*sign, append(elements, t.m)
	}
	if sizes == [3]float64{1} {
		return sum[0]
	}
	name, is := map[[3]float64]string{{2}: "twice", {1, 1}: "plus", {2, 1}: "twicePlus"}[sizes]
	if !is {
		panic(fmt.Sprintf("no way to add %v", sizes))
	}
	t := l.temporary()
	l.call(name, t, elements...)
	return term{sign, t}
}

// factor returns a value times 2ⁿ as ±1 times an element. If the value is a sum that has not become an element yet, the
// number has the given sign.
func (l *doublesLowering) factor(s scaledValue, sign float64) term {
	f, is := l.factors[s]
	if is {
		return f
	}
	sum, n := l.terms(s.v), float64(uint64(1)<<s.n)
	if len(sum) == 1 && n*math.Abs(sum[0].n) == 1 {
		return sum[0]
	}
	f.m = l.result(s.v, s.n == 0)
	if f.m.param != "" {
		sign = l.sign(s.v)
	}
	switch {
	case len(sum) == 1:
		f.n = math.Copysign(1, sum[0].n)
		l.call(fmt.Sprintf("carry%g", n*math.Abs(sum[0].n)), f.m, sum[0].m)
	case len(sum) == 2 && sum[0].n == -sum[1].n && sum[0].n*sum[0].n == 1:
		if sum[0].n != sign {
			sum = []term{sum[1], sum[0]}
		}
		f.n = sign
		l.call(fmt.Sprintf("difference%g", n), f.m, sum[0].m, sum[1].m)
	default:
		panic(fmt.Sprintf("no way to compute %s = %s", s.v.Name, s.v))
	}
	l.factors[s] = f
	return f
}

// result returns where a value is computed: in its place, if the value is final and not used before in the old lanes,
// and otherwise on the stack.
func (l *doublesLowering) result(v *formula.Value, final bool) memory {
	m, is := l.place(v)
	if is && final && l.lanes == "" {
		return m
	}
	return l.temporary()
}

// step computes v.
func (l *doublesLowering) step(v *formula.Value) {
	var rest []term
	var product *formula.Term
	for i, t := range v.Terms {
		if t.B != nil {
			product = &v.Terms[i]
			continue
		}
		n, _ := t.Coefficient.Float64()
		for _, u := range l.terms(t.A) {
			rest = append(rest, term{n * u.n, u.m})
		}
	}
	l.values[v] = rest
	if product != nil {
		l.values[v] = []term{l.product(v, product, rest)}
	}
	m, is := l.place(v)
	if !is {
		return
	}
	f := l.factor(scaledValue{v, 0}, l.sign(v))
	l.written[m] = true
	if f.n != l.sign(v) {
		panic("the opposite of " + v.Name)
	}
	if l.lanes != "" {
		l.steps = append(l.steps, calling("merge", m, f.m, m).masked(l.lanes))
	}
}

// product computes a product plus the rest.
func (l *doublesLowering) product(v *formula.Value, t *formula.Term, rest []term) term {
	n, _ := t.Coefficient.Float64()
	a, b := scaledValue{t.A, 0}, scaledValue{t.B, 0}
	if t.A.Terms == nil || (!t.A.IsSum() && t.B.Terms != nil && t.B.IsSum()) {
		a, b = b, a // a sum can take any factor, and the result of a step any power of two
	}
	switch size := math.Abs(n); {
	case size == 4 && a == b:
		a.n, b.n, n = 1, 1, n/4
	case size == 2 && a.v.Terms != nil:
		a.n, n = 1, n/2
	case size > 1 && len(rest) > 0:
		panic(fmt.Sprintf("no way to compute %s = %s", v.Name, v))
	}
	y := l.factor(b, 1)
	x := l.factor(a, math.Copysign(y.n, n*y.n)*l.sign(v))
	sign := math.Copysign(1, n*x.n*y.n)
	step := doubleStep{name: "product", operands: map[string]memory{"a": x.m, "b": y.m}}
	if a == b {
		step = doubleStep{name: "square", operands: map[string]memory{"a": x.m}}
	}
	if len(rest) > 0 {
		for i := range rest {
			rest[i].n *= sign
		}
		s := l.addend(rest)
		step.name += map[bool]string{true: "Plus", false: "Minus"}[s.n > 0]
		step.operands["y"] = s.m
	}
	step.operands["r"] = l.result(v, math.Abs(n) == 1)
	l.steps = append(l.steps, step)
	return term{sign * math.Abs(n), step.operands["r"]}
}
