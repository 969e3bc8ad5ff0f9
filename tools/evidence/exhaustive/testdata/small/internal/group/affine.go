package group

import "p256k1.mleku.dev/v2/internal/field"

// This file represents infinity as an Affine, for groups so small that infinity cannot be avoided: multiplications
// often meet infinity and equal points, and the tables of multiples, which are as large as for secp256k1, also contain
// infinity. In this build infinity is the Affine (0, 0), which is on none of the curves. For other points, the complete
// formulas of secp256k1 replace the incomplete formulas. They run the same routine and then check H.

func isInfinityVartime(x, y *field.Element) bool {
	return x.IsZeroVartime() && y.IsZeroVartime()
}

// SetAffine sets p = a.
func (p *Jacobian) SetAffine(a *Affine) {
	if *p = (Jacobian{}); !isInfinityVartime(&a.X, &a.Y) {
		p.X.Set(&a.X)
		p.Y.Set(&a.Y)
		p.Z.SetUint64(1)
	}
}

// AddMixed sets p = a + b.
func (p *Jacobian) AddMixed(a *Jacobian, b *Affine) {
	p.AddMixedVartime(a, &b.X, &b.Y)
}

// AddMixedVartime sets p = a + (x, y).
func (p *Jacobian) AddMixedVartime(a *Jacobian, x, y *field.Element) {
	if isInfinityVartime(x, y) {
		p.Set(a)
		return
	}
	p.finiteAddMixedVartime(a, x, y)
}

// DoubleAdd sets p = 2a + b.
func (p *Jacobian) DoubleAdd(a *Jacobian, b *Affine) {
	p.DoubleAddVartime(a, &b.X, &b.Y)
}

// DoubleAddVartime sets p = 2a + (x, y).
func (p *Jacobian) DoubleAddVartime(a *Jacobian, x, y *field.Element) {
	if isInfinityVartime(x, y) {
		p.Double(a)
		return
	}
	p.finiteDoubleAddVartime(a, x, y)
}

// SetAffine sets p = a.
func (p *XYZZ) SetAffine(a *Affine) {
	if *p = (XYZZ{}); !isInfinityVartime(&a.X, &a.Y) {
		p.X.Set(&a.X)
		p.Y.Set(&a.Y)
		p.ZZ.SetUint64(1)
		p.ZZZ.SetUint64(1)
	}
}

// AddMixed sets p = a + b.
func (p *XYZZ) AddMixed(a *XYZZ, b *Affine) {
	p.AddMixedComplete(a, b)
}

// AddMixedComplete sets p = a + b.
func (p *XYZZ) AddMixedComplete(a *XYZZ, b *Affine) {
	switch {
	case isInfinityVartime(&b.X, &b.Y):
		*p = *a
	case a.ZZ.IsZeroVartime():
		p.SetAffine(b)
	default:
		p.finiteAddMixedComplete(a, b)
	}
}

// AddMixedVartime sets p = a + b.
func (p *XYZZ) AddMixedVartime(a *XYZZ, b *Affine) {
	if isInfinityVartime(&b.X, &b.Y) {
		*p = *a
		return
	}
	p.finiteAddMixedVartime(a, b)
}

// AddCoZ sets p = a + b for finite a, sets ratio to the denominator of p divided by the denominator of a, and brings a
// to the denominator of p. Infinity has any denominator, so for infinity the ratio is 1.
func (p *Affine) AddCoZ(a, b *Affine, ratio *field.Element) {
	if isInfinityVartime(&b.X, &b.Y) {
		p.Set(a)
		ratio.SetUint64(1)
		return
	}
	old := *a
	equal := a.Y.Equal(&b.Y) != 0
	addCoZ(p, a, b, ratio)
	switch {
	case !ratio.IsZeroVartime(): // ratio is H
	case equal:
		var twice Jacobian
		twice.SetAffine(&old)
		twice.Double(&twice)
		ratio.Set(&twice.Z)
		p.Set(&Affine{twice.X, twice.Y})
		a.Rescale(&old, ratio)
	default:
		*p = Affine{}
		*a = old
		ratio.SetUint64(1)
	}
}

// BatchToAffineVartime sets dst[i] = src[i] with one inversion for all finite points.
func BatchToAffineVartime(dst []Affine, src []Jacobian) {
	var finite []Jacobian
	for _, p := range src {
		if p.IsInfinity() == 0 {
			finite = append(finite, p)
		}
	}
	affine := make([]Affine, len(finite))
	finiteBatchToAffineVartime(affine, finite)
	for i := range src {
		if dst[i] = (Affine{}); src[i].IsInfinity() == 0 {
			dst[i], affine = affine[0], affine[1:]
		}
	}
}

// AddAffine sets p = a + b for a ≠ ±b, one of many sums that share an inversion. inverse is the inverse of a product
// whose last factor is X₂ − X₁, and before is the product without this factor. inverse becomes the inverse of before. p
// may be a.
func (p *Affine) AddAffine(a, b *Affine, before, inverse *field.Element) {
	addAffine(p, a, b, before, inverse)
}
