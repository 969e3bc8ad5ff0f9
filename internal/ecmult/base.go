// Package ecmult multiplies points by scalars: the generator and any point in
// constant time, and sums of products of public values in variable time.
package ecmult

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// baseTable[i][j] is (2j+1)·2⁶ⁱ·G: 86 KiB, built when first used.
var (
	baseTable     [recode.BaseDigits][recode.BaseEntries]entry
	baseTableOnce sync.Once
)

func buildBaseTable() {
	for i, row := range tables.OddMultiplesVartime(recode.BaseDigits, recode.BaseEntries) {
		for j := range row {
			baseTable[i][j].set(&row[j])
		}
	}
}

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
	baseTableOnce.Do(buildBaseTable)

	digits := recode.Base(k)

	var acc group.XYZZ
	var t group.Affine
	baseLookup(&t, &digits, 0)
	acc.SetAffine(&t)
	// Until the last window the two points are neither equal nor opposite (S11).
	for i := 1; i < recode.BaseDigits-1; i++ {
		baseLookup(&t, &digits, i)
		acc.AddMixed(&acc, &t)
	}
	baseLookup(&t, &digits, recode.BaseDigits-1)
	acc.AddMixedComplete(&acc, &t)
	p.SetXYZZ(&acc)
}

// baseLookup sets p to the multiple of G for digit i.
func baseLookup(p *group.Affine, digits *recode.Odd, i int) {
	lookup(p, baseTable[i][:], digits.BaseWindow(i))
}
