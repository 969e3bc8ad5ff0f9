package lanes

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file has Montgomery's trick (docs/inversion.md, I12) for the lanes of an element, and for the
// elements of several blocks: one inversion for all, and three products for each.

// invertBlocks sets inverse[i] = 1/z[i], none of which may be 0 in any lane. all is for a product.
func invertBlocks(inverse, z []Element, all *Element) {
	multiplyUp(inverse, z, all)
	invert(all)
	divideDown(inverse, z, all)
}

// invertBlocksVartime is invertBlocks in variable time.
func invertBlocksVartime(inverse, z []Element, all *Element) {
	multiplyUp(inverse, z, all)
	invertVartime(all)
	divideDown(inverse, z, all)
}

// multiplyUp sets before[i], but for i = 0, to the product of z up to i − 1, and all to the whole
// product.
func multiplyUp(before, z []Element, all *Element) {
	*all = z[0]
	for i := 1; i < len(z); i++ {
		before[i] = *all
		mul(all, all, &z[i])
	}
}

// divideDown sets each before[i] from multiplyUp to 1/z[i], given 1/all, which it changes.
func divideDown(before, z []Element, all *Element) {
	for i := len(z) - 1; i > 0; i-- {
		mul(&before[i], &before[i], all)
		mul(all, all, &z[i])
	}
	before[0] = *all
}

// invertBlocksVartimeN is invertBlocksVartime modulo n.
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

// invert sets a to its inverse, which it must have in each lane.
func invert(a *Element) {
	var s shared
	all := s.product(a)
	s.divide(a, all.Invert(&all))
}

// invertVartime is invert in variable time.
func invertVartime(a *Element) {
	var s shared
	all := s.product(a)
	s.divide(a, all.InvertVartime(&all))
}

// shared is what lanes with one inversion for all keep of them.
type shared struct {
	each   Words
	before [N]field.Element
}

// product returns the product of all lanes of a.
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

// divide sets a to the inverses, given that of the product.
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

// invertVartimeN sets a = 1/a modulo n, which is not 0 in any lane, by one inversion.
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
