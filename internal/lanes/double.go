package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// This file computes sums (k·a + g·G)/d of public values. The functions take any number of items. The points of items
// with OK must be on the curve.
//
// Items are processed in chunks (parts.Sums). A chunk takes at most two inversions: one modulo n for all divisors d, if
// there are divisors, and one modulo p for the Z of all sums, if the function returns the sums themselves. Within a
// chunk, two blocks are computed at a time, so that the processor works on one block while the other waits for results.
// For each block:
//
//  1. k/d and g/d are split into halves and written in digits (digits.go).
//  2. fillVartime computes a table of 11 multiples of each lane's point, with a common Z in each lane.
//  3. addUpVartime goes through the places from 126 to 0. It doubles the sum at each place, adds a multiple of the
//     point at every third place, and adds a multiple of G, mapped to the curve of the table (isomorphism), at place
//     126 and at every eighth place.
//
// The addition formula fails if the points are equal or opposite or if one is infinity. In these cases Z₃ = 2·H·Z₁ ≡ 0:
// Z₁ is 0 for infinity, and H, the difference of the x coordinates, is 0 for equal and for opposite points. Z then
// stays 0 in all later steps. A doubling never makes Z zero: it multiplies Z by 2Y, and no point has Y = 0, because the
// group order is odd. So Z ≡ 0 at the end holds for exactly the lanes that failed: the sum was infinity at the end or,
// after the first point had been added, on the way, or equal points had to be added. In all other lanes the sum is
// correct, whatever the scalars and points are (docs/lanes.md, L6 and L7).
//
// The functions set Done = false and give no result for lanes that failed, lanes with d = 0, and lanes whose digits do
// not sum to the scalar. The caller computes these items with package ecmult. Random items practically never lead to
// such a lane.

// DoubleScalarVartime sets the sum of each item and Done = true. If it sets Done = false, the sum is undefined. It
// divides by D if divided is true. It reports whether all items with OK are done.
func DoubleScalarVartime(items []Item, divided bool) (all bool) {
	all = true
	w := workspaceVartime()
	for from, to := range parts.Of(len(items), parts.Sums) {
		items := items[from:to]
		blocks := w.invertDivisorsVartime(items, divided)
		for i := 0; i < blocks; i += 2 {
			failed := w.doubleScalarVartime(i, items, divided)
			for j := range min(2, blocks-i) {
				// The divisors of these blocks are no longer needed. The Z of the sums takes their place, or 1 in lanes
				// that failed.
				w.sums[i+j] = w.sum[j]
				blendVartime(&w.divisor[i+j], &w.one, &w.sum[j].Z, failed[j])
			}
		}
		invertBlocksVartime(modP, w.inverse[:blocks], w.divisor[:blocks], &w.temporary[0])
		for i := range blocks {
			w.sums[i].toAffineVartime(&w.inverse[i], &w.half, &w.temporary[0])
			items := block(items, i)
			storeVartime(w.a[:len(items)], &w.sums[i].X, &w.sums[i].Y)
			for lane := range items {
				m := &items[lane]
				m.Sum.SetAffine(&w.a[lane])
				all = all && (m.Done || !m.OK)
			}
		}
	}
	workspaces.Put(w)
	return all
}

// EqualXModNVartime divides by D if divided is true, compares the x coordinate of each sum, modulo n, with X, and sets
// Done = true. If the sum is infinity or has another x coordinate, it sets OK = false. If it sets Done = false, it has
// not compared, and leaves OK unchanged. It does not compare if X < 2¹²⁹, because for such an X the x coordinate may
// also be X + n, if X + n is below p. It reports whether all items with OK are done.
//
// It needs no inversion modulo p: the x coordinate of the sum is x/Z², so it compares X·Z² with x.
func EqualXModNVartime(items []Item, divided bool) (all bool) {
	all = true
	w := workspaceVartime()
	for from, to := range parts.Of(len(items), parts.Sums) {
		items := items[from:to]
		blocks := w.invertDivisorsVartime(items, divided)
		for i := 0; i < blocks; i += 2 {
			w.doubleScalarVartime(i, items, divided)
			for j := range min(2, blocks-i) {
				items := block(items, i+j)
				for lane := range items {
					l := items[lane].X.Limbs()
					w.x[lane] = field.FromLimbs(l[0], l[1], l[2], l[3])
				}
				t, zz := &w.temporary[0], &w.temporary[1]
				loadElementsVartime(t, w.x[:len(items)])
				squareNVartime(zz, &w.sum[j].Z, 1)
				mulVartime(t, t, zz)
				subVartime(t, t, &w.sum[j].X)
				equal := isZeroVartime(t)
				for lane := range items {
					m := &items[lane]
					m.Done = m.Done && !isSmall(&m.X)
					all = all && (m.Done || !m.OK)
					m.OK = m.OK && (!m.Done || has(equal, lane))
				}
			}
		}
	}
	workspaces.Put(w)
	return all
}

