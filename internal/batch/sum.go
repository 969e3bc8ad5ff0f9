package batch

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Sum is a sum of products, Σ K[i]·A[i], with what computing it needs of memory. A sum
// that is used again allocates nothing, unless it is longer than before.
type Sum struct {
	G scalar.Scalar // one more product: G·(the generator)
	K []scalar.Scalar
	A []group.Affine

	terms   []ecmult.Term
	buckets buckets
}

// Reset makes s the sum of no products.
func (s *Sum) Reset() {
	s.G = scalar.Scalar{}
	s.K, s.A = s.K[:0], s.A[:0]
}

// Add adds the product k·a.
func (s *Sum) Add(k *scalar.Scalar, a *group.Affine) {
	s.K = append(s.K, *k)
	s.A = append(s.A, *a)
}

// Sums are those that nobody uses.
var Sums = sync.Pool{New: func() any { return new(Sum) }}

// EvaluateVartime sets p to the sum.
func (s *Sum) EvaluateVartime(p *group.Jacobian) {
	width := platform.BucketWidth(len(s.K))
	if width == 0 {
		s.strausVartime(p)
		return
	}
	n := len(s.K)
	s.Add(&s.G, &group.Generator) // like any other
	s.buckets.sumVartime(p, width, s.K, s.A)
	s.K, s.A = s.K[:n], s.A[:n]
}

// strausVartime is EvaluateVartime by Straus's algorithm.
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
