package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/generator/formula"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// This file compiles the point formulas to the arithmetic of lanes. A step computes a sum of products and other values,
// and folds the sum once. A value that is only added stays in columns. A value that is a factor or a result of the
// routine is carried.
//
// Products can be added but not subtracted. So a step may compute the opposite of its value, and the generator chooses
// the signs that need the fewest subtractions.

// inLanes describes a formula as a routine of package lanes.
type inLanes struct {
	name, signature, doc string

	formula string // name of the formula in package group
	double  string // the function whose parameters have 2Y in place of Y, if any
	scale   formula.Scale
	params  map[string]string // names of the routine's parameters, by the names of the formula's parameters
	negated []string          // the values that are stored as their opposites
	signs   map[string]string // the values that are negated in the lanes of a mask
	lanes   string            // the mask of the lanes that change, or "" if all change
	copies  int               // the number of interleaved copies of the formula, each for eight items; 0 means 1
}

// formulaCopy is a copy of a formula that is compiled.
type formulaCopy struct {
	inLanes
	f    *formula.Formula
	copy int // the number of this copy
}

// lowering compiles one formula.
type lowering struct {
	*vectors
	formulaCopy
	steps    []*formula.Value // the steps except unreduced products, which are part of other steps
	opposite map[*formula.Value]bool
	sums     map[*formula.Value]laneSum
	factors  map[scaledValue]laneElement
	needs    map[*formula.Value][]uint // the powers of two by which a value is scaled when it is a factor
	given    []laneElement             // the coordinates of a point in registers, on input
	results  []laneElement             // the coordinates of a point in registers, on output
}

// scaledValue is v·2ⁿ.
type scaledValue struct {
	v *formula.Value
	n uint
}

// laneTerm is n·a·b, or n·a if b is nil.
type laneTerm struct {
	n    int64
	a, b *formula.Value
}

func (t laneTerm) size() int64 { return max(t.n, -t.n) }

// machine describes the lanes, which can fold any sum at once.
func (r inLanes) machine() formula.Machine {
	m := formula.Machine{Fits: func([]formula.Term) bool { return true }}
	if r.double != "" {
		m.Scale = map[string]formula.Scale{r.double: r.scale}
	}
	return m
}

func (e *emitter) inLanes(s *formula.Source, r inLanes) {
	f := must.Get(s.Formula(r.formula, r.machine()))
	steps := slices.DeleteFunc(slices.Clone(f.Steps), func(v *formula.Value) bool { return v.Unreduced })
	r.copies = max(r.copies, 1)
	lower := func(v *vectors, points []laneElement) (results []laneElement) {
		var all []*lowering
		for i := range r.copies {
			n := len(points) / r.copies
			l := &lowering{
				vectors: v, formulaCopy: formulaCopy{r, f, i}, steps: steps, given: points[n*i:][:n],
				sums: map[*formula.Value]laneSum{}, factors: map[scaledValue]laneElement{}, needs: map[*formula.Value][]uint{},
			}
			l.results = slices.Clone(l.given)
			l.chooseSigns()
			l.findNeeds()
			all = append(all, l)
		}
		for _, s := range steps {
			for _, l := range all {
				l.step(s)
			}
		}
		for _, l := range all {
			results = append(results, l.results...)
		}
		return results
	}
	if f.Repeat == nil {
		e.straight(r.name, r.signature, r.doc, func(v *vectors) { lower(v, nil) })
		return
	}
	// As many coordinates of the point as possible stay in registers, because a store costs more than the cycle in
	// which a product could begin.
	point := f.Params[slices.IndexFunc(f.Params, func(p formula.Param) bool { return p.Name == f.Repeat.Output })]
	param := r.params[point.Name]
	e.repeated(r.name, r.signature, r.doc, f.Repeat.Count, param, param, point.Elements*r.copies, lower)
}

// terms returns the terms of the sum v: the products, and the single values.
func (l *lowering) terms(v *formula.Value) (products, sums []laneTerm) {
	for _, t := range v.Terms {
		if !t.Coefficient.IsInt() {
			panic(fmt.Sprintf("no way to compute %s = %s", v.Name, v))
		}
		n, a, b := t.Coefficient.Num().Int64(), t.A, t.B
		if b == nil && a.Unreduced {
			n *= a.Terms[0].Coefficient.Num().Int64()
			a, b = a.Terms[0].A, a.Terms[0].B
		}
		if (l.opposite[a] != l.opposite[b]) != l.opposite[v] {
			n = -n
		}
		if b == nil {
			sums = append(sums, laneTerm{n, a, nil})
		} else {
			products = append(products, laneTerm{n, a, b})
		}
	}
	return products, sums
}

