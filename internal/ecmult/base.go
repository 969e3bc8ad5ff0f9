// Package ecmult multiplies points by scalars: the generator and any point in
// constant time, and sums of products of public values in variable time.
package ecmult

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Base sets p = k·G.
func Base(p *group.Jacobian, k *scalar.Scalar) {
	if platform.OneBaseInLanes() {
		lanes.BaseOne(p, k)
		return
	}
	base(p, k)
}

// base is Base without lanes.
func base(p *group.Jacobian, k *scalar.Scalar) {
	table := tables.Base()
	digits := recode.Base(k)

	var acc group.XYZZ
	var t group.Affine
	baseLookup(&t, table, &digits, 0)
	acc.SetAffine(&t)
	// Until the last window the two points are neither equal nor opposite (S11).
	for i := 1; i < recode.BaseDigits-1; i++ {
		baseLookup(&t, table, &digits, i)
		acc.AddMixed(&acc, &t)
	}
	baseLookup(&t, table, &digits, recode.BaseDigits-1)
	acc.AddMixedComplete(&acc, &t)
	p.SetXYZZ(&acc)
}

// baseLookup sets p to the multiple of G for digit i.
func baseLookup(p *group.Affine, table *[recode.BaseDigits][recode.BaseEntries]entry, digits *recode.Odd, i int) {
	lookup(p, table[i][:], digits.BaseWindow(i))
}
