package group

import "p256k1.mleku.dev/v2/internal/field"

// Double sets p = 2a, for every a.
func (p *Jacobian) Double(a *Jacobian) {
	doubleN(p, a, 1)
}

// DoubleN sets p = 2ⁿ·a, for every a and n > 0.
func (p *Jacobian) DoubleN(a *Jacobian, n int) {
	if n < 1 {
		panic("group: DoubleN of n < 1")
	}
	doubleN(p, a, n)
}

// Add sets p = a + b, for every a and b.
func (p *Jacobian) Add(a, b *Jacobian) {
	// Compute the sum for different points (12M + 4S) and twice a (3M + 4S), and select without a branch. In the terms
	// of formulas.go, the points are equal if H ≡ 0 and X₃ ≡ R² ≡ 0. For opposite points only H ≡ 0, and the sum
	// already has Z₃ ≡ 0.
	var h field.Element
	var sum, twice Jacobian
	addDistinct(&sum, a, b, &h)
	twice.Double(a)
	sum.Select(&twice, &sum, h.IsZero()&sum.X.IsZero())
	sum.Select(b, &sum, a.IsInfinity())
	p.Select(a, &sum, b.IsInfinity())
}

// AddVartime sets p = a + b, for every a and b, in time that depends on a and b.
func (p *Jacobian) AddVartime(a, b *Jacobian) {
	if a.Z.IsZeroVartime() {
		p.Set(b)
		return
	}
	if b.Z.IsZeroVartime() {
		p.Set(a)
		return
	}
	var h field.Element
	var sum Jacobian
	addDistinct(&sum, a, b, &h)
	if h.IsZeroVartime() && sum.X.IsZeroVartime() {
		p.Double(a)
		return
	}
	p.Set(&sum)
}

// AddMixedVartime sets p = a + (x, y), for every a and every point (x, y).
func (p *Jacobian) AddMixedVartime(a *Jacobian, x, y *field.Element) {
	if a.Z.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		return
	}
	var h field.Element
	addMixed(p, a, x, y, &h)
	p.fixVartime(x, y, &h)
}

// DoubleAddVartime sets p = 2a + (x, y), for every a and every point (x, y).
func (p *Jacobian) DoubleAddVartime(a *Jacobian, x, y *field.Element) {
	if a.Z.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		return
	}
	var h field.Element
	doubleAdd(p, a, x, y, &h)
	p.fixVartime(x, y, &h)
}

// fixVartime corrects p, which a formula for different points has computed as the sum of some point and (x, y). If the
// two points were equal, h ≡ 0 and p.X ≡ 0, and fixVartime sets p to twice (x, y).
func (p *Jacobian) fixVartime(x, y, h *field.Element) {
	if h.IsZeroVartime() && p.X.IsZeroVartime() {
		p.SetAffine(&Affine{*x, *y})
		p.Double(p)
	}
}