// chooseSigns replaces values by their opposites so that as few terms as possible are subtracted.
func (l *lowering) chooseSigns() {
	fixed := map[*formula.Value]bool{}
	var free []*formula.Value
	for _, v := range l.f.Steps {
		for _, a := range append(v.Operands(), v) {
			if a.Place != nil {
				fixed[a] = slices.Contains(l.negated, a.Name)
			}
		}
		if v.Place == nil && !v.Unreduced {
			free = append(free, v)
		}
	}
	var best map[*formula.Value]bool
	least := -1
	for choice := range 1 << len(free) {
		l.opposite = maps.Clone(fixed)
		for i, v := range free {
			l.opposite[v] = choice>>i&1 != 0
		}
		n := l.subtractions()
		if n >= 0 && (least < 0 || n < least) {
			best, least = l.opposite, n
		}
	}
	if least < 0 {
		panic("no choice of signs is possible for " + l.name)
	}
	l.opposite = best
}

// subtractions returns the number of subtractions, or −1 if a sum has products of both signs.
func (l *lowering) subtractions() (n int) {
	for _, v := range l.steps {
		products, sums := l.terms(v)
		negative := countNegative(products)
		n += countNegative(sums)
		if l.signed(products) != "" || negative == 0 {
			continue
		}
		if negative < len(products) {
			return -1
		}
		n++
	}
	return n
}

func countNegative(terms []laneTerm) (n int) {
	for _, t := range terms {
		if t.n < 0 {
			n++
		}
	}
	return n
}

// signed returns the mask that gives a product its sign, or "".
func (l *lowering) signed(products []laneTerm) string {
	for _, t := range products {
		mask := cmp.Or(l.signs[t.a.Name], l.signs[t.b.Name])
		if mask != "" && len(products) > 1 {
			panic("a product whose sign a mask gives, together with other products")
		}
		if mask != "" {
			return mask
		}
	}
	return ""
}

// common returns the largest of 1, 2, 4 and 8 that divides the coefficients of all products. For a single product whose
// coefficient is a multiple of 3, it returns the coefficient.
func common(products []laneTerm) int64 {
	g := int64(8)
	for _, t := range products {
		if t.n%3 == 0 && len(products) == 1 {
			return t.size()
		}
		for t.n%g != 0 {
			g /= 2
		}
	}
	return g
}

// pairs returns the two factors of each product. It scales the first factor by the part of the coefficient that is not
// common to all products.
func (l *lowering) pairs(products []laneTerm) (pairs [][2]scaledValue) {
	g := common(products)
	for _, t := range products {
		n := t.size() / g
		if n > 2 {
			panic(fmt.Sprintf("a product times %d together with other products", n))
		}
		pairs = append(pairs, [2]scaledValue{{t.a, uint(n - 1)}, {t.b, 0}})
	}
	return pairs
}

// findNeeds finds the powers of two by which values are scaled when they are factors: first the first factors of the
// products of a step, and then the others.
func (l *lowering) findNeeds() {
	for _, v := range l.steps {
		products, _ := l.terms(v)
		for i := range 2 {
			for _, p := range l.pairs(products) {
				l.needs[p[i].v] = append(l.needs[p[i].v], p[i].n)
			}
		}
	}
}

// place returns the memory from which a value is loaded or in which it is stored, and whether there is such memory.
func (l *formulaCopy) place(v *formula.Value) (m memory, is bool) {
	if v.Place == nil {
		return m, false
	}
	param, is := l.params[v.Name]
	if is {
		return element(param, l.copy), true
	}
	param, is = l.params[v.Place.Param.Name]
	return element(param, l.copy*v.Place.Param.Elements+v.Place.Index), is
}

func (l *lowering) input(v *formula.Value) laneElement {
	if len(l.given) > 0 {
		return l.given[v.Place.Index]
	}
	m, is := l.place(v)
	if !is {
		panic("no place for " + v.Name)
	}
	return l.element(m)
}

