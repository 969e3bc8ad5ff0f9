package group

import "p256k1.mleku.dev/internal/field"

// XYZZ is the point (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ², or infinity if ZZ ≡ 0
// (Bernstein and Lange's Explicit-Formulas Database). Adding an affine point
// costs a squaring less than in Jacobian coordinates; fixed-base
// multiplication, which hardly doubles, uses it.
type XYZZ struct {
	X, Y, ZZ, ZZZ field.Element
}

// AddMixedComplete sets p = a + b for a ≠ infinity.
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

// SetXYZZ sets p = a.
func (p *Jacobian) SetXYZZ(a *XYZZ) {
	// With Z = ZZ: X/ZZ = X·ZZ/Z² and Y/ZZZ = Y·ZZZ/Z³, since ZZZ² = ZZ³.
	p.X.Mul(&a.X, &a.ZZ)
	p.Y.Mul(&a.Y, &a.ZZZ)
	p.Z.Set(&a.ZZ)
}
