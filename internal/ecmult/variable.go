package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// Variable sets p = k·a, for every k and a. It is constant-time.
//
// k is k1 + k2·λ modulo n, and both halves have 26 odd digits of 5 bits, so no digit is 0. Each of 26 rounds adds a
// digit of k1 times a, and a digit of k2 times λ·a. All rounds but the first make five doublings before they add.
func Variable(p *group.Jacobian, k *scalar.Scalar, a *group.Jacobian) {
	var odd [recode.VariableEntries]group.Affine
	var ratio [recode.VariableEntries]field.Element
	// If a is infinity, all values from here on are meaningless, and the last line replaces the result.
	oddMultiples(odd[:], ratio[:], a)
	// From here on, all multiples and r are on the curve E_z (odd.go).
	z := commonDenominator(odd[:], ratio[:], nil)
	var t1, t2 [recode.VariableEntries]entry // multiples of a and of λ·a
	for i := range odd {
		t1[i].Set(&odd[i])
		odd[i].X.Mul(&odd[i].X, &group.Beta) // λ·(x, y) = (β·x, y)
		t2[i].Set(&odd[i])
	}

	k1, k2 := recode.Variable(k)

	var r, sum group.Jacobian
	var t group.Affine
	variableLookup(&t, &t1, &k1, recode.VariableDigits-1)
	r.SetAffine(&t)
	variableLookup(&t, &t2, &k2, recode.VariableDigits-1)
	r.AddMixed(&r, &t)
	// After each round r = (x + y·λ)·a for odd x and y. The absolute values of x and y have at most as many bits as the
	// rounds have read of each half of k. A round adds d·a to 2⁵·(x + y·λ)·a, and d′·λ·a to the result, where d and d′
	// are digits of k1 and k2. If the points of an addition were equal or opposite, their difference or sum (u + v·λ)·a
	// would be infinity, and n would divide the norm u² − uv + v². This is impossible, except in the last round:
	//
	//   - |u| and |v| are below 2¹²⁶, so the norm is below 3·2²⁵² < n.
	//   - The norm is not 0. When d·a is added, v = 2⁵·y is not 0. When d′·λ·a is added, also in the top round, u is
	//     odd.
	//
	// In the last round |u| and |v| may reach 2¹³⁰, so its two additions are complete (S13).
	for i := recode.VariableDigits - 2; i > 0; i-- {
		r.DoubleN(&r, recode.VariableWidth-1) // the fifth doubling is part of DoubleAdd
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

	r.Z.Mul(&r.Z, &z) // back to the curve E
	p.Select(&group.Jacobian{}, &r, a.IsInfinity())
}

// variableLookup sets p to the multiple for digit i. It reads all entries of the table.
func variableLookup(p *group.Affine, table *[recode.VariableEntries]entry, digits *recode.Odd, i int) {
	lookup(p, table[:], digits.VariableWindow(i))
}