// sum returns a value as columns.
func (l *lowering) sum(v *formula.Value) laneSum {
	if v.Terms == nil {
		return l.clean(l.input(v))
	}
	return l.sums[v]
}

// factor returns a scaled value as an element.
func (l *lowering) factor(s scaledValue) laneElement {
	if s.v.Terms == nil {
		if s.n > 0 {
			panic("an input would have to be multiplied")
		}
		return l.input(s.v)
	}
	x, is := l.factors[s]
	if !is {
		if s.n > 0 {
			l.begin("2·"+l.nameOf(s.v), "")
		}
		x = l.carry(l.times(1<<s.n, l.sums[s.v]))
		l.factors[s] = x
	}
	return x
}

// total returns the sum of the terms in the list.
func (l *lowering) total(list []laneTerm) laneSum {
	var plus, minus laneSum
	for _, t := range list {
		sum := &plus
		if t.n < 0 {
			sum = &minus
		}
		*sum = l.plus(*sum, l.times(uint64(t.size()), l.sum(t.a)))
	}
	if minus == (laneSum{}) {
		return plus
	}
	return l.minus(plus, minus)
}

// nameOf returns the name of a value for comments, with the number of the copy.
func (l *lowering) nameOf(v *formula.Value) string {
	name := v.Name
	if l.opposite[v] {
		name = "−" + name
	}
	if l.copies > 1 {
		name += fmt.Sprintf(" [%d]", l.copy)
	}
	return name
}

// factorName returns the name of a factor for comments on rows, in parentheses unless it is the name of the value.
func (l *lowering) factorName(s scaledValue) string {
	if s.n == 0 && !l.opposite[s.v] {
		return s.v.Name
	}
	return "(" + strings.Repeat("2·", int(s.n)) + map[bool]string{true: "−"}[l.opposite[s.v]] + s.v.Name + ")"
}

// equation formats the equation that a step computes, for v or its opposite.
func (l *lowering) equation(v *formula.Value) string {
	sum := v.String()
	for _, t := range v.Terms {
		if t.A.Unreduced {
			sum = strings.Replace(sum, t.A.Name, strings.TrimSuffix(t.A.String(), " unreduced"), 1)
		}
	}
	if l.opposite[v] {
		sum = "−(" + sum + ")"
	}
	return l.nameOf(v) + " = " + sum
}

// step computes v.
func (l *lowering) step(v *formula.Value) {
	products, sums := l.terms(v)
	l.begin(l.nameOf(v), l.equation(v))
	x := l.productStep(products, sums)
	l.sums[v] = x
	l.result(l.nameOf(v), x[:])
	for _, n := range l.needs[v] {
		l.factor(scaledValue{v, n})
	}
	m, is := l.place(v)
	if !is {
		return
	}
	y := l.factor(scaledValue{v, 0})
	if len(l.given) > 0 {
		l.results[v.Place.Index] = y
		return
	}
	if l.lanes != "" {
		l.comment("keep the old values in the lanes that are not in %s", l.lanes)
		for k, old := range l.element(m) {
			y[k] = l.blend("^"+l.lanes, old, y[k])
		}
	}
	l.keepElement(m, y)
}

func (l *lowering) productStep(products, sums []laneTerm) laneSum {
	if len(products) == 0 {
		return l.total(sums)
	}
	g, mask := common(products), l.signed(products)
	negative := products[0].n < 0
	var inside, after []laneTerm // values that are folded together with the products, and values that are added afterwards
	for _, t := range sums {
		if !negative && mask == "" && t.n%g == 0 {
			inside = append(inside, laneTerm{t.n / g, t.a, nil})
		} else {
			after = append(after, t)
		}
	}
	var w laneProduct
	square := slices.IndexFunc(products, func(t laneTerm) bool { return t.a == t.b })
	if square >= 0 {
		var twice laneSum
		i := slices.IndexFunc(inside, func(t laneTerm) bool { return t.n == 2 })
		if i >= 0 {
			twice = l.sum(inside[i].a)
			inside = slices.Delete(inside, i, i+1)
		}
		factor := scaledValue{products[square].a, 0}
		l.x = l.factorName(factor)
		w = l.square(l.factor(factor), twice)
	}
	for k, s := range l.total(inside) {
		w[k] = l.add(w[k], s)
	}
	for i, p := range l.pairs(products) {
		if i != square {
			x, y := l.factor(p[0]), l.factor(p[1])
			l.x, l.y = l.factorName(p[0]), l.factorName(p[1])
			l.accumulate(&w, x, y)
		}
	}
	x := l.times(uint64(g), l.fold(w))
	start := l.total(after)
	switch {
	case mask == "" && negative:
		return l.minus(start, x)
	case mask == "":
		return l.plus(x, start)
	case negative:
		mask = "^" + mask
	}
	for k, n := range bias(x) {
		x[k] = l.addOrSub(mask, n, start[k], x[k])
	}
	return x
}

