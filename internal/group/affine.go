package group

import "p256k1.mleku.dev/v2/internal/field"

// The methods in this file take affine points, which are never infinity.

// SetAffine sets p = a.
func (p *Jacobian) SetAffine(a *Affine) {
	p.X.Set(&a.X)
	p.Y.Set(&a.Y)
	p.Z.SetUint64(1)
}

// AddMixed sets p = a + b for a ≠ b and a ≠ infinity.
func (p *Jacobian) AddMixed(a *Jacobian, b *Affine) {
	var h field.Element
	addMixed(p, a, &b.X, &b.Y, &h)
}

// DoubleAdd sets p = 2a + b for 2a ≠ b and a ≠ infinity.
func (p *Jacobian) DoubleAdd(a *Jacobian, b *Affine) {
	var h field.Element
	doubleAdd(p, a, &b.X, &b.Y, &h)
}

// SetAffine sets p = a.
func (p *XYZZ) SetAffine(a *Affine) {
	p.X.Set(&a.X)
	p.Y.Set(&a.Y)
	p.ZZ.SetUint64(1)
	p.ZZZ.SetUint64(1)
}

// AddMixed sets p = a + b for a ≠ b and a ≠ infinity.
func (p *XYZZ) AddMixed(a *XYZZ, b *Affine) {
	var h field.Element
	addMixedXYZZ(p, a, b, &h)
}

// AddCoZ sets p = a + b, for points a ≠ ±b with a common denominator z: the points are (X/z², Y/z³). The formula does
// not need z. The sum has another denominator, and AddCoZ changes a to the coordinates of the same point with the new
// denominator. It sets ratio to the new denominator divided by z (N. Meloni, "New point addition formulae for ECC
// applications", 2007).
func (p *Affine) AddCoZ(a, b *Affine, ratio *field.Element) {
	addCoZ(p, a, b, ratio)
}

// AddAffine sets p = a + b for a ≠ ±b, as one of many additions that share an inversion. Before the call, inverse is
// 1/(before·h), where h = X₂ − X₁ for a = (X₁, Y₁) and b = (X₂, Y₂). After the call, inverse is 1/before. p may be a.
func (p *Affine) AddAffine(a, b *Affine, before, inverse *field.Element) {
	addAffine(p, a, b, before, inverse)
}
