package main

import (
	"fmt"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/operand"

	"p256k1.mleku.dev/v2/tools/generator/formula"
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
	inLanes
	f       *formula.Formula
	values  map[*formula.Value][]term
	factors map[scaledValue]term
	steps   []doubleStep
	temps   int
	copy    int
	written map[memory]bool // where results are
}

// formulaInDoubles emits a formula.
func (e *emitter) formulaInDoubles(s *formula.Source, r inLanes) {
	m := r.machine()
	m.Fits = func(sum []formula.Term) bool {
		products := 0
		for _, t := range sum {
			if t.B != nil || t.A.Unreduced {
				products++
			}
		}
		return products <= 1
	}
	f, err := s.Formula(r.formula, m)
	if err != nil {
		panic(err)
	}
	count := ""
	if f.Repeat != nil {
		count = f.Repeat.Count
	}
	lower := func(r inLanes) (steps []doubleStep) {
		for i := range max(r.copies, 1) {
			l := &doublesLowering{inLanes: r, f: f, values: map[*formula.Value][]term{}, factors: map[scaledValue]term{}, copy: i, written: map[memory]bool{}}
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
		all, mask := r, r.lanes
		all.lanes = ""
		jump := func(emit func(r *doubleRoutine)) doubleStep { return doubleStep{code: emit} }
		steps = slices.Concat(
			[]doubleStep{jump(func(r *doubleRoutine) {
				m, err := r.Param(mask).Resolve()
				if err != nil {
					panic(err)
				}
				r.CMPB(m.Addr, I8(-1))
				r.JNE(LabelRef("lanes"))
			})}, lower(all),
			[]doubleStep{jump(func(r *doubleRoutine) {
				r.JMP(LabelRef("end"))
				r.Label("lanes")
			})}, steps, []doubleStep{jump(func(r *doubleRoutine) { r.Label("end") })})
	}
	e.inDoubles(r.name, count, steps)
}

// call appends a call whose result is r.
func (l *doublesLowering) call(name string, r memory, operands ...memory) {
	s := doubleStep{name: name, operands: map[string]memory{"r": r}}
	for i, m := range operands {
		s.operands[[]string{"a", "b", "y"}[i]] = m
	}
	l.steps = append(l.steps, s)
}

// temporary returns memory on the stack for an element.
func (l *doublesLowering) temporary() memory {
	l.temps++
	return element("", l.temps-1)
}

// reuse lets temporary elements share memory, if one is no longer used when another is computed.
func (l *doublesLowering) reuse() {
	last := map[memory]int{}
	for i, s := range l.steps {
		for _, m := range s.operands {
			last[m] = i
		}
	}
	places, free, n := map[memory]memory{}, []memory{}, 0
	for i, s := range l.steps {
		result := s.operands["r"]
		for p, m := range s.operands {
			if m.param != "" || m == result {
				continue
			}
			s.operands[p] = places[m]
			if last[m] == i && !slices.Contains(free, places[m]) { // the result may take the place of an operand
				free = append(free, places[m])
			}
		}
		if result.param != "" {
			continue
		}
		if len(free) == 0 {
			free = []memory{element("", n)}
			n++
		}
		slices.SortFunc(free, func(a, b memory) int { return a.vector - b.vector })
		places[result], free = free[0], free[1:]
		s.operands["r"] = places[result]
	}
}

// place returns the memory of a value, and whether there is any.
func (l *doublesLowering) place(v *formula.Value) (m memory, is bool) {
	return (&lowering{inLanes: l.inLanes, copy: l.copy}).place(v)
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
			l.call("flip", t, m)
			l.steps[len(l.steps)-1].mask = mask
			m = t
		}
		l.values[v] = []term{{l.sign(v), m}}
	}
	return l.values[v]
}

// addend returns a sum of elements as ±1 times limbs in memory, for a product to which it is added.
func (l *doublesLowering) addend(sum []term) term {
	slices.SortFunc(sum, func(a, b term) int { return int(math.Abs(b.n) - math.Abs(a.n)) })
	sizes := [3]float64{}
	for i, t := range sum {
		sizes[i] = t.n * sum[0].n / math.Abs(sum[0].n)
	}
	sign := math.Copysign(1, sum[0].n)
	t := l.temporary()
	switch sizes {
	case [3]float64{1}:
		return sum[0]
	case [3]float64{2}:
		l.call("twice", t, sum[0].m)
	case [3]float64{1, 1}:
		l.call("plus", t, sum[0].m, sum[1].m)
	case [3]float64{2, 1}:
		l.call("twicePlus", t, sum[0].m, sum[1].m)
	default:
		panic(fmt.Sprintf("no way to add %v", sizes))
	}
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
	f.m = l.temporary()
	if m, is := l.stored(s.v); is && s.n == 0 {
		f.m, sign = m, l.sign(s.v)
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

// stored returns where the result of a step is to be stored, if it is not used before it is final.
func (l *doublesLowering) stored(v *formula.Value) (m memory, is bool) {
	if v.Place == nil || l.lanes != "" {
		return m, false
	}
	return l.place(v)
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
	if product == nil {
		l.values[v] = rest
	} else {
		l.values[v] = []term{l.product(v, product, rest)}
	}
	if v.Place == nil {
		return
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
		l.call("merge", m, f.m, m)
		l.steps[len(l.steps)-1].mask = l.lanes
	}
}

// isSum reports whether a value is a sum without a product.
func isSum(v *formula.Value) bool {
	return v.Terms != nil && !slices.ContainsFunc(v.Terms, func(t formula.Term) bool { return t.B != nil })
}

// product computes a product plus the rest.
func (l *doublesLowering) product(v *formula.Value, t *formula.Term, rest []term) term {
	n, _ := t.Coefficient.Float64()
	a, b := scaledValue{t.A, 0}, scaledValue{t.B, 0}
	if t.A.Terms == nil || (!isSum(t.A) && isSum(t.B)) {
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
	want := math.Copysign(1, n)
	if v.Place != nil {
		want *= l.sign(v)
	}
	y := l.factor(b, 1)
	x := l.factor(a, want*y.n)
	sign := math.Copysign(x.n*y.n, n*x.n*y.n)
	step := doubleStep{name: "product", operands: map[string]memory{"r": {}, "a": x.m, "b": y.m}}
	if a == b {
		step.name = "square"
		delete(step.operands, "b")
	}
	if len(rest) > 0 {
		for i := range rest {
			rest[i].n *= sign
		}
		s := l.addend(rest)
		step.name += map[bool]string{true: "Plus", false: "Minus"}[s.n > 0]
		step.operands["y"] = s.m
	}
	m, is := l.stored(v)
	if !is || math.Abs(n) != 1 {
		m = l.temporary()
	}
	step.operands["r"] = m
	l.steps = append(l.steps, step)
	return term{sign * math.Abs(n), m}
}
