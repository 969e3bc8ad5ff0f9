package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// The functions in this file take any number of items, in slices of one length. Results and
// arguments must not overlap.
//
// They compute (k·a + g·G)/d, each item by itself. All points must be on the curve. d may be
// nil, which stands for ones; the divisors share an inversion.
//
// An item for which done is false has no result: it is for the scalar engine. With random
// scalars there is none. It is one with d = 0, or with a sum that is infinity, passes through
// it, or adds equal points. All other results are right.

// DoubleScalarVartime sets dst[i] = (k[i]·a[i] + g[i]·G)/d[i], with Z = 1.
func DoubleScalarVartime(dst []group.Jacobian, done []bool, k []scalar.Scalar, a []group.Affine, g, d []scalar.Scalar) {
	w := workspaces.Get().(*workspace)
	for from := 0; from < len(k); from += chunk {
		to := min(from+chunk, len(k))
		w.invertDivisorsVartime(cut(d, from, to))
		blocks := (to - from + N - 1) / N
		for i := 0; i < blocks; i += 2 {
			lo, hi := from+N*i, min(from+N*(i+2), to)
			failed := w.doubleScalarVartime(i, k[lo:hi], a[lo:hi], g[lo:hi], d != nil)
			for j := range min(2, blocks-i) {
				w.sums[i+j] = w.sum[j]
				blend(&w.divisor[i+j], &w.one, &w.sum[j].Z, failed[j])
				report(done[lo+N*j:min(lo+N*(j+1), hi)], ^failed[j])
			}
		}
		invertBlocksVartime(w.inverse[:blocks], w.divisor[:blocks], &w.temporary[0])
		for i := range blocks {
			w.sums[i].toAffine(&w.inverse[i], &w.half, &w.temporary[0])
			lo, hi := from+N*i, min(from+N*(i+1), to)
			storeNormal(w.affine[:hi-lo], &w.sums[i].X, &w.sums[i].Y)
			for j := range w.affine[:hi-lo] {
				dst[lo+j].SetAffine(&w.affine[j])
			}
		}
	}
	workspaces.Put(w)
}

// EqualXModNVartime sets equal[i] to whether (k[i]·a[i] + g[i]·G)/d[i] is finite and
// its x coordinate, taken modulo n, is x[i]. Small x, below 2¹²⁹, are for the scalar engine.
func EqualXModNVartime(equal, done []bool, x, k []scalar.Scalar, a []group.Affine, g, d []scalar.Scalar) {
	w := workspaces.Get().(*workspace)
	for from := 0; from < len(k); from += chunk {
		to := min(from+chunk, len(k))
		w.invertDivisorsVartime(cut(d, from, to))
		for i, lo := 0, from; lo < to; i, lo = i+2, lo+2*N {
			hi := min(lo+2*N, to)
			failed := w.doubleScalarVartime(i, k[lo:hi], a[lo:hi], g[lo:hi], d != nil)
			for j, lo := 0, lo; lo < hi; j, lo = j+1, lo+N {
				hi := min(lo+N, hi)
				t, zz := &w.temporary[0], &w.temporary[1]
				loadScalars(t, x[lo:hi])
				squareN(zz, &w.sum[j].Z, 1)
				mul(t, t, zz)
				sub(t, t, &w.sum[j].X)
				report(equal[lo:hi], isZero(t))
				report(done[lo:hi], ^(failed[j] | small(x[lo:hi])))
			}
		}
	}
	workspaces.Put(w)
}

// cut returns d[from:to], or nil.
func cut(d []scalar.Scalar, from, to int) []scalar.Scalar {
	if d == nil {
		return nil
	}
	return d[from:to]
}

// small returns the lanes in which x < 2¹²⁹, and so those in which x + n < p, which may be
// the x coordinate, too.
func small(x []scalar.Scalar) (k uint8) {
	for i := range x {
		if l := x[i].Limbs(); l[3] == 0 && l[2] < 2 {
			k |= 1 << i
		}
	}
	return k
}

// workspace holds the vectors of a computation with eight lanes. It is larger than 32
// KiB, so it begins a page, and vectors lie on 64 bytes. Nothing in it is secret.
type workspace struct {
	one, half, beta, beta2, b Element // constants

	// Of all blocks of a chunk: the divisors and, later, Z of the sums, with 1 in place of 0; the
	// inverses of these; and the sums.
	divisor, inverse [chunkBlocks]Element
	sums             [chunkBlocks]Jacobian2Y

	// Of up to two blocks at a time.
	products [2]product
	sum      [2]Jacobian2Y
	infinity [2]uint8 // the lanes in which the sum has not begun
	_        [62]byte

	lift lift

	temporary      [4]Element
	temporaryPoint [2]Affine
	ratio          [recode.RegularPointEntries]Element

	halves halves

	affine    [N]group.Affine    // of a block
	noDivisor [chunkBlocks]uint8 // the lanes whose divisor is 0
}

