package lanes

import (
	"p256k1.mleku.dev/internal/group"
)

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
	groups []pairGroup // more than 32 KiB of them, so that they begin a page
}

// pairGroup is eight pairs.
type pairGroup struct {
	p, q   Affine
	before Element // the product of X₂ − X₁ of the groups after it
	_      [3 * 64]byte
}

// AddVartime sets dst[i] to the sum of the points of pairs[i], which are among those of a slice
// that does not overlap dst. It reports false, and sets nothing, if any pair is of equal or
// opposite points.
func (w *Pairs) AddVartime(dst, of []group.Affine, pairs []Pair) bool {
	if len(pairs) == 0 {
		return true
	}
	n := (len(pairs) + N - 1) / N
	if len(w.groups) <= n {
		w.groups = make([]pairGroup, max(2*n, 32)) // the last one for what is computed
	}
	spare := &w.groups[len(w.groups)-1]
	d, inverse := &spare.p.X, &spare.q.X
	for i := range N {
		w.groups[n-1].before.set(i, &one)
	}
	var first, second pointers
	for i := n - 1; i >= 0; i-- {
		g := &w.groups[i]
		var minus [2]Term
		for j := range N {
			p := &pairs[min(N*i+j, len(pairs)-1)] // in lanes without a pair is the last
			first[j], second[j] = &of[p.P>>1], &of[p.Q>>1]
			minus[0] |= p.P & 1 << j
			minus[1] |= p.Q & 1 << j
		}
		gatherVartime(&g.p.X, &g.p.Y, &first)
		gatherVartime(&g.q.X, &g.q.Y, &second)
		if minus != [2]Term{} {
			negate(&g.p.Y, &g.p.Y, uint8(minus[0]))
			negate(&g.q.Y, &g.q.Y, uint8(minus[1]))
		}
		sub(d, &g.q.X, &g.p.X)
		product := inverse
		if i > 0 {
			product = &w.groups[i-1].before
		}
		mul(product, &g.before, d)
	}
	if isZero(inverse) != 0 {
		return false
	}
	invertVartime(inverse)
	for i := range n {
		g := &w.groups[i]
		addAffine(&g.p, &g.q, &g.before, inverse)
		storeNormal(dst[N*i:min(N*i+N, len(pairs))], &g.p.X, &g.p.Y)
	}
	return true
}
