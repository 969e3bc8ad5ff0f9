// Package opaque is what the types of package curve are made of. curve.Scalar and curve.Point are
// its types under other names, and pointers to them convert into each other. So the rooms of this
// module that work on points see inside without a copy, and programs cannot.
package opaque

import (
	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Scalar is what a curve.Scalar is.
type Scalar struct {
	_ [0]func() // so that == does not compile
	s scalar.Scalar
}

// Inside returns the scalar, in its place.
func (s *Scalar) Inside() *scalar.Scalar { return &s.s }

// Point is what a curve.Point is.
type Point struct {
	_ [0]func() // so that == does not compile
	v Value
}

// Inside returns the value, in its place.
func (p *Point) Inside() *Value { return &p.v }

// Value is a point, and what is known of it.
type Value struct {
	P     group.Jacobian
	Known Known
}

// Known is what is known of a point from how it was made, and says nothing about its
// value. Whatever sets a point sets all of it.
type Known struct {
	Normalized bool        // Z = 1
	Table      batch.Table // of the point, if it has one
}

// SetAffine sets v = a.
func (v *Value) SetAffine(a *group.Affine) {
	v.P.SetAffine(a)
	v.Known = Known{Normalized: true}
}

// SetJacobian sets v = a.
func (v *Value) SetJacobian(a *group.Jacobian) {
	v.P.Set(a)
	v.Known = Known{Normalized: a.Z.Limbs() == [4]uint64{1}}
}

// Affine sets a = v and reports whether v is finite.
func (v *Value) Affine(a *group.Affine) bool {
	if v.Known.Normalized {
		a.X.Set(&v.P.X)
		a.Y.Set(&v.P.Y)
		return true
	}
	a.ToAffine(&v.P)
	return v.P.IsInfinity() == 0
}

// DoubleScalarVartime sets p = k·v + g·G.
func (v *Value) DoubleScalarVartime(p *group.Jacobian, k, g *scalar.Scalar) {
	if t := &v.Known.Table; t.Multiples != nil {
		var ofMultiples scalar.Scalar
		ofMultiples.CondNegate(k, t.Minus)
		ecmult.DoubleScalarPrecomputedVartime(p, &ofMultiples, t.Multiples, g)
	} else {
		ecmult.DoubleScalarVartime(p, k, &v.P, g)
	}
}