// product is what eight sums k·point + g·G are made of.
type product struct {
	point   Affine    // in each lane
	table   multiples // of these
	z       Element   // of the table
	toTable isomorphism
	ofPoint pointDigits
	ofG     generatorDigits
}

// workspaces are those that nobody uses.
var workspaces = sync.Pool{New: func() any {
	w := new(workspace)
	for i := range N {
		w.one.set(i, &one)
		w.half.set(i, &half)
		w.beta.set(i, &group.Beta)
		w.beta2.set(i, new(field.Element).Square(&group.Beta))
		w.b.set(i, &b)
	}
	return w
}}

// A chunk is what shares an inversion.
const (
	chunkBlocks = 32
	chunk       = chunkBlocks * N
)

// doubleScalarVartime sets the sums of block i of a chunk, and of the next where there are items for it,
// and returns the lanes in which this failed.
func (w *workspace) doubleScalarVartime(i int, k []scalar.Scalar, a []group.Affine, g []scalar.Scalar, divided bool) (failed [2]uint8) {
	s, t := &w.temporary[0], &w.temporary[1]
	blocks := (len(k) + N - 1) / N
	for j := range blocks {
		lo, hi := N*j, min(N*(j+1), len(k))
		p := &w.products[j]
		loadScalars(s, g[lo:hi])
		loadScalars(t, k[lo:hi])
		if divided {
			mulN(s, s, &w.inverse[i+j])
			mulN(t, t, &w.inverse[i+j])
		}
		split(&w.halves, s)
		p.ofG.setVartime(&w.halves)
		split(&w.halves, t)
		p.ofPoint.setVartime(&w.halves)
		failed[j] = ^(p.ofG.fits & p.ofPoint.fits)
		loadPoints(&p.point, a[lo:hi])
		w.fill(p)
	}
	w.addUpVartime(blocks)
	for j := range blocks {
		failed[j] |= isZero(&w.sum[j].Z)
		if divided {
			failed[j] |= w.noDivisor[i+j]
		}
	}
	return failed
}

// invertDivisorsVartime sets w.inverse to the inverses of up to a chunk of scalars, and w.noDivisor
// to the lanes that have none.
func (w *workspace) invertDivisorsVartime(d []scalar.Scalar) {
	if len(d) == 0 {
		return
	}
	blocks := 0
	for ; len(d) > 0; blocks++ {
		n := min(N, len(d))
		each := &w.divisor[blocks]
		loadScalars(each, d[:n])
		zero := zeros(d[:n])
		if zero != 0 {
			blend(each, &w.one, each, zero)
		}
		w.noDivisor[blocks] = zero
		d = d[n:]
	}
	invertBlocksVartimeN(w.inverse[:blocks], w.divisor[:blocks], &w.temporary[0])
}

// zeros returns the lanes whose scalar is 0.
func zeros(d []scalar.Scalar) (k uint8) {
	for i := range N {
		if d[inLane(i, len(d))].IsZero() != 0 {
			k |= 1 << i
		}
	}
	return k
}

// fill fills the table with the multiples of p.point, and sets p.z to their Z. Each multiple is the
// one before plus a unit times the point, of one denominator, and never equal or opposite to
// it, since the point's order is a large prime (recode's S18).
func (w *workspace) fill(p *product) {
	table, unit, ratio := &p.table, &w.temporaryPoint[0], &w.ratio
	*unit = p.point
	table[0].Affine = p.point
	var step recode.RegularStep
	for i := 1; i < len(table); i++ {
		next := recode.RegularSteps[i]
		switch (next.Power + 3 - step.Power) % 3 {
		case 1:
			mul(&unit.X, &unit.X, &w.beta)
		case 2:
			mul(&unit.X, &unit.X, &w.beta2)
		}
		if next.Minus != step.Minus {
			negate(&unit.Y, &unit.Y, 0xFF)
		}
		step = next
		addCoZ(&table[i].Affine, unit, &table[i-1].Affine, &ratio[i])
	}

	// From the last entry, whose Z it shall be, to the first.
	complete(&table[len(table)-1])
	p.z = w.one
	for i := len(table) - 2; i >= 0; i-- {
		completeRescaled(&table[i], &p.z, &ratio[i+1])
	}
}

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
