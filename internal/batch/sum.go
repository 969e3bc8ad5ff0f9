package batch

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Sum is the sum of K[i]·A[i] over all i, plus the scalar G times the generator, together with the memory for computing
// it. The points A[i] are finite. They may be equal or opposite, or multiples of each other and of the generator. Reset
// keeps the memory, so a Sum that is used again seldom allocates, unless it has more products than before.
type Sum struct {
	G scalar.Scalar
	K []scalar.Scalar
	A []group.Affine

	terms   []ecmult.Term // scratch memory of Straus's algorithm
	buckets buckets       // scratch memory of Pippenger's algorithm

	products *Products // nil until Products is called
}

// Reset removes all products, and keeps the memory.
func (s *Sum) Reset() {
	s.G = scalar.Scalar{}
	s.K, s.A = s.K[:0], s.A[:0]
}

// Add adds the product k·a, for a finite point a.
func (s *Sum) Add(k *scalar.Scalar, a *group.Affine) {
	s.K = append(s.K, *k)
	s.A = append(s.A, *a)
}

// Sums holds Sum values that are not in use. A caller takes one, calls Reset, and puts it back in the end.
var Sums = sync.Pool{New: func() any { return new(Sum) }}

// EvaluateVartime sets p to the sum, which is infinity if there are no products.
//
// Straus's algorithm, in which all products share the doublings, is faster for few products, and Pippenger's (buckets)
// is faster for many (see platform.BucketWidth). Straus's algorithm uses a large table of multiples of the generator.
// Pippenger's does not use this table, so it treats G times the generator as one more product.
func (s *Sum) EvaluateVartime(p *group.Jacobian) {
	width := platform.BucketWidth(len(s.K))
	if width == 0 {
		s.strausVartime(p)
		return
	}
	n := len(s.K)
	s.Add(&s.G, &group.Generator) // removed again below
	s.buckets.sumVartime(p, width, s.K, s.A)
	s.K, s.A = s.K[:n], s.A[:n]
}

// strausVartime sets p to the sum, computed by Straus's algorithm.
func (s *Sum) strausVartime(p *group.Jacobian) {
	if len(s.terms) < len(s.K) {
		s.terms = make([]ecmult.Term, len(s.K))
	}
	for i := range s.K {
		s.terms[i].Scalar = s.K[i]
		s.terms[i].Point.SetAffine(&s.A[i])
	}
	ecmult.SumVartime(p, &s.G, s.terms[:len(s.K)])
}
