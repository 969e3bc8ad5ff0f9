package lanes

import (
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

// addUpVartime sets the sums of one or two blocks to k·point + g·G, from the digits of k and g and
// the table of the point. They are infinity in the lanes where that sum is infinity or an addition
// failed, and right in all others, whatever scalars and points are: Z is a product with a factor
// 2Y, which is never 0, for each doubling, and a factor for each addition, which is 0 if that fails.
//
// A doubling waits for itself, and those of two blocks take turns. Additions do not: two of them in
// one routine are so much code that the first cache has no room for it.
func (w *workspace) addUpVartime(blocks int) {
	for j := range blocks {
		p := &w.products[j]
		w.sum[j] = Jacobian2Y{}
		w.infinity[j] = 0xFF
		p.toTable.set(&p.z, &w.beta)
	}
	due := 0 // doublings
	for place := recode.RegularTop; place >= 0; place-- {
		ofPoint := place%recode.PointWidth == 0
		ofG := place%recode.GeneratorWidth == 0 || place == recode.RegularTop
		if due > 0 && (ofPoint || ofG) {
			if blocks == 2 {
				doubleNegatePairN(&w.sum, due)
			} else {
				doubleNegateN(&w.sum[0], due)
			}
			due = 0
		}
		for j := range blocks {
			if ofPoint {
				w.addPointDigitVartime(j, place/recode.PointWidth)
			}
			if ofG {
				w.addGeneratorDigitVartime(j, (place+recode.GeneratorWidth-1)/recode.GeneratorWidth)
			}
		}
		due++
	}
	for j := range blocks {
		mul(&w.sum[j].Z, &w.sum[j].Z, &w.products[j].z)
	}
}

// addPointDigitVartime adds digit i of the points of block j.
func (w *workspace) addPointDigitVartime(j, i int) {
	x, ny, p := &w.temporary[0], &w.temporary[1], &w.products[j]
	gatherPointVartime(x, ny, &p.table, &p.ofPoint, i)
	w.add(j, x, ny, p.ofPoint.nonzero[i])
}

// addGeneratorDigitVartime adds digit i of G to the sums of block j.
func (w *workspace) addGeneratorDigitVartime(j, i int) {
	x, ny, p := &w.temporary[0], &w.temporary[1], &w.products[j]
	gatherGeneratorVartime(x, ny, tables.RegularGeneratorVartime(), &p.ofG, i, &p.toTable)
	w.add(j, x, ny, p.ofG.nonzero[i])
}

// add adds (x, −ny/2) to the sums of block j in the lanes of k.
func (w *workspace) add(j int, x, ny *Element, k uint8) {
	sum := &w.sum[j]
	first := k & w.infinity[j]
	if k &^= first; k != 0 {
		addMixed(sum, x, ny, k)
	}
	if first != 0 { // Before, a sum is infinity, where additions fail.
		y := &w.temporary[2]
		negate(y, ny, 0xFF)
		blend(&sum.X, x, &sum.X, first)
		blend(&sum.Y, y, &sum.Y, first)
		blend(&sum.Z, &w.one, &sum.Z, first)
		w.infinity[j] &^= first
	}
}
