package batch

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/scalar"
)

const mostProducts = parts.ProductSums * parts.Terms

// Products holds the operands of up to parts.ProductSums sums of up to parts.Terms products each. It is too large for
// the stack, so it belongs to a Sum.
type Products struct {
	memory lanes.SumsMemory // first, because it must be at the beginning of a page

	sums, terms int
	k           [mostProducts]scalar.Scalar
	a           [mostProducts]group.Affine

	// These are the points that are not yet in affine coordinates, and their places in a.
	points [mostProducts]group.Jacobian
	affine [mostProducts]group.Affine
	place  [mostProducts]int
	n      int
}

// Products returns the memory for several sums that belongs to s.
func (s *Sum) Products() *Products {
	if s.products == nil {
		s.products = new(Products)
	}
	return s.products
}

// Reset prepares p for the given number of sums and the given number of products in each sum. Products that are not set
// afterwards are 0.
func (p *Products) Reset(sums, terms int) {
	p.sums, p.terms, p.n = sums, terms, 0
	for i := range sums * terms {
		p.k[i] = scalar.Scalar{}
		p.a[i] = group.Affine{X: group.Generator.X, Y: group.Generator.Y}
	}
}

// Set sets product j of sum i to k·a. If normalized is true, the Z of a must be 1. The time shows if a is infinity.
func (p *Products) Set(i, j int, k *scalar.Scalar, a *group.Jacobian, normalized bool) {
	place := j*p.sums + i
	switch {
	case normalized:
		p.k[place], p.a[place] = *k, group.Affine{X: a.X, Y: a.Y}
	case a.IsInfinity() == 0:
		p.k[place] = *k
		p.points[p.n].Set(a)
		p.place[p.n] = place
		p.n++
	}
}

// SumsVartime sets dst[i] to sum i and done[i] = true, or sets done[i] = false and leaves dst[i] undefined. It may do
// the latter if the sum is infinity, or if equal or opposite points met while it was computed.
func (p *Products) SumsVartime(dst []group.Jacobian, done []bool) {
	group.BatchToAffineVartime(p.affine[:p.n], p.points[:p.n])
	for i, place := range p.place[:p.n] {
		p.a[place] = p.affine[i]
	}
	n := p.sums * p.terms
	lanes.SumsVartime(&p.memory, dst, done, p.k[:n], p.a[:n])
}
