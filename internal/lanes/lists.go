package lanes

import "p256k1.mleku.dev/v2/internal/group"

// This file adds public points in lanes: many points to a single sum (AddUpVartime), or many pairs of points, each to
// its own sum (Pairs).

// AddUpVartime sets p to the sum of unit·point over eight or more points. The points are sorted by their units: the
// points before ends[0] have the unit 1, the points from there to ends[1] have the unit −1, and so on with λ, −λ, λ²
// and −λ².
//
// Lane i adds up points i, i + 8, …, and then the lanes are added. If two points to be added on the way are equal or
// opposite, the formula makes ZZ ≡ 0. ZZ then stays 0, so p is infinity, and the caller adds the points in another way.
func AddUpVartime(p *group.XYZZ, points []*group.Affine, ends *[6]int) {
	w := workspaceVartime()
	x, y, factor, sum := &w.temporary[0], &w.temporary[1], &w.temporary[2], &w.lists[0]
	var block pointers
	for first := 0; first < len(points); first += N {
		n := copy(block[:], points[first:]) // in the last block, lanes from n on keep old points, which are ignored
		gatherVartime(x, y, &block)
		between := func(i, j int) uint8 { return uint8(below(ends[j]-first) &^ below(ends[i]-first)) }
		if power := [2]uint8{between(1, 3), between(3, 5)}; power != [2]uint8{} {
			blendVartime(factor, &w.beta, &w.one, power[0])
			blendVartime(factor, &w.beta2, factor, power[1])
			mulVartime(x, x, factor)
		}
		minus := between(0, 1) | between(2, 3) | between(4, 5)
		if first == 0 {
			sum.X = *x
			negateVartime(&sum.Y, y, minus)
			sum.ZZ, sum.ZZZ = w.one, w.one
			continue
		}
		addMixedXYZZVartime(sum, x, y, minus, uint8(below(n)))
	}
	for n := N / 2; n > 0; n /= 2 {
		turn(&w.lists[1], sum, n)
		addXYZZVartime(sum, &w.lists[1])
	}
	sum.X.laneVartime(0, &p.X)
	sum.Y.laneVartime(0, &p.Y)
	sum.ZZ.laneVartime(0, &p.ZZ)
	sum.ZZZ.laneVartime(0, &p.ZZZ)
	workspaces.Put(w)
}

// Term stands for a point of a slice or for the opposite of such a point: it is twice the index of the point, plus 1
// for the opposite.
type Term int32

// Point sets p to the point that t stands for: a point of the slice, or the opposite of such a point.
func (t Term) Point(p *group.Affine, points []group.Affine) {
	a := &points[t>>1]
	p.X.Set(&a.X)
	p.Y.CondNegate(&a.Y, -uint64(t&1))
}

// Pair is two points to be added.
type Pair struct{ P, Q Term }

// Pairs adds pairs of points in affine coordinates, with one inversion for all pairs. The zero value is ready to use.
// Pairs allocates memory only for more pairs than in any earlier call.
type Pairs struct {
	blocks []pairBlocks // 16 or more, which take more than 32 KiB, so that the first is at the beginning of a page
}

// pairBlocks holds two blocks of eight pairs, whose sums are computed by interleaved instructions. Block j of one
// pairBlocks shares a chain of products with block j of all others.
type pairBlocks struct {
	p, q   [2]Affine  // the points P and Q of the pairs
	before [2]Element // the products of X₂ − X₁ over blocks j of all pairBlocks after this one
}

// pairsTogether is the number of pairs in a pairBlocks.
const pairsTogether = 2 * N

// AddVartime sets dst[i] to the sum of the two points that pairs[i] stands for. All these points are in the slice
// points. dst and points must not overlap. If the points of any pair are equal or opposite, AddVartime reports false
// and leaves dst unchanged: X₂ − X₁ is 0 for this pair, so the product of all X₂ − X₁ is 0 and has no inverse.
func (w *Pairs) AddVartime(dst, points []group.Affine, pairs []Pair) bool {
	// This is Montgomery's trick (docs/inversion.md, I12) with two chains of products in each of the eight lanes: one
	// for block j = 0 of each pairBlocks, and one for block j = 1. The first pass goes from the last pairBlocks to the
	// first, and the second pass in the other direction, so that it begins with points that are still in the cache.
	if len(pairs) == 0 {
		return true
	}
	n := (len(pairs) + pairsTogether - 1) / pairsTogether
	if len(w.blocks) <= n {
		w.blocks = make([]pairBlocks, max(2*n, 16))
	}
	// The last element of blocks, which holds no pairs, serves as aligned scratch memory.
	spare := &w.blocks[len(w.blocks)-1]
	d, t, inverse := &spare.p[0].X, &spare.p[0].Y, &spare.before
	w.blocks[n-1].before[0].setVartime(&one)
	w.blocks[n-1].before[1] = w.blocks[n-1].before[0]
	for i := n - 1; i >= 0; i-- {
		g := &w.blocks[i]
		products := inverse // the products over blocks i and all later blocks, which for i = 0 are the products over all blocks
		if i > 0 {
			products = &w.blocks[i-1].before
		}
		for j := range g.before {
			g.loadVartime(j, points, pairs, pairsTogether*i+N*j)
			subVartime(d, &g.q[j].X, &g.p[j].X)
			mulVartime(&products[j], &g.before[j], d)
		}
	}
	// One inversion for both chains: 1/A = B/(A·B), and 1/B = A/(A·B).
	mulVartime(d, &inverse[0], &inverse[1])
	if isZeroVartime(d) != 0 {
		return false
	}
	invertVartime(modP, d)
	*t = inverse[0]
	mulVartime(&inverse[0], d, &inverse[1])
	mulVartime(&inverse[1], d, t)
	for i := range n {
		g := &w.blocks[i]
		addAffinePairVartime(&g.p, &g.q, &g.before, inverse)
		for j := range g.p {
			from := pairsTogether*i + N*j
			if to := min(from+N, len(pairs)); from < to {
				storeVartime(dst[from:to], &g.p[j].X, &g.p[j].Y)
			}
		}
	}
	return true
}

// loadVartime sets block j of g to the points of pairs[from] and of the seven pairs after it. Lanes beyond the last
// pair repeat the last pair, so that they fail only if this pair fails.
func (g *pairBlocks) loadVartime(j int, points []group.Affine, pairs []Pair, from int) {
	var first, second pointers
	var minus [2]Term
	for i := range N {
		p := &pairs[min(from+i, len(pairs)-1)]
		first[i], second[i] = &points[p.P>>1], &points[p.Q>>1]
		minus[0] |= p.P & 1 << i
		minus[1] |= p.Q & 1 << i
	}
	p, q := &g.p[j], &g.q[j]
	gatherVartime(&p.X, &p.Y, &first)
	gatherVartime(&q.X, &q.Y, &second)
	if minus != [2]Term{} {
		negateVartime(&p.Y, &p.Y, uint8(minus[0]))
		negateVartime(&q.Y, &q.Y, uint8(minus[1]))
	}
}