// isSmall reports whether x < 2¹²⁹, which is true for all x with x + n < p, because p − n < 2¹²⁹.
func isSmall(x *scalar.Scalar) bool {
	l := x.Limbs()
	return l[3] == 0 && l[2] < 2
}

// workspace holds the vectors of a computation with public values. It is larger than 32 KiB, so Go allocates it at the
// beginning of a page, and its vectors are aligned to 64 bytes. Nothing in it is secret.
type workspace struct {
	one, half, beta, beta2 Element // constants: 1, 1/2, β and β²
	oneModN                Element // 1 for divisors, which are integers modulo n

	// For all blocks of a chunk. divisor holds the divisors modulo n and, once the sums of a block have been computed,
	// the Z of these sums modulo p, with 1 in lanes that failed. inverse holds the inverses of the elements of divisor.
	divisor, inverse [chunkBlocks]Element
	sums             [chunkBlocks]Jacobian2Y

	// For the one or two blocks that are computed at a time.
	products [2]product
	sum      [2]Jacobian2Y
	infinity [2]uint8 // the lanes to whose sum nothing has been added yet
	_        [62]byte // padding to a multiple of 64 bytes

	lift lift

	temporary      [4]Element
	temporaryPoint [2]Affine
	lists          [2]XYZZ // the sums of AddUpVartime, and the same sums moved to other lanes

	halves halves

	// Operands and results of a block, side by side.
	k, g [N]scalar.Scalar
	x    [N]field.Element
	a    [N]group.Affine

	noDivisor [chunkBlocks]uint8 // the lanes whose divisor is 0
}

// product holds the operands of eight sums k·point + g·G.
type product struct {
	point   Affine                              // the point of each lane
	table   multiples                           // its multiples
	ratio   [recode.RegularPointEntries]Element // the Z of each multiple divided by the Z of the multiple before it
	z       Element                             // the common Z of the multiples
	toTable isomorphism                         // the map of multiples of G to the curve of the table
	ofPoint pointDigits                         // k
	ofG     generatorDigits                     // g
}

// workspaces holds workspaces that are not in use.
var workspaces = sync.Pool{}

// workspaceVartime returns a workspace, which the caller puts back into workspaces.
func workspaceVartime() *workspace {
	w, used := workspaces.Get().(*workspace)
	if used {
		return w
	}
	w = new(workspace)
	w.one.setVartime(&one)
	w.half.setVartime(&half)
	w.beta.setVartime(&group.Beta)
	w.beta2.setVartime(new(field.Element).Square(&group.Beta))
	w.lift.b.setVartime(&b)
	for i := range N {
		w.oneModN.set(i, &one)
	}
	return w
}

// chunkBlocks is the number of blocks in a chunk, which share an inversion.
const chunkBlocks = parts.Sums / N

// doubleScalarVartime sets w.sum to the sums of block i and, if there is one, of block i + 1, and Done to whether an
// item has a result. It returns the sets of the lanes that have no result. If divided is true, w.inverse holds the
// inverses of the divisors.
func (w *workspace) doubleScalarVartime(i int, items []Item, divided bool) (failed [2]uint8) {
	blocks := 0
	for ; blocks < 2 && N*(i+blocks) < len(items); blocks++ {
		items, p := block(items, i+blocks), &w.products[blocks]
		for lane := range items {
			m := &items[lane]
			w.k[lane], w.g[lane], w.a[lane] = m.K, m.G, m.A
			if !m.OK {
				w.a[lane] = group.Generator // every lane needs a point of the curve
			}
		}
		var inverse *Element
		if divided {
			inverse = &w.inverse[i+blocks]
		}
		w.splitVartime(w.g[:len(items)], inverse)
		p.ofG.setVartime(&w.halves)
		w.splitVartime(w.k[:len(items)], inverse)
		p.ofPoint.setVartime(&w.halves)
		failed[blocks] = ^(p.ofG.fits & p.ofPoint.fits)
		loadPointsVartime(&p.point, w.a[:len(items)])
		w.fillVartime(w.products[blocks : blocks+1])
	}
	w.addUpVartime(blocks)
	for j := range blocks {
		failed[j] |= isZeroVartime(&w.sum[j].Z)
		if divided {
			failed[j] |= w.noDivisor[i+j]
		}
		items := block(items, i+j)
		for lane := range items {
			items[lane].Done = !has(failed[j], lane)
		}
	}
	return failed
}

