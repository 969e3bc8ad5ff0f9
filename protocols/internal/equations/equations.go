// Package equations tests many equations between points together, by adding them with random weights. If the sum is not
// zero, each half of the equations is tested in the same way, until the equations that do not hold are found. All
// values are public.
package equations

import (
	"crypto/rand"

	"p256k1.mleku.dev/v2/curve"
)

// largest is the number of equations in one sum, which bounds the memory of the sum.
const largest = 1024

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

// isZero reports whether the sum is the point at infinity.
func (s *Sum) isZero() bool {
	var generator, total curve.Point
	s.Add(&s.g, generator.SetGenerator())
	terms := make([]*curve.Scalar, len(s.scalars))
	for i := range terms {
		terms[i] = &s.scalars[i]
	}
	return total.MultiScalarMultVartime(terms, s.points).IsInfinity() == 1
}

// A System is a set of equations to which the caller refers by indexes.
type System struct {
	Holds func(i int) bool                       // tests equation i alone
	Add   func(sum *Sum, w *curve.Scalar, i int) // adds equation i, multiplied by w
}

// Invalid returns the given indexes whose equations do not hold, in their order, or nil if all hold. An equation that
// does not hold goes undetected with a probability below 2⁻¹²⁴, because it is part of at most ten sums, and each sum
// has new weights of 128 bits. For a single index, Invalid only calls Holds.
func (s *System) Invalid(indexes []int) (bad []int) {
	for len(indexes) > largest {
		bad = append(bad, s.Invalid(indexes[:largest])...)
		indexes = indexes[largest:]
	}
	switch n := len(indexes); {
	case n == 0, n == 1 && s.Holds(indexes[0]), n > 1 && s.Hold(indexes):
		return bad
	case n == 1:
		return append(bad, indexes[0])
	default:
		bad = append(bad, s.Invalid(indexes[:n/2])...)
		return append(bad, s.Invalid(indexes[n/2:])...)
	}
}

// Hold reports whether all equations with the given indexes hold. It tests whether their sum with random weights of 128
// bits is zero.
func (s *System) Hold(indexes []int) bool {
	var sum Sum
	for _, i := range indexes {
		var random [16]byte
		rand.Read(random[:]) // never fails
		var w curve.Scalar
		s.Add(&sum, w.SetWeight(&random), i)
	}
	return sum.isZero()
}
