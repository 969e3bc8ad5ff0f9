package group

import "p256k1.mleku.dev/v2/internal/field"

// XYZZ is the point (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ², or infinity if ZZ ≡ 0 (Bernstein and Lange's Explicit-Formulas
// Database). Adding an affine point takes one squaring less than in Jacobian coordinates, but doubling takes longer.
// Multiplication of G uses XYZZ coordinates, because it adds and does not double.
type XYZZ struct {
	X, Y, ZZ, ZZZ field.Element
}

// AddMixedComplete sets p = a + b for a ≠ infinity, including equal and opposite points. It computes both the sum by
// the formula for different points and 2b, and selects without a branch.
func (p *XYZZ) AddMixedComplete(a *XYZZ, b *Affine) {
	var h field.Element
	var twice XYZZ
	doubleAffine(&twice, b)
	addMixedXYZZ(p, a, b, &h)
	equal := h.IsZero() & p.X.IsZero()
	p.X.Select(&twice.X, &p.X, equal)
	p.Y.Select(&twice.Y, &p.Y, equal)
	p.ZZ.Select(&twice.ZZ, &p.ZZ, equal)
	p.ZZZ.Select(&twice.ZZZ, &p.ZZZ, equal)
}

// AddMixedVartime sets p = a + b, for every a.
func (p *XYZZ) AddMixedVartime(a *XYZZ, b *Affine) {
	if a.ZZ.IsZeroVartime() {
		p.SetAffine(b)
		return
	}
	var h field.Element
	addMixedXYZZ(p, a, b, &h)
	if h.IsZeroVartime() && p.X.IsZeroVartime() { // equal points
		doubleAffine(p, b)
	}
}

// Add sets p = a + b for a ≠ b where neither is infinity. Otherwise p.ZZ ≡ 0.
func (p *XYZZ) Add(a, b *XYZZ) {
	var h field.Element
	addXYZZ(p, a, b, &h)
}

// SetXYZZ sets p = a.
func (p *Jacobian) SetXYZZ(a *XYZZ) {
	// With Z = ZZ: X/ZZ = X·ZZ/Z² and Y/ZZZ = Y·ZZZ/Z³, since ZZZ² = ZZ³.
	p.X.Mul(&a.X, &a.ZZ)
	p.Y.Mul(&a.Y, &a.ZZZ)
	p.Z.Set(&a.ZZ)
}
