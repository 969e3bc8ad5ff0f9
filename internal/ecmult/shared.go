package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// A scalar for Shared is cut in so many pieces, of so many places each.
const (
	pieces = 8
	span   = recode.MaxPlace/pieces + 1
)

// Shared is what products of one point by several scalars have in common: tables of its
// multiples by 2ⁱ, for i = 0, span, 2·span and so on. The pieces of a scalar are then added
// up side by side, with span doublings for all of them. The tables take as long as one or
// two products do, and a product takes half as long with them.
type Shared struct {
	piece [pieces]Term
	z     field.Element // of all tables
}

// SetVartime sets t to what products of a share.
func (t *Shared) SetVartime(a *group.Affine) {
	t.piece[0].Point.SetAffine(a)
	for i := 1; i < pieces; i++ {
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
	var at [span][pieces]uint8 // the numbers of digits at a place of their pieces
	var n [span]uint8
	for i := range digits.Digit[:digits.N] {
		place := digits.Digit[i].At % span
		at[place][n[place]] = uint8(i)
		n[place]++
	}
	var s sum
	for place := span - 1; place >= 0; place-- {
		for _, i := range at[place][:n[place]] {
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
	s.r.Z.Mul(&s.r.Z, &t.z)

	var sumOfG group.XYZZ
	var q group.Jacobian
	sumPrecomputedVartime(&sumOfG, ofG[:])
	q.SetXYZZ(&sumOfG)
	p.AddVartime(&s.r, &q)
}
