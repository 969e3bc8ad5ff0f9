package lanes

import (
	"p256k1.mleku.dev/internal/group"
)

// Pair is a place of a slice whose point becomes the sum of that at From and the next.
type Pair struct{ To, From int32 }

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

// AddVartime sets points[To] to the sum of points[From] and points[From + 1], for all
// pairs in their order, where no point may be read after it is set. It reports false, and sets
// nothing, if any pair is of equal or opposite points.
func (w *Pairs) AddVartime(points []group.Affine, pairs []Pair) bool {
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
		g, each := &w.groups[i], pairs[N*i:min(N*i+N, len(pairs))]
		for j := range N {
			p := points[each[min(j, len(each)-1)].From:] // in lanes without a pair is the last
			first[j], second[j] = &p[0], &p[1]
		}
		gatherVartime(&g.p.X, &g.p.Y, &first)
		gatherVartime(&g.q.X, &g.q.Y, &second)
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
	var sums [N]group.Affine
	for i := range n {
		g, each := &w.groups[i], pairs[N*i:min(N*i+N, len(pairs))]
		addAffine(&g.p, &g.q, &g.before, inverse)
		storeNormal(sums[:len(each)], &g.p.X, &g.p.Y)
		for j := range each {
			points[each[j].To] = sums[j]
		}
	}
	return true
}
