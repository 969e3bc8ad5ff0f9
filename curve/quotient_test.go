package curve

import (
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/batch"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestQuotients takes divisors or none, results that are infinity, or in the places of arguments.
func TestQuotients(t *testing.T) {
	r := oracle.New(t)
	for _, n := range append(lengths, batch.Doubles+3) {
		k, ks := scalarsOf(r, n)
		g, gs := scalarsOf(r, n)
		d, ds := scalarsOf(r, n)
		a, as := pointsOf(r, n)
		p, _ := pointsOf(r, n)
		x, equal := make([]Scalar, n), make([]bool, n)
		for i := 0; i < n; i += 3 { // to infinity
			if !as[i].IsInfinity() {
				as[i], gs[i] = oracle.G, fn.Neg(ks[i])
				a[i].Set(newPoint(r, as[i]))
				g[i].Set(scalarOf(gs[i]))
			}
		}
		for i := range min(n, 3) { // with tables, one of them that of the opposite point
			a[i].PrecomputeVartime()
			if i == 1 {
				a[i].Negate(&a[i])
				as[i], gs[i] = as[i].Neg(), fn.Neg(gs[i])
				g[i].Negate(&g[i])
			}
		}
		for _, divided := range []bool{false, true} {
			e, es := d, ds
			if !divided {
				e, es = nil, make([]*big.Int, n)
				for i := range es {
					es[i] = big.NewInt(1)
				}
			}
			sums := make([]oracle.Point, n)
			for i := range sums {
				if es[i].Sign() != 0 {
					sums[i] = as[i].Mul(ks[i]).Add(oracle.G.Mul(gs[i])).Mul(fn.Inv(es[i]))
				}
				if !sums[i].IsInfinity() {
					x[i].Set(scalarOf(new(big.Int).Add(sums[i].X, big.NewInt(int64(i%2)))))
				}
			}
			want := func(i int) oracle.Point { return sums[i] }
			DoubleScalarBaseMultBatchVartime(p, k, a, g, e)
			checkPoints(t, "DoubleScalarBaseMultBatchVartime", p, false, want)
			checkPoints(t, "an argument of it", a, false, func(i int) oracle.Point { return as[i] })
			EqualXModNBatchVartime(equal, x, k, a, g, e)
			for i := range equal {
				if equal[i] != (i%2 == 0 && !sums[i].IsInfinity()) {
					t.Fatalf("%d of %d: equal %v with the x of %x and %d", i, n, equal[i], sums[i], i%2)
				}
			}
			if divided {
				DoubleScalarBaseMultBatchVartime(a, k, a, g, e)
				checkPoints(t, "DoubleScalarBaseMultBatchVartime in place", a, false, want)
			}
		}
	}
}

// TestEqualXModNBatchEdges has sums whose x coordinates are at edges, among them x ≥ n, and compares with r and with what
// differs from it by p − n, which must not count as r + n.
func TestEqualXModNBatchEdges(t *testing.T) {
	r := oracle.New(t)
	sums := oracle.EdgePoints()
	n := len(sums)
	k, ks := scalarsOf(r, n)
	d, ds := scalarsOf(r, n)
	g, gs := scalarsOf(r, n)
	a, x, other := make([]Point, n), make([]Scalar, n), make([]Scalar, n)
	gap := new(big.Int).Sub(oracle.P, oracle.N)
	for i := range sums {
		for ks[i].Sign() == 0 || ds[i].Sign() == 0 {
			ks[i], ds[i] = r.Scalar(), r.Scalar()
		}
		k[i].Set(scalarOf(ks[i]))
		d[i].Set(scalarOf(ds[i]))
		a[i].Set(newPoint(r, sums[i].Mul(ds[i]).Add(oracle.G.Mul(fn.Neg(gs[i]))).Mul(fn.Inv(ks[i]))))
		x[i].Set(scalarOf(fn.Reduce(sums[i].X)))
		other[i].Set(scalarOf(fn.Add(sums[i].X, gap)))
	}
	equal, has, encoded := make([]bool, n), make([]bool, n), make([][33]byte, n)
	for i := range encoded {
		encoded[i] = [33]byte(a[i].Bytes())
	}
	for i, with := range [][]Scalar{x, other} {
		want := i == 0
		EqualXModNBatchVartime(equal, with, k, a, g, d)
		SumHasXModNBatchVartime(has, with, k, encoded, g, d)
		if !slices.Equal(has, equal) {
			t.Errorf("with encoded points %v, want %v", has, equal)
		}
		for i := range equal {
			if equal[i] != want {
				t.Errorf("%x is the x coordinate of %x: %v", with[i].integer(), sums[i], equal[i])
			}
		}
	}
}

// TestSumHasXModNBatch has points that are encoded well and such that are not, alone and among others, divisors and scalars
// that are 0, no divisors, and sums that are infinity; all of that with different points, and with few.
func TestSumHasXModNBatch(t *testing.T) {
	r := oracle.New(t)
	logs := []*big.Int{big.NewInt(1), oracle.Lambda, r.ValidScalar(), r.ValidScalar()}
	for round := range 40 {
		n := round / 2
		if round == 39 {
			n = batch.Doubles + 30
		}
		k, ks := scalarsOf(r, n)
		d, ds := scalarsOf(r, n)
		if n%3 == 2 {
			d = nil
			for i := range ds {
				ds[i] = big.NewInt(1)
			}
		}
		g, gs := scalarsOf(r, n)
		x, a, has, want := make([]Scalar, n), make([][33]byte, n), make([]bool, n), make([]bool, n)
		for i := range n {
			p := r.Point()
			if p.IsInfinity() {
				p = oracle.G
			}
			few := round%2 != 0
			e := logs[r.IntN(len(logs))]
			if few {
				p = oracle.G.Mul(e)
			}
			a[i] = [33]byte(p.Compressed())
			switch r.IntN(12) {
			case 0:
				a[i][0] ^= 1
				p = p.Neg()
			case 1:
				if !few {
					e = r.ValidScalar()
				}
				gs[i] = fn.Neg(fn.Mul(ks[i], e)) // −k·e for p = e·G
				if ks[i].Sign() != 0 {
					p = oracle.G.Mul(e)
					a[i] = [33]byte(p.Compressed())
				}
				g[i].Set(scalarOf(gs[i]))
			}
			sum := p.Mul(fn.Mul(ks[i], fn.Inv(ds[i]))).Add(oracle.G.Mul(fn.Mul(gs[i], fn.Inv(ds[i]))))
			if want[i] = !sum.IsInfinity(); want[i] {
				x[i].Set(scalarOf(fn.Reduce(sum.X)))
			}
			switch r.IntN(8) {
			case 0:
				x[i].Add(&x[i], new(Scalar).SetUint64(1))
				want[i] = false
			case 1:
				if few {
					a[i][0] |= 4
				} else {
					a[i][0] = []byte{0, 1, 4, 6, 7, 0x82}[r.IntN(6)]
				}
				want[i] = false
			case 2:
				bad := oracle.BadX()
				if few {
					bad = bad[:2]
				}
				*(*[32]byte)(a[i][1:]) = bad[r.IntN(len(bad))]
				want[i] = false
			}
		}
		SumHasXModNBatchVartime(has, x, k, a, g, d)
		if !slices.Equal(has, want) {
			t.Fatalf("%v, want %v", has, want)
		}
	}
}

func TestQuotientPanics(t *testing.T) {
	s, p, equal := make([]Scalar, 1), make([]Point, 2), make([]bool, 1)
	checkPanics(t, map[string]func(){
		"DoubleScalarBaseMultBatchVartime of slices of 2 and 1": func() { DoubleScalarBaseMultBatchVartime(p, s, p, s, nil) },
		"DoubleScalarBaseMultBatchVartime of slices of 1 and 2": func() { DoubleScalarBaseMultBatchVartime(p[:1], s, p, s, nil) },
		"DoubleScalarBaseMultBatchVartime of slices of 1 and 0": func() { DoubleScalarBaseMultBatchVartime(p[:1], s, p[:1], nil, nil) },
		"EqualXModNBatchVartime of slices of 1 and 0":           func() { EqualXModNBatchVartime(equal, nil, s, p[:1], s, nil) },
		"EqualXModNBatchVartime of slices of 1 and 3":           func() { EqualXModNBatchVartime(equal, s, s, p[:1], s, make([]Scalar, 3)) },
		"SumHasXModNBatchVartime of slices of 1 and 2":          func() { SumHasXModNBatchVartime(equal, s, s, make([][33]byte, 2), s, s) },
		"SumHasXModNBatchVartime of slices of 1 and 0":          func() { SumHasXModNBatchVartime(equal, s, s, make([][33]byte, 1), s, []Scalar{}) },
	})
}
