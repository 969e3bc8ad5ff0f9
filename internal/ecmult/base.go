// Package ecmult multiplies points by scalars: the generator and any point in
// constant time, and sums of products of public values in variable time.
package ecmult

import (
	"sync"

	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/params"
	"p256k1.mleku.dev/internal/scalar"
)

// Fixed-base multiplication writes the scalar in 43 signed odd digits of 6 bits
// and adds one precomputed multiple of the generator for each.
const (
	baseWidth   = 6
	baseWindows = 43 // 258 bits
	baseEntries = 1 << (baseWidth - 1)
)

// baseTable[i][j] is (2j+1)·2⁶ⁱ·G: 86 KiB, built when first used.
var (
	baseTable     [baseWindows][baseEntries]entry
	baseTableOnce sync.Once
)

func buildBaseTable() {
	var base, twice group.Jacobian
	var odd [baseEntries]group.Jacobian
	var affine [baseEntries]group.Affine
	base.SetAffine(&group.Generator)
	for i := range baseTable {
		twice.Double(&base)
		odd[0].Set(&base)
		for j := 1; j < baseEntries; j++ {
			odd[j].AddVartime(&odd[j-1], &twice)
		}
		group.BatchToAffineVartime(affine[:], odd[:])
		for j := range affine {
			baseTable[i][j].set(&affine[j])
		}
		// The last odd multiple is 2⁶ − 1.
		base.AddVartime(&odd[baseEntries-1], &base)
	}
}

// baseOffset is 2²⁵⁸ − 1 mod n.
var baseOffset = scalar.FromLimbs(offset258&params.Limb, offset258>>64&params.Limb, offset258>>128&params.Limb, offset258>>192)

const offset258 = (1<<(baseWidth*baseWindows) - 1) % params.N

// Base sets p = k·G.
func Base(p *group.Jacobian, k *scalar.Scalar) {
	baseTableOnce.Do(buildBaseTable)

	// With d = (k + 2²⁵⁸ − 1)/2 mod n, the 258 bits of d taken as ±1 instead
	// of 1 and 0 sum to 2d − (2²⁵⁸ − 1) ≡ k, so that every window of d is an
	// odd digit and none is zero (M. Hamburg, "Fast and compact elliptic-curve
	// cryptography", 2012, section 3.3).
	var d scalar.Scalar
	d.Add(k, &baseOffset).Half(&d)
	bits := d.Limbs()

	var acc group.XYZZ
	var t group.Affine
	baseLookup(&t, &bits, 0)
	acc.SetAffine(&t)
	// Before window i the sum is an odd multiple of G below 2⁶ⁱ, the digit's
	// at least 2⁶ⁱ, and together they stay below n until the last window: the
	// two points are neither equal nor opposite.
	for i := 1; i < baseWindows-1; i++ {
		baseLookup(&t, &bits, i)
		acc.AddMixed(&acc, &t)
	}
	baseLookup(&t, &bits, baseWindows-1)
	acc.AddMixedComplete(&acc, &t)
	p.SetXYZZ(&acc)
}

// baseLookup sets p to the multiple of G for window i of the recoded scalar.
func baseLookup(p *group.Affine, bits *[4]uint64, i int) {
	lookup(p, baseTable[i][:], window(bits, i*baseWidth, baseWidth))
}
