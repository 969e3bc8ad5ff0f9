package lanes

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestPairs adds any number of pairs of points and their opposites, and nothing if one is of equal or opposite points,
// in any place.
func TestPairs(t *testing.T) {
	r := oracle.New(t)
	var w Pairs
	points := make([]group.Affine, 200)
	for i := range points {
		points[i] = times(fn.Reduce(oracle.Int(r.Bytes(32))))
	}
	of := slices.Clone(points)
	for n := range 70 {
		pairs, want := make([]Pair, n), make([]group.Affine, n+1)
		for i := range pairs {
			p := &pairs[i]
			for p.P>>1 == p.Q>>1 {
				*p = Pair{Term(r.IntN(2 * len(of))), Term(r.IntN(2 * len(of)))}
			}
			var a, b group.Affine
			p.P.Point(&a, of)
			p.Q.Point(&b, of)
			var sum group.Jacobian
			sum.SetAffine(&a)
			sum.AddMixedVartime(&sum, &b.X, &b.Y)
			want[i].ToAffineVartime(&sum)
		}
		same := func(a, b []group.Affine) bool {
			return slices.EqualFunc(a, b, func(p, q group.Affine) bool { return p.X.Equal(&q.X)&p.Y.Equal(&q.Y) != 0 })
		}
		dst, untouched := make([]group.Affine, n+1), make([]group.Affine, n+1)
		for i := range min(n, 20) { // the last pairs and some before
			bad := slices.Clone(pairs)
			p := &bad[n-1-i*n/20]
			if p.Q = p.P; i%2 == 0 {
				p.Q ^= 1
			}
			if w.AddVartime(dst, of, bad) || !same(dst, untouched) {
				t.Fatalf("of %d pairs, %v is of points that are alike, and yet", n, *p)
			}
		}
		if !w.AddVartime(dst, of, pairs) {
			t.Fatalf("%d pairs, none alike, and yet not added", n)
		}
		if !same(dst, want) {
			t.Fatalf("%d pairs, %v: wrong", n, pairs)
		}
		if !same(of, points) {
			t.Fatalf("%d pairs, %v: the points have changed", n, pairs)
		}
	}
	if n := testing.AllocsPerRun(2, func() { w.AddVartime(points, of, []Pair{{1, 2}, {5, 6}}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
