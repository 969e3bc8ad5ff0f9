package ecmult

import (
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
)

// oddMultiples fills table with 1, 3, 5, … times a, for finite a, as points
// (x/z², y/z³) with one z for all: the additions are mixed, and nothing is
// inverted. It is constant-time.
//
// Tables of several points can share their z. Each call takes the z that the
// one before left (1 at first) and stores in ratio[i] the quotient of the z of
// entry i and of the entry before it; commonDenominator then brings all entries
// to the last one's z.
func oddMultiples(table []group.Affine, ratio []field.Element, z *field.Element, a *group.Jacobian) {
	var first, twice group.Jacobian
	var d group.Affine
	var c field.Element
	first.Rescale(a, z)
	twice.Double(&first)
	c.Set(&twice.Z)
	ratio[0].Mul(&a.Z, &c)

	// On the isomorphic curve (x·c², y·c³), 2a is the affine point
	// (twice.X, twice.Y), and the third coordinate of a stays as it is.
	var r group.Jacobian
	d.X.Set(&twice.X)
	d.Y.Set(&twice.Y)
	table[0].X.Set(&first.X)
	table[0].Y.Set(&first.Y)
	table[0].Rescale(&table[0], &c)
	r.SetAffine(&table[0])
	r.Z.Set(&first.Z)
	for i := 1; i < len(table); i++ {
		r.AddMixedRatio(&r, &d, &ratio[i])
		table[i].X.Set(&r.X)
		table[i].Y.Set(&r.Y)
	}
	z.Mul(&r.Z, &c)
}

// commonDenominator multiplies the coordinates of the table's entries by the
// square and the cube of the product of all ratios after theirs, of which after
// is the part beyond the table. It multiplies after by the table's own ratios.
func commonDenominator(table []group.Affine, ratio []field.Element, after *field.Element) {
	for i := len(table) - 1; i >= 0; i-- {
		table[i].Rescale(&table[i], after)
		after.Mul(after, &ratio[i])
	}
}