// splitVartime sets w.halves to the halves of one to eight scalars, which are first multiplied by inverse unless it is
// nil. Lanes in doubles have no integers modulo n, so the scalars are split one by one.
func (w *workspace) splitVartime(a []scalar.Scalar, inverse *Element) {
	if inverse == nil && !platform.ScalarsInLanes() {
		for lane := range N {
			k1, k2 := a[inLane(lane, len(a))].Split()
			w.halves.set(lane, k1, k2)
		}
		return
	}
	s := &w.temporary[0]
	loadScalars(s, a)
	if inverse != nil {
		mulN(s, s, inverse)
	}
	split(&w.halves, s)
}

// invertDivisorsVartime sets w.inverse to the inverses modulo n of the divisors of at most one chunk of items, and
// w.noDivisor to the lanes whose divisor is 0. In these lanes it inverts 1 instead. It does nothing if divided is
// false. It returns the number of blocks.
func (w *workspace) invertDivisorsVartime(items []Item, divided bool) (blocks int) {
	blocks = (len(items) + N - 1) / N
	if !divided {
		return blocks
	}
	for i := range blocks {
		zero, items := uint8(0), block(items, i)
		for lane := range items {
			w.k[lane] = items[lane].D
			setBit(&zero, lane, items[lane].D.IsZero() != 0)
		}
		if has(zero, 0) { // lanes without an item repeat lane 0
			zero |= ^uint8(below(len(items)))
		}
		each := &w.divisor[i]
		loadScalars(each, w.k[:len(items)])
		if zero != 0 {
			blend(each, &w.oneModN, each, zero)
		}
		w.noDivisor[i] = zero
	}
	invertBlocksVartime(modN, w.inverse[:blocks], w.divisor[:blocks], &w.temporary[0])
	return blocks
}

// fillVartime fills the tables of products with the multiples of their points. In each lane, all entries of all tables
// have a common Z, which becomes p[0].z.
//
// Entry i of a table has the denominator ratio[1]·…·ratio[i], times the denominator of the point. Each point but the
// first is given the denominator of the last entry before it, so that there is one chain of ratios through all tables.
// The entries are then brought to the denominator of the last entry of the last table: with the product z of all ratios
// after an entry, x of this entry is multiplied by z², and y by z³.
func (w *workspace) fillVartime(p []product) {
	z, s, t := &p[0].z, &w.temporary[0], &w.temporary[1]
	*z = w.one
	for i := range p {
		if i > 0 {
			for j := 1; j < len(p[i-1].ratio); j++ {
				mulVartime(z, z, &p[i-1].ratio[j])
			}
			squareNVartime(s, z, 1)
			mulVartime(t, s, z)
			mulVartime(&p[i].point.X, &p[i].point.X, s)
			mulVartime(&p[i].point.Y, &p[i].point.Y, t)
		}
		w.fillRatiosVartime(&p[i])
	}

	// Go from the last entry to the first. Before each entry, z·next is the product of the ratios of all entries after
	// it. At the end, z is the product of all ratios.
	*z = w.one
	for i := len(p) - 1; i >= 0; i-- {
		table, next := &p[i].table, &w.one
		last := len(table) - 1
		for j := last; j >= 0; j-- {
			if i == len(p)-1 && j == last {
				completeVartime(&table[j])
			} else {
				completeRescaledVartime(&table[j], z, next)
			}
			next = &p[i].ratio[j]
		}
	}
}

