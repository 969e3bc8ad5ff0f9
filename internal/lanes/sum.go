package lanes

import (
	"p256k1.mleku.dev/internal/recode"
	"p256k1.mleku.dev/internal/tables"
)

// generatorTop is the place of the last digit of G, which is 4 times what counts there.
const generatorTop = recode.PointWidth * (recode.RegularPointDigits - 1)

// addUpVartime sets w.sum to k·point + g·G, from the digits of k and g and the table of the point.
// It is infinity in the lanes where that sum is infinity or an addition failed, and right in all
// others, whatever scalars and points are: its Z is a product with a factor 2Y, which is never
// 0, for each doubling, and a factor for each addition, which is 0 if that fails.
func (w *workspace) addUpVartime() {
	w.sum = Jacobian{}
	w.infinity = 0xFF

	w.toTable.set(&w.z, &w.beta)
	due := 0 // doublings
	for place := generatorTop; place >= 0; place-- {
		ofPoint := place%recode.PointWidth == 0
		ofG := place%recode.GeneratorWidth == 0 || place == generatorTop
		if due > 0 && (ofPoint || ofG) {
			doubleN(&w.sum, due)
			due = 0
		}
		if ofPoint {
			w.addPointDigitVartime(place / recode.PointWidth)
		}
		if ofG {
			w.addGeneratorDigitVartime((place + recode.GeneratorWidth - 1) / recode.GeneratorWidth)
		}
		due++
	}
	mul(&w.sum.Z, &w.sum.Z, &w.z)
}

// addPointDigitVartime adds digit i of the points.
func (w *workspace) addPointDigitVartime(i int) {
	x, ny := &w.temporary[0], &w.temporary[1]
	gatherPointVartime(x, ny, &w.table, &w.ofPoint, i)
	w.add(x, ny, w.ofPoint.nonzero[i])
}

// addGeneratorDigitVartime adds digit i of G.
func (w *workspace) addGeneratorDigitVartime(i int) {
	x, ny := &w.temporary[0], &w.temporary[1]
	gatherGeneratorVartime(x, ny, tables.RegularGeneratorVartime(), &w.ofG, i, &w.toTable)
	w.add(x, ny, w.ofG.nonzero[i])
}

// add adds (x, −ny/2) to the sum in the lanes of k.
func (w *workspace) add(x, ny *Element, k uint8) {
	first := k & w.infinity
	if k &^= first; k != 0 {
		addMixed(&w.sum, x, ny, k)
	}
	if first != 0 { // Before, a sum is infinity, where additions fail.
		y := &w.temporary[2]
		negate(y, ny, 0xFF)
		blend(&w.sum.X, x, &w.sum.X, first)
		blend(&w.sum.Y, y, &w.sum.Y, first)
		blend(&w.sum.Z, &w.one, &w.sum.Z, first)
		w.infinity &^= first
	}
}
