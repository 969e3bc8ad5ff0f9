package lanes

import "p256k1.mleku.dev/v2/internal/field"

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

// shared is what lanes with one inversion for all keep of them (Montgomery's trick,
// docs/inversion.md, I12).
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
