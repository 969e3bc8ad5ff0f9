// Package ecmult multiplies points by scalars. Products of the generator and of any other point are computed in
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

// Base sets p = k·G. It is constant-time.
func Base(p *group.Jacobian, k *scalar.Scalar) {
	if platform.OneBaseInLanes() {
		lanes.BaseOne(p, k)
		return
	}
	base(p, k)
}

// base sets p = k·G without package lanes. k is Σ dᵢ·2⁶ⁱ modulo n with 43 odd digits |dᵢ| < 2⁶, and the table has the
// odd multiples of 2⁶ⁱ·G for each i. So k·G is a sum of 43 entries or their negatives, and needs no doublings. A digit
// is never 0, so every look-up finds a finite point.
func base(p *group.Jacobian, k *scalar.Scalar) {
	table := tables.Base()
	digits := recode.Base(k)

	var acc group.XYZZ
	var t group.Affine
	baseLookup(&t, table, &digits, 0)
	acc.SetAffine(&t)
	// Before step i, acc is s·G, where s is the sum of dⱼ·2⁶ʲ over all j < i. So s is odd, and |s| < 2⁶ⁱ. The step adds
	// d·2⁶ⁱ·G for the odd digit d = dᵢ. If the two points were equal or opposite, n would divide d·2⁶ⁱ − s or d·2⁶ⁱ +
	// s. Neither number is 0, since |d·2⁶ⁱ| > |s|. In absolute value both numbers are below 2⁶ⁱ⁺⁶, which for i ≤ 41 is
	// at most 2²⁵² < n. So only the last step, which adds d·2²⁵²·G, needs the complete addition. Its points are
	// opposite for the scalar 0 and equal for one other scalar (S11).
	for i := 1; i < recode.BaseDigits-1; i++ {
		baseLookup(&t, table, &digits, i)
		acc.AddMixed(&acc, &t)
	}
	baseLookup(&t, table, &digits, recode.BaseDigits-1)
	acc.AddMixedComplete(&acc, &t)
	p.SetXYZZ(&acc)
}

// baseLookup sets p to dᵢ·2⁶ⁱ·G for digit i. It reads all entries of row i.
func baseLookup(p *group.Affine, table *[recode.BaseDigits][recode.BaseEntries]entry, digits *recode.Odd, i int) {
	lookup(p, table[i][:], digits.BaseWindow(i))
}
