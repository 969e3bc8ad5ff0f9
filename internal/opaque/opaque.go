// Package opaque has the underlying types of curve.Scalar and curve.Point. A *curve.Scalar can be converted to a
// *Scalar, and a *curve.Point to a *Point, so packages of this module can access the value inside without a copy.
// Programs cannot import this package, so they cannot access the value.
package opaque

import (
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Scalar is the underlying type of curve.Scalar.
type Scalar struct {
	_ [0]func() // so that == does not compile
	s scalar.Scalar
}

// Inside returns a pointer to the scalar inside s.
func (s *Scalar) Inside() *scalar.Scalar { return &s.s }

// Point is the underlying type of curve.Point.
type Point struct {
	_ [0]func() // so that == does not compile
	v Value
}

// Inside returns a pointer to the value inside p.
func (p *Point) Inside() *Value { return &p.v }

// Value is a point, together with what is known about it.
type Value struct {
	P     group.Jacobian
	Known Known
}

// Known says what is known about the representation of a point from the way in which the point was computed. Every
// method that sets a point sets all fields of Known. Known is public even if the point is secret, except Table.Minus of
// a point without a table: CondNegate changes it by a condition that may be secret, and nothing reads it.
type Known struct {
	Normalized bool         // Z = 1
	Table      tables.Table // the table of the point, if it has one
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

// Affine sets a = v and reports whether v is finite. If v is infinity, it sets a = (0, 0).
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
