package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Variable sets p = k·a, for every k and a.
func Variable(p *group.Jacobian, k *scalar.Scalar, a *group.Jacobian) {
	var odd [recode.VariableEntries]group.Affine
	var ratio [recode.VariableEntries]field.Element
	oddMultiples(odd[:], ratio[:], a) // anything if a is infinity, and so is all that follows
	z := commonDenominator(odd[:], ratio[:], nil)
	var t1, t2 [recode.VariableEntries]entry // multiples of a and of λ·a
	for i := range odd {
		t1[i].Set(&odd[i])
		odd[i].X.Mul(&odd[i].X, &group.Beta)
		t2[i].Set(&odd[i])
	}

	k1, k2 := recode.Variable(k)

	var r, sum group.Jacobian
	var t group.Affine
	variableLookup(&t, &t1, &k1, recode.VariableDigits-1)
	r.SetAffine(&t)
	variableLookup(&t, &t2, &k2, recode.VariableDigits-1)
	r.AddMixed(&r, &t)
	// An addition can meet equal or opposite points in the last window only (S13).
	for i := recode.VariableDigits - 2; i > 0; i-- {
		r.DoubleN(&r, recode.VariableWidth-1)
		variableLookup(&t, &t1, &k1, i)
		r.DoubleAdd(&r, &t)
		variableLookup(&t, &t2, &k2, i)
		r.AddMixed(&r, &t)
	}
	r.DoubleN(&r, recode.VariableWidth)
	variableLookup(&t, &t1, &k1, 0)
	sum.SetAffine(&t)
	r.Add(&r, &sum)
	variableLookup(&t, &t2, &k2, 0)
	sum.SetAffine(&t)
	r.Add(&r, &sum)

	r.Z.Mul(&r.Z, &z)
	p.Select(&group.Jacobian{}, &r, a.IsInfinity())
}

// variableLookup sets p to the table's multiple for digit i.
func variableLookup(p *group.Affine, table *[recode.VariableEntries]entry, digits *recode.Odd, i int) {
	lookup(p, table[:], digits.VariableWindow(i))
}
