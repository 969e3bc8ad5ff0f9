package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// Tables of multiples are filled by additions of two points that share a denominator, the Z of Jacobian coordinates
// (AddCoZ, 4M + 2S). Then all entries are brought to one denominator, so that mixed additions (8M + 3S) can add them
// without an inversion. Both steps use this map, for u ≠ 0:
//
//	φᵤ(x, y) = (x·u², y·u³)
//
// The map takes E: y² = x³ + 7 to Eᵤ: y² = x³ + 7·u⁶, as multiplying the equation of E by u⁶ shows. It takes lines to
// lines, and therefore sums to sums. The formulas for doubling and adding do not contain the constant 7, so they hold
// on every Eᵤ. The equation λ·(x, y) = (β·x, y) holds on every Eᵤ too, since β³ = 1. Furthermore
//
//	φᵥ(φᵤ(P)) = φᵤᵥ(P),
//
// and the Jacobian point (X, Y, Z), which is (X/Z², Y/Z³), is P exactly if (X, Y) = φ_Z(P). So leaving out Z replaces P
// by the affine point φ_Z(P) of another curve, E_Z. Points with the same Z are mapped to the same curve and can be
// added on it. In the end a sum (X, Y, Z) on Eᵤ is the point (X, Y, Z·u) of E.

// oddMultiples fills table with a, 3a, 5a, …, for finite a: entry i is φᵤ((2i+1)·a) for u = ratio[0]·…·ratio[i]. So
// ratio[0] is the denominator of entry 0, and ratio[i] is the quotient of the denominators of the entries i and i−1.
// commonDenominator brings all entries to one curve. oddMultiples is constant-time. If a is infinity, table and ratio
// are undefined.
func oddMultiples(table []group.Affine, ratio []field.Element, a *group.Jacobian) {
	// Let Z = a.Z. Then first is φ_Z(a) on E_Z, and on this curve d is 2·first. Let D = d.Z. Then the point (d.X, d.Y)
	// is φ_D(2·first) = φ_ZD(2a). Rescaling first by D puts entry 0 on the same curve E_ZD.
	first := group.Affine{X: a.X, Y: a.Y}
	var d group.Jacobian
	d.SetAffine(&first)
	d.Double(&d)
	table[0].Rescale(&first, &d.Z)
	ratio[0].Mul(&a.Z, &d.Z)
	twice := group.Affine{X: d.X, Y: d.Y}
	// Before step i, both entry i−1 and twice, which is 2a, are on the curve of entry i−1. AddCoZ returns the sum on a
	// new curve, takes twice to this curve, and sets ratio[i] to the u of the new curve divided by the u of the old.
	//
	// The step adds (2i−1)·a and 2a, whose difference is (2i−3)·a and whose sum is (2i+1)·a. For 16 entries both 2i−3
	// and 2i+1 are odd numbers from −1 to 31, and the order of a is the prime n. So neither the difference nor the sum
	// is infinity, and the points are not equal or opposite (S9).
	for i := 1; i < len(table); i++ {
		table[i].AddCoZ(&twice, &table[i-1], &ratio[i])
	}
}

// commonDenominator brings all entries of the table to one curve. For a single table, after is nil, which stands for 1,
// and the common curve is the curve of the last entry. If further tables continue the chain, after is the product of
// the ratios of those tables, and the common curve is the curve of the last entry in the last table.
//
// Entry i is on the curve of u = ratio[0]·…·ratio[i]. Mapping it by φᵥ for v = ratio[i+1]·…·ratio[last]·after takes it
// to the common curve. The function returns the product of after and all ratios of the table. For the first table, this
// product is the u of the common curve.
func commonDenominator(table []group.Affine, ratio []field.Element, after *field.Element) (product field.Element) {
	last := len(table) - 1
	if after == nil {
		product = ratio[last]
	} else {
		table[last].Rescale(&table[last], after)
		product.Mul(after, &ratio[last])
	}
	// Before step i, product = ratio[i+1]·…·ratio[last]·after.
	for i := last - 1; i >= 0; i-- {
		table[i].Rescale(&table[i], &product)
		product.Mul(&product, &ratio[i])
	}
	return product
}
