// Package equations tests many equations between points together, by adding them with random weights, and finds those
// that do not hold. All values are public.
package equations

import (
	"crypto/rand"
	mathrand "math/rand/v2"
	"slices"

	"p256k1.mleku.dev/v2/curve"
)

const (
	// largest is the number of equations in one sum, which bounds the memory of the sum.
	largest = 1024

	// least is the number of equations from which on a sum takes much less time than the equations one by one: on Zen 5
	// 0.79 of it without package lanes, 0.53 with eight lanes, and 0.85 with half as many equations.
	least = 8

	// many is the number of equations from which on a sample, or one half, is tested before the rest. Fewer equations
	// gain too little from sums of their parts.
	many = 8 * least
)

// Sum is the sum of the left sides of one or more equations k₁·P₁ + k₂·P₂ + … + g·G = 0, each multiplied by a random
// weight.
type Sum struct {
	scalars []curve.Scalar
	points  []*curve.Point
	g       curve.Scalar
}

// Add adds the term k·p. It copies k, but keeps the pointer p.
func (s *Sum) Add(k *curve.Scalar, p *curve.Point) {
	s.scalars, s.points = append(s.scalars, *k), append(s.points, p)
}

// AddBase adds the term k·G.
func (s *Sum) AddBase(k *curve.Scalar) { s.g.Add(&s.g, k) }

// A System is a set of equations to which the caller refers by indexes.
type System struct {
	Holds func(i int) bool                       // tests equation i alone
	Add   func(sum *Sum, w *curve.Scalar, i int) // adds equation i, multiplied by w
}

// Invalid returns those of the given indexes whose equations do not hold, in ascending order, or nil if all hold. An
// equation that does not hold goes undetected with a probability below 2⁻¹²⁴, because it is part of at most ten sums,
// and its weight has 128 bits. For few indexes, Invalid only calls Holds.
//
// As in schnorr.Batch, a random sample of the equations is tested first. If an equation of the sample does not hold,
// many others may not hold either, so all others are tested one by one, which takes less time than sums that fail.
func (s *System) Invalid(indexes []int) (bad []int) {
	for part := range slices.Chunk(slices.Clone(indexes), largest) {
		mathrand.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		sample := 0
		if len(part) >= many {
			sample = len(part) / 8
		}
		found := s.together(part[:sample])
		if len(found) > 0 {
			found = append(found, s.alone(part[sample:])...)
		} else {
			found = s.together(part[sample:])
		}
		bad = append(bad, found...)
	}
	slices.Sort(bad)
	return bad
}

// alone returns those of the given indexes whose equations do not hold.
func (s *System) alone(indexes []int) (bad []int) {
	for _, i := range indexes {
		if !s.Holds(i) {
			bad = append(bad, i)
		}
	}
	return bad
}

// together returns those of the given indexes whose equations do not hold. It tests the sum of the equations. While the
// sum is not zero, it goes on with one half of the equations if the sum of the other half is zero.
func (s *System) together(indexes []int) []int {
	if len(indexes) < least {
		return s.alone(indexes)
	}
	w := weights(len(indexes))
	for sum := s.sum(indexes, w); sum.IsInfinity() == 0; {
		if len(indexes) < many {
			return s.alone(indexes)
		}
		middle := len(indexes) / 2
		var second curve.Point
		first := s.sum(indexes[:middle], w[:middle])
		second.Sub(&sum, &first)
		switch {
		case second.IsInfinity() == 1:
			indexes, w, sum = indexes[:middle], w[:middle], first
		case first.IsInfinity() == 1:
			indexes, w, sum = indexes[middle:], w[middle:], second
		default:
			return s.alone(indexes)
		}
	}
	return nil
}

// Hold reports whether all equations with the given indexes hold. It tests whether their sum with random weights of 128
// bits is zero.
func (s *System) Hold(indexes []int) bool {
	sum := s.sum(indexes, weights(len(indexes)))
	return sum.IsInfinity() == 1
}

// weights returns n random weights of 128 bits.
func weights(n int) []curve.Scalar {
	w := make([]curve.Scalar, n)
	for i := range w {
		var random [16]byte
		rand.Read(random[:]) // never fails
		w[i].SetWeight(&random)
	}
	return w
}

// sum returns the sum of the left sides of the equations with the given indexes, multiplied by w.
func (s *System) sum(indexes []int, w []curve.Scalar) (total curve.Point) {
	var sum Sum
	for j, i := range indexes {
		s.Add(&sum, &w[j], i)
	}
	var generator curve.Point
	sum.Add(&sum.g, generator.SetGenerator())
	terms := make([]*curve.Scalar, len(sum.scalars))
	for i := range terms {
		terms[i] = &sum.scalars[i]
	}
	total.MultiScalarMultVartime(terms, sum.points)
	return total
}
