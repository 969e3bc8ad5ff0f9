package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file inverts the lanes of many elements with one inversion, by Montgomery's trick (docs/inversion.md, I12), at
// two levels. First the elements of all blocks are multiplied into one element, lane by lane. Then the eight lanes of
// this element are multiplied into one number, which is inverted. On the way back, the inverse of each number is
// separated from the inverse of the product. At each level, a number takes at most three products.
//
// A single 0 would make all products 0, so callers replace zeros by 1 before the call, or do not call.

// invertBlocks sets inverse[i] = 1/z[i] modulo p, in constant time. No z[i] may be 0 in any lane. The parameter all
// is scratch memory.
func invertBlocks(inverse, z []Element, all *Element) {
	multiplyUp(inverse, z, all)
	invert(all)
	divideDown(inverse, z, all)
}

// invertBlocksVartime sets inverse[i] = 1/z[i] modulo p, in variable time. No z[i] may be 0 in any lane. The
// parameter all is scratch memory.
func invertBlocksVartime(inverse, z []Element, all *Element) {
	multiplyUp(inverse, z, all)
	invertVartime(all)
	divideDown(inverse, z, all)
}

// multiplyUp sets before[i] = z[0]·…·z[i−1] for i > 0, and all = z[0]·…·z[last]. It does not set before[0].
func multiplyUp(before, z []Element, all *Element) {
	*all = z[0]
	for i := 1; i < len(z); i++ {
		before[i] = *all
		mul(all, all, &z[i])
	}
}

// divideDown sets before[i] = 1/z[i], given before as multiplyUp sets it and all = 1/(z[0]·…·z[last]). It changes the
// value of all, which is 1/(z[0]·…·z[i]) before the step for element i.
func divideDown(before, z []Element, all *Element) {
	for i := len(z) - 1; i > 0; i-- {
		mul(&before[i], &before[i], all)
		mul(all, all, &z[i])
	}
	before[0] = *all
}

// invertBlocksVartimeN sets inverse[i] = 1/z[i] modulo n, in variable time. No z[i] may be 0 in any lane. The
// parameter all is scratch memory.
func invertBlocksVartimeN(inverse, z []Element, all *Element) {
	*all = z[0]
	for i := 1; i < len(z); i++ {
		inverse[i] = *all
		mulN(all, all, &z[i])
	}
	invertVartimeN(all)
	for i := len(z) - 1; i > 0; i-- {
		mulN(&inverse[i], &inverse[i], all)
		mulN(all, all, &z[i])
	}
	inverse[0] = *all
}

// invert sets a = 1/a modulo p, in constant time. a must not be 0 in any lane.
func invert(a *Element) {
	var s shared
	all := s.product(a)
	s.divide(a, all.Invert(&all))
}

// invertVartime sets a = 1/a modulo p, in variable time. a must not be 0 in any lane.
func invertVartime(a *Element) {
	var s shared
	all := s.product(a)
	s.divide(a, all.InvertVartime(&all))
}

// shared holds the lanes of an element that share an inversion.
type shared struct {
	each   Words            // the lanes, then their inverses
	before [N]field.Element // before[i] is the product of the lanes before lane i
}

// product returns the product of all lanes of a, and stores the values that divide needs in s.
func (s *shared) product(a *Element) field.Element {
	pack(&s.each, a)
	all := one
	var e field.Element
	for i := range N {
		s.each.get(i, &e)
		s.before[i].Set(&all)
		all.Mul(&all, &e)
	}
	return all
}

// divide sets the lanes of a to the inverses of the lanes that product multiplied, given the inverse of their product.
// It changes inverse.
func (s *shared) divide(a *Element, inverse *field.Element) {
	var e field.Element
	for i := N - 1; i >= 0; i-- {
		s.each.get(i, &e)
		s.before[i].Mul(&s.before[i], inverse)
		inverse.Mul(inverse, &e)
		s.each.set(i, &s.before[i])
	}
	unpack(a, &s.each)
}

// invertVartimeN sets a = 1/a modulo n, in variable time and with one inversion. a must not be 0 in any lane.
func invertVartimeN(a *Element) {
	var s, before [N]scalar.Scalar
	var all scalar.Scalar
	all.SetUint64(1)
	for i := range N {
		s[i], before[i] = a.getN(i), all
		all.Mul(&all, &s[i])
	}
	all.InvertVartime(&all)
	for i := N - 1; i >= 0; i-- {
		before[i].Mul(&before[i], &all)
		all.Mul(&all, &s[i])
		a.setN(i, &before[i])
	}
}
