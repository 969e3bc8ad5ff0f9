package lanes

import (
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestGatherTwins compares gatherVartime with its twin, for points at random places.
func TestGatherTwins(t *testing.T) {
	r, e := oracle.New(t), elements()
	var points [3 * N]group.Affine
	for i := range points {
		x, y := r.Limbs(), r.Limbs()
		points[i] = group.Affine{X: field.FromLimbs(x[0], x[1], x[2], x[3]), Y: field.FromLimbs(y[0], y[1], y[2], y[3])}
	}
	for range oracle.Cases(100) {
		var p pointers
		for i := range p {
			p[i] = &points[r.IntN(len(points))]
		}
		gatherVartime(&e[0], &e[1], &p)
		gatherVartimeGeneric(&e[2], &e[3], &p)
		for i := range N {
			for j := range 2 {
				e[j].boundedVartime(t, "gather")
				if e[j].valueVartime(i).Cmp(e[2+j].value(i)) != 0 {
					t.Fatalf("lane %d has %x, want %x", i, e[j].valueVartime(i), e[2+j].value(i))
				}
			}
		}
	}
}

// TestAddUp sums 8 to 70 points with known logarithms, which are multiplied by all units, by some units or by one unit.
// The points are different, equal or opposite, in random order. The sum must be infinity if and only if an addition has
// equal or opposite points.
func TestAddUp(t *testing.T) {
	r := oracle.New(t)
	logs := make([]*big.Int, 64)
	points := make([]group.Affine, len(logs))
	for i := range logs {
		logs[i] = r.ValidScalar()
		if i%4 == 1 {
			logs[i] = fn.Neg(logs[i-1])
		}
		points[i] = times(logs[i])
	}
	lambda := []*big.Int{big.NewInt(1), oracle.Lambda, fn.Mul(oracle.Lambda, oracle.Lambda)}
	infinite, finite := 0, 0
	for round := range oracle.Cases(4000) {
		n := N + r.IntN(63)
		if round%3 == 0 {
			n = N + r.IntN(2*N)
		}
		kind := 64
		if round%4 == 0 {
			kind = 2 // P and −P only
		} else if round%4 == 1 {
			kind = 16
		}
		var ends [6]int
		for i := range ends {
			ends[i] = r.IntN(n + 1)
			if round%5 == 0 {
				ends[i] = 0
			}
		}
		ends[5] = n
		for i := 4; i >= 0; i-- {
			ends[i] = min(ends[i], ends[i+1])
		}
		chosen, values := make([]*group.Affine, n), make([]*big.Int, n)
		order := r.Perm(len(logs))
		for i := range chosen {
			place := r.IntN(kind)
			if round%4 == 3 && n <= len(logs) {
				place = order[i] // no point twice, but maybe opposite points
			}
			chosen[i], values[i] = &points[place], logs[place]
			for unit, end := range ends {
				if i >= end {
					continue
				}
				values[i] = fn.Mul(values[i], lambda[unit/2])
				if unit%2 == 1 {
					values[i] = fn.Neg(values[i])
				}
				break
			}
		}
		want, met := addUp(values)
		var got group.XYZZ
		AddUpVartime(&got, chosen, &ends)
		if got.ZZ.IsZero() != 0 {
			infinite++
			if !met {
				t.Fatalf("%d points, units up to %v: infinity", n, ends)
			}
			continue
		}
		finite++
		var p, q group.Jacobian
		a := times(want)
		p.SetXYZZ(&got)
		q.SetAffine(&a)
		if met || p.Equal(&q) == 0 {
			t.Fatalf("%d points, units up to %v: not %x·G, or it should be infinity: %v", n, ends, want, met)
		}
	}
	if infinite < oracle.Cases(400) || finite < oracle.Cases(400) {
		t.Errorf("%d sums were infinity, %d not", infinite, finite)
	}
}

// addUp adds logarithms in the order of AddUpVartime, and reports whether an addition has equal or opposite points.
func addUp(values []*big.Int) (sum *big.Int, met bool) {
	var lanes [N]*big.Int
	add := func(a, b *big.Int) *big.Int {
		met = met || a.Sign() == 0 || a.Cmp(b) == 0 || fn.Add(a, b).Sign() == 0
		return fn.Add(a, b)
	}
	copy(lanes[:], values)
	for i := N; i < len(values); i++ {
		lanes[i%N] = add(lanes[i%N], values[i])
	}
	for n := N / 2; n > 0; n /= 2 {
		for i := range n {
			lanes[i] = add(lanes[i], lanes[i+n])
		}
	}
	return lanes[0], met
}

// TestPairs adds pairs of points, some negated, in lists of many lengths. If a pair has equal or opposite points, at
// any index, no result may be set.
func TestPairs(t *testing.T) {
	r := oracle.New(t)
	var w Pairs
	points := make([]group.Affine, 200)
	for i := range points {
		points[i] = times(fn.Reduce(oracle.Int(r.Bytes(32))))
	}
	operands := slices.Clone(points)
	for n := range 70 {
		pairs, want := make([]Pair, n), make([]group.Affine, n+1)
		for i := range pairs {
			p := &pairs[i]
			for p.P>>1 == p.Q>>1 {
				*p = Pair{Term(r.IntN(2 * len(operands))), Term(r.IntN(2 * len(operands)))}
			}
			var a, b group.Affine
			p.P.Point(&a, operands)
			p.Q.Point(&b, operands)
			var sum group.Jacobian
			sum.SetAffine(&a)
			sum.AddMixedVartime(&sum, &b.X, &b.Y)
			want[i].ToAffineVartime(&sum)
		}
		same := func(a, b []group.Affine) bool {
			return slices.EqualFunc(a, b, func(p, q group.Affine) bool { return p.X.Equal(&q.X)&p.Y.Equal(&q.Y) != 0 })
		}
		dst, untouched := make([]group.Affine, n+1), make([]group.Affine, n+1)
		for i := range min(n, 20) { // at most 20 of the indexes, the last index among them
			bad := slices.Clone(pairs)
			p := &bad[n-1-i*n/20]
			p.Q = p.P
			if i%2 == 0 {
				p.Q ^= 1
			}
			if w.AddVartime(dst, operands, bad) || !same(dst, untouched) {
				t.Fatalf("of %d pairs, %v has equal or opposite points, but the pairs are added", n, *p)
			}
		}
		if !w.AddVartime(dst, operands, pairs) {
			t.Fatalf("%d pairs without equal or opposite points are not added", n)
		}
		if !same(dst, want) {
			t.Fatalf("%d pairs, %v: wrong", n, pairs)
		}
		if !same(operands, points) {
			t.Fatalf("%d pairs, %v: the points have changed", n, pairs)
		}
	}
	if n := testing.AllocsPerRun(2, func() { w.AddVartime(points, operands, []Pair{{1, 2}, {5, 6}}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