// fillRatiosVartime fills the table with the multiples of p.point, and p.ratio with the ratios of their denominators.
//
// Each multiple is the previous multiple plus the unit multiple: the point times ±1, ±λ or ±λ². The unit multiple and
// the previous multiple have the same denominator, so addCoZVartime adds them with 4 multiplications and 2 squarings.
// It gives the sum a new denominator, brings the unit multiple to this denominator too, and stores the new denominator
// divided by the old in ratio. The two points are never equal or opposite: their sum and their difference are the point
// times a number a + b·λ whose norm is from 1 to 28, and the order of the point is a large prime (docs/digits.md, S18).
func (w *workspace) fillRatiosVartime(p *product) {
	table, unit := &p.table, &w.temporaryPoint[0]
	*unit = p.point
	table[0].Affine = p.point
	var step recode.RegularStep
	for i := 1; i < len(table); i++ {
		// Change the unit multiple from the unit of the previous step to the unit of this step.
		next := recode.RegularSteps[i]
		switch (next.Power + 3 - step.Power) % 3 {
		case 1:
			mulVartime(&unit.X, &unit.X, &w.beta)
		case 2:
			mulVartime(&unit.X, &unit.X, &w.beta2)
		}
		if next.Minus != step.Minus {
			negateVartime(&unit.Y, &unit.Y, 0xFF)
		}
		step = next
		addCoZVartime(&table[i].Affine, unit, &table[i-1].Affine, &p.ratio[i])
	}
}

// addUpVartime sets the sums of one or two blocks to k·point + g·G, from the digits of k and g and the table of the
// point. In the lanes where this sum is infinity or an addition failed, Z ≡ 0. In all other lanes the sum is correct.
//
// The products of a doubling wait for each other, so one routine doubles both blocks with interleaved instructions.
// Additions are done for one block after the other, because the code of a routine for two additions would be larger
// than the first-level cache.
func (w *workspace) addUpVartime(blocks int) {
	for j := range blocks {
		p := &w.products[j]
		w.sum[j] = Jacobian2Y{}
		w.infinity[j] = 0xFF
		p.toTable.setVartime(&p.z, &w.beta)
	}
	due := 0 // doublings that are delayed until the next addition
	for place := recode.RegularTop; place >= 0; place-- {
		ofPoint := place%recode.PointWidth == 0
		ofG := place%recode.GeneratorWidth == 0 || place == recode.RegularTop
		if due > 0 && (ofPoint || ofG) {
			if blocks == 2 {
				doubleNegatePairNVartime(&w.sum, due)
			} else {
				doubleNegateNVartime(&w.sum[0], due)
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
	// Map the sum back from the curve of the table.
	for j := range blocks {
		mulVartime(&w.sum[j].Z, &w.sum[j].Z, &w.products[j].z)
	}
}

// addPointDigitVartime adds digit i of k times the point to the sums of block j.
func (w *workspace) addPointDigitVartime(j, i int) {
	x, ny, p := &w.temporary[0], &w.temporary[1], &w.products[j]
	gatherPointVartime(x, ny, &p.table, &p.ofPoint, i)
	w.addVartime(j, x, ny, p.ofPoint.nonzero[i])
}

// addGeneratorDigitVartime adds digit i of g times G to the sums of block j.
func (w *workspace) addGeneratorDigitVartime(j, i int) {
	x, ny, p := &w.temporary[0], &w.temporary[1], &w.products[j]
	if p.ofG.nonzero[i] == 0 {
		return // for example, if all g are 0
	}
	gatherGeneratorVartime(x, ny, tables.RegularGeneratorVartime(), &p.ofG, i, &p.toTable)
	w.addVartime(j, x, ny, p.ofG.nonzero[i])
}

// addVartime adds the point (x, −ny/2) to the sums of block j in the lanes of k, the lanes whose digit is not 0. Before
// a lane's first digit its sum is infinity, for which addMixedVartime fails. In such a lane, the point becomes the sum.
func (w *workspace) addVartime(j int, x, ny *Element, k uint8) {
	sum := &w.sum[j]
	first := k & w.infinity[j]
	if k &^= first; k != 0 {
		addMixedVartime(sum, x, ny, k)
	}
	if first != 0 {
		y := &w.temporary[2]
		negateVartime(y, ny, 0xFF)
		blendVartime(&sum.X, x, &sum.X, first)
		blendVartime(&sum.Y, y, &sum.Y, first)
		blendVartime(&sum.Z, &w.one, &sum.Z, first)
		w.infinity[j] &^= first
	}
}
