package lanes

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file computes sums of several products, k₁·a₁ + … + kₘ·aₘ, of public values, a sum in each lane. The products
// share the doublings, as in Straus's algorithm, and their tables have a common Z in each lane (fillVartime). The
// digits, the masks and the handling of lanes that fail are the same as in double.go.

// SumsMemory holds the operands of two blocks of sums. It is on the heap, at the beginning of a page.
type SumsMemory [parts.ProductSums / N][parts.Terms]product

// SumsVartime sets dst[i] = Σ k[j·n + i]·a[j·n + i] over j, where n = len(dst), and done[i] = true. If it sets done[i]
// = false, dst[i] is undefined. There must be one to parts.ProductSums sums, of one to parts.Terms products each. The
// caller fills up a sum with fewer products than the others with products whose scalars are 0. All points must be on
// the curve.
func SumsVartime(products *SumsMemory, dst []group.Jacobian, done []bool, k []scalar.Scalar, a []group.Affine) {
	n := len(dst)
	terms, blocks := len(k)/n, (n+N-1)/N
	w := workspaceVartime()
	var fits [2]uint8
	for b := range blocks {
		fits[b] = 0xFF
		for j := range terms {
			p, lo, hi := &products[b][j], j*n+N*b, j*n+min(N*(b+1), n)
			w.splitVartime(k[lo:hi], nil)
			p.ofPoint.setVartime(&w.halves)
			fits[b] &= p.ofPoint.fits
			loadPointsVartime(&p.point, a[lo:hi])
		}
		w.fillVartime(products[b][:terms])
		w.sum[b], w.infinity[b] = Jacobian2Y{}, 0xFF
	}
	x, ny := &w.temporary[0], &w.temporary[1]
	for i := recode.RegularPointDigits - 1; i >= 0; i-- {
		for j := range terms {
			for b := range blocks {
				p := &products[b][j]
				if nonzero := p.ofPoint.nonzero[i]; nonzero != 0 {
					gatherPointVartime(x, ny, &p.table, &p.ofPoint, i)
					w.addVartime(b, x, ny, nonzero)
				}
			}
		}
		switch {
		case i == 0:
		case blocks == 2:
			doubleNegatePairNVartime(&w.sum, recode.PointWidth)
		default:
			doubleNegateNVartime(&w.sum[0], recode.PointWidth)
		}
	}
	for b := range blocks {
		lo, hi := N*b, min(N*(b+1), n)
		mulVartime(&w.sum[b].Z, &w.sum[b].Z, &products[b][0].z)
		report(done[lo:hi], fits[b]&^isZeroVartime(&w.sum[b].Z))
		w.sum[b].storeVartime(dst[lo:hi])
	}
	workspaces.Put(w)
}
