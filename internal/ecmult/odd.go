package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// oddMultiples fills table with 1, 3, 5, … times a, for finite a, as points
// (x/z², y/z³) with a z for each: consecutive ones differ by 2a, which goes along
// with their denominators. It is constant-time.
//
// It stores in ratio[i] the quotient of the z of entry i and of the entry before
// it, in ratio[0] the first z; commonDenominator then brings all entries to the
// last one's z.
func oddMultiples(table []group.Affine, ratio []field.Element, a *group.Jacobian) {
	first := group.Affine{X: a.X, Y: a.Y}
	// Twice the point (x, y, 1) has the ratio of the denominators of 2a and a
	// for its third coordinate.
	var d group.Jacobian
	d.SetAffine(&first)
	d.Double(&d)
	table[0].Rescale(&first, &d.Z)
	ratio[0].Mul(&a.Z, &d.Z)
	twice := group.Affine{X: d.X, Y: d.Y}
	for i := 1; i < len(table); i++ { // neither equal nor opposite (S9)
		table[i].AddCoZ(&twice, &table[i-1], &ratio[i])
	}
}

// commonDenominator brings the table's entries to the denominator of a later one:
// it multiplies their coordinates by the square and the cube of the product of
// all ratios after theirs, of which after is the part beyond the table, nil for
// none. It returns the product of after and the table's own ratios, which for
// all tables together is the common denominator.
func commonDenominator(table []group.Affine, ratio []field.Element, after *field.Element) (product field.Element) {
	last := len(table) - 1
	if after == nil {
		product = ratio[last]
	} else {
		table[last].Rescale(&table[last], after)
		product.Mul(after, &ratio[last])
	}
	for i := last - 1; i >= 0; i-- {
		table[i].Rescale(&table[i], &product)
		product.Mul(&product, &ratio[i])
	}
	return product
}
