package lanes

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/oracle"
)

// TestPairs adds any number of pairs to the places before them, and nothing if one is of equal or opposite points, in
// any place.
func TestPairs(t *testing.T) {
	r := oracle.New(t)
	var w Pairs
	multiples := make([]group.Affine, 200)
	for i := range multiples {
		multiples[i] = times(fn.Reduce(oracle.Int(r.Bytes(32))))
	}
	for n := range 70 {
		pairs, points, at := []Pair{}, []group.Affine{}, int32(0)
		for range n {
			for range 2 + r.IntN(2) { // sometimes one that is in no pair
				points = append(points, multiples[r.IntN(len(multiples))])
			}
			from := int32(len(points) - 2)
			for points[from].X.Equal(&points[from+1].X) != 0 {
				points[from] = multiples[r.IntN(len(multiples))]
			}
			pairs = append(pairs, Pair{To: at, From: from})
			at += 1 + int32(r.IntN(int(from-at)/2+1))
		}
		want := slices.Clone(points)
		for _, p := range pairs {
			var sum group.Jacobian
			sum.SetAffine(&want[p.From])
			sum.AddMixedVartime(&sum, &want[p.From+1].X, &want[p.From+1].Y)
			want[p.To].ToAffineVartime(&sum)
		}
		for i := range min(n, 20) { // the last pairs and some before
			bad := slices.Clone(points)
			p := pairs[n-1-i*n/20]
			if bad[p.From].Set(&bad[p.From+1]); i%2 == 0 {
				bad[p.From].Negate(&bad[p.From])
			}
			before := slices.Clone(bad)
			if w.AddVartime(bad, pairs) || !slices.EqualFunc(bad, before, func(p, q group.Affine) bool { return p.X.Limbs() == q.X.Limbs() && p.Y.Limbs() == q.Y.Limbs() }) {
				t.Fatalf("of %d pairs, %v is of points that are alike, and yet", n, p)
			}
		}
		if !w.AddVartime(points, pairs) {
			t.Fatalf("%d pairs, none alike, and yet not added", n)
		}
		for i := range points {
			if points[i].X.Equal(&want[i].X)&points[i].Y.Equal(&want[i].Y) == 0 {
				t.Fatalf("of %d pairs, %v: point %d is %x, want %x", n, pairs, i, points[i].X.Limbs(), want[i].X.Limbs())
			}
		}
	}
	if n := testing.AllocsPerRun(2, func() { w.AddVartime(multiples, []Pair{{0, 1}, {2, 3}}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
