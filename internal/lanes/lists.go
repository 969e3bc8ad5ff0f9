package lanes

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
)

// This file adds points of lists: all up to one sum, or pairs of them, each to a sum of its own.

// addUpWorkspace holds the vectors of AddUpVartime, on 64 bytes as in workspace.
type addUpWorkspace struct {
	powers [3]Element // 1, β and β²
	x, y   Element
	by     Element
	p, q   XYZZ
	_      [32 << 10]byte
}

var addUpWorkspaces = sync.Pool{New: func() any {
	w := new(addUpWorkspace)
	for i := range N {
		w.powers[0].set(i, &one)
		w.powers[1].set(i, &group.Beta)
	}
	squareN(&w.powers[2], &w.powers[1], 1)
	return w
}}

// AddUpVartime sets p to the sum of points, eight or more, times units. Those up to
// ends[i] which are not among the ones before count times λ to the power i/2, and
// with a minus if i is odd. Where any points that meet are equal or opposite, p is
// infinity.
func AddUpVartime(p *group.XYZZ, points []*group.Affine, ends *[6]int) {
	w := addUpWorkspaces.Get().(*addUpWorkspace)
	var block pointers
	for at := 0; at < len(points); at += N {
		n := copy(block[:], points[at:])
		gatherVartime(&w.x, &w.y, &block)
		between := func(i, j int) uint8 { return uint8(below(ends[j]-at) &^ below(ends[i]-at)) }
		if power := [2]uint8{between(1, 3), between(3, 5)}; power != [2]uint8{} {
			blend(&w.by, &w.powers[1], &w.powers[0], power[0])
			blend(&w.by, &w.powers[2], &w.by, power[1])
			mul(&w.x, &w.x, &w.by)
		}
		minus := between(0, 1) | between(2, 3) | between(4, 5)
		if at == 0 {
			w.p.X = w.x
			negate(&w.p.Y, &w.y, minus)
			w.p.ZZ, w.p.ZZZ = w.powers[0], w.powers[0]
			continue
		}
		addMixedXYZZ(&w.p, &w.x, &w.y, minus, uint8(below(n)))
	}
	for n := N / 2; n > 0; n /= 2 {
		turn(&w.q, &w.p, n)
		addXYZZ(&w.p, &w.q)
	}
	*p = w.p.get(0)
	addUpWorkspaces.Put(w)
}

// Term is a point of a slice, or its opposite: twice its index, and 1 more for the opposite.
type Term int32

// Point sets p to the point that t is.
func (t Term) Point(p *group.Affine, of []group.Affine) {
	a := &of[t>>1]
	p.X.Set(&a.X)
	p.Y.CondNegate(&a.Y, -uint64(t&1))
}

// Pair is two points to be added.
type Pair struct{ P, Q Term }

// Pairs adds pairs of points, all with one inversion. The zero value is ready to use. Once it
// has had as many pairs before, it allocates nothing.
type Pairs struct {
	blocks []pairBlocks // more than 32 KiB of them, so that they begin a page
}

// pairBlocks is two blocks of eight pairs. A sum waits for itself, so two take turns.
type pairBlocks struct {
	p, q   [2]Affine
	before [2]Element // the products of X₂ − X₁ of the blocks after these
}

// pairsTogether is how many pairs are in a pairBlocks.
const pairsTogether = 2 * N

// AddVartime sets dst[i] to the sum of the points of pairs[i], which are among those of a slice
// that does not overlap dst. It reports false, and sets nothing, if any pair is of equal or
// opposite points.
func (w *Pairs) AddVartime(dst, of []group.Affine, pairs []Pair) bool {
	if len(pairs) == 0 {
		return true
	}
	n := (len(pairs) + pairsTogether - 1) / pairsTogether
	if len(w.blocks) <= n {
		w.blocks = make([]pairBlocks, max(2*n, 16)) // the last one for what is computed
	}
	spare := &w.blocks[len(w.blocks)-1]
	d, t, inverse := &spare.p[0].X, &spare.p[0].Y, &spare.before
	for i := range N {
		w.blocks[n-1].before[0].set(i, &one)
	}
	w.blocks[n-1].before[1] = w.blocks[n-1].before[0]
	for i := n - 1; i >= 0; i-- {
		g := &w.blocks[i]
		products := inverse
		if i > 0 {
			products = &w.blocks[i-1].before
		}
		for j := range g.before {
			g.loadVartime(j, of, pairs, pairsTogether*i+N*j)
			sub(d, &g.q[j].X, &g.p[j].X)
			mul(&products[j], &g.before[j], d)
		}
	}
	// One inversion for the products of both.
	mul(d, &inverse[0], &inverse[1])
	if isZero(d) != 0 {
		return false
	}
	invertVartime(d)
	*t = inverse[0]
	mul(&inverse[0], d, &inverse[1])
	mul(&inverse[1], d, t)
	for i := range n {
		g := &w.blocks[i]
		addAffinePair(&g.p, &g.q, &g.before, inverse)
		for j := range g.p {
			from := pairsTogether*i + N*j
			if to := min(from+N, len(pairs)); from < to {
				storeNormal(dst[from:to], &g.p[j].X, &g.p[j].Y)
			}
		}
	}
	return true
}

// loadVartime loads eight pairs, from one on, as block j.
func (g *pairBlocks) loadVartime(j int, of []group.Affine, pairs []Pair, from int) {
	var first, second pointers
	var minus [2]Term
	for i := range N {
		p := &pairs[min(from+i, len(pairs)-1)] // in lanes without a pair is the last
		first[i], second[i] = &of[p.P>>1], &of[p.Q>>1]
		minus[0] |= p.P & 1 << i
		minus[1] |= p.Q & 1 << i
	}
	p, q := &g.p[j], &g.q[j]
	gatherVartime(&p.X, &p.Y, &first)
	gatherVartime(&q.X, &q.Y, &second)
	if minus != [2]Term{} {
		negate(&p.Y, &p.Y, uint8(minus[0]))
		negate(&q.Y, &q.Y, uint8(minus[1]))
	}
}
