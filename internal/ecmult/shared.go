package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Pieces is the number of pieces into which Shared cuts the places of a scalar's digits. 8 pieces of 17 places each
// have 136 places. The digits are at the places 0 to 130.
const (
	Pieces = 8
	span   = recode.MaxPlace/Pieces + 1
)

// Shared holds tables for products of one point a by several scalars: multiples of 2ⁱ·a for i = 0, span, 2·span and so
// on. A digit at place i·span + j of a scalar counts as a digit at place j of a scalar for the point 2^(i·span)·a. So
// all pieces share the doublings that one piece needs, which are 16 instead of up to 130. Building the tables takes as
// long as one or two products, and makes each product 2 × as fast.
type Shared struct {
	piece [Pieces]Term
	z     field.Element // all tables are on the curve E_z of odd.go
}

// SetVartime fills t with the tables of a.
func (t *Shared) SetVartime(a *group.Affine) {
	t.piece[0].Point.SetAffine(a)
	for i := 1; i < Pieces; i++ {
		t.piece[i].Point.DoubleN(&t.piece[i-1].Point, span)
	}
	t.z = buildTablesVartime(t.piece[:])
}

// DoubleScalarVartime sets p = k·a + g·G for the point a of t.
func (t *Shared) DoubleScalarVartime(p *group.Jacobian, k, g *scalar.Scalar) {
	var ofG [1]precomputedTerm
	ofG[0].setGeneratorVartime(g)

	var digits recode.Digits
	digits.SetPointVartime(k)
	// Sort the digits by their place in their piece: digits due[j][:n[j]] are at place j. A place of a piece has at
	// most one digit, so due[j] has at most 8.
	var due [span][Pieces]uint8
	var n [span]uint8
	for i := range digits.Digit[:digits.N] {
		place := digits.Digit[i].At % span
		due[place][n[place]] = uint8(i)
		n[place]++
	}
	// Before a place is visited, s is the sum of digit·2^(place of digit − place)·point over the digits at higher
	// places, counted within their pieces. Doublings are left out while s is infinity.
	var s sum
	for place := span - 1; place >= 0; place-- {
		for _, i := range due[place][:n[place]] {
			d := &digits.Digit[i]
			s.addVartime(t.piece[d.At/span].multipleVartime(d))
		}
		if place > 0 && !s.r.Z.IsZeroVartime() {
			s.behind++
		}
	}
	if s.behind > 0 {
		s.r.DoubleN(&s.r, s.behind)
	}
	s.r.Z.Mul(&s.r.Z, &t.z) // back to the curve E

	// G has tables for all places, so g·G needs no doublings and is added at the end.
	var sumOfG group.XYZZ
	var q group.Jacobian
	sumPrecomputedVartime(&sumOfG, ofG[:])
	q.SetXYZZ(&sumOfG)
	p.AddVartime(&s.r, &q)
}