// twiceY is the scaling of Jacobian coordinates with 2Y in place of Y.
var twiceY = formula.Scale{
	In:  map[string]int{"a.Y": 1, "y": 1},
	Out: map[string]int{"p.X": 2, "p.Y": 4, "p.Z": 1},
}

// pointsInLanes lists the formulas of package lanes.
var pointsInLanes = []inLanes{
	{
		name: "doubleNegateN", signature: "func(p *Jacobian2Y, n int)",
		doc:     "doubleNegateN sets p = (−2)ⁿ·p, for n > 0.",
		formula: "doubleNGeneric", double: "double", scale: twiceY,
		params: map[string]string{"p": "p", "a": "p"}, negated: []string{"p.Y"},
	},
	{
		name: "addMixed", signature: "func(p *Jacobian2Y, x, ny *Element, k uint8)",
		doc:     "addMixed adds the points (x, −ny/2) to p in the lanes of k. If the points are equal or opposite, or p is infinity, Z becomes 0.",
		formula: "addMixedGeneric", double: "addMixedGeneric", scale: twiceY,
		params: map[string]string{"p": "p", "a": "p", "x": "x", "y": "ny"}, negated: []string{"y"}, lanes: "k",
	},
	{
		name: "doubleNegatePairNVartime", signature: "func(p *[2]Jacobian2Y, n int)",
		doc:     "doubleNegatePairNVartime sets p[i] = (−2)ⁿ·p[i] for two blocks of points, for n > 0.",
		formula: "doubleNGeneric", double: "double", scale: twiceY,
		params: map[string]string{"p": "p", "a": "p"}, negated: []string{"p.Y"}, copies: 2,
	},
	{
		name: "addCoZ", signature: "func(p, u, q *Affine, ratio *Element)",
		doc:     "addCoZ sets p = u + q, for points u ≠ ±q with the same denominator. It brings u to the denominator of p, and sets ratio to the new denominator divided by the old one.",
		formula: "addCoZGeneric",
		params:  map[string]string{"a": "u", "b": "q", "p": "p", "h": "ratio"},
	},
	{
		name: "addAffinePairVartime", signature: "func(a, b *[2]Affine, before, inverse *[2]Element)",
		doc:     "addAffinePairVartime sets a = a + b in two blocks, for points a ≠ ±b. Given inverse = 1/(before·h) for h = b.X − a.X, it sets inverse = 1/before.",
		formula: "addAffineGeneric",
		params:  map[string]string{"a": "a", "b": "b", "p": "a", "before": "before", "inverse": "inverse"}, copies: 2,
	},
	{
		name: "addMixedXYZZ", signature: "func(p *XYZZ, x, y *Element, minus, k uint8)",
		doc:     "addMixedXYZZ adds points to p in the lanes of k: (x, −y) in the lanes that are also in minus, and (x, y) in the others. If the points are equal or opposite, or p is infinity, ZZ becomes 0.",
		formula: "addMixedXYZZGeneric",
		params:  map[string]string{"p": "p", "a": "p", "b.X": "x", "b.Y": "y"}, signs: map[string]string{"b.Y": "minus"}, lanes: "k",
	},
	{
		name: "addXYZZ", signature: "func(p, q *XYZZ)",
		doc:     "addXYZZ sets p = p + q. If the points are equal or opposite, or one of them is infinity, ZZ becomes 0.",
		formula: "addXYZZ",
		params:  map[string]string{"p": "p", "a": "p", "b": "q"},
	},
}
