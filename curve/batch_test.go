package curve

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
)

// lengths lists lengths of slices: 0, lengths below part, multiples of part, and lengths between them.
var lengths = []int{0, 1, 2, 7, part - 1, part, part + 1, 2 * part, 2*part + 1, 4*part + 5}

// pointsOf returns n points, some of them infinity, both as Points and as points of the oracle.
func pointsOf(r *oracle.Rand, n int) (points []Point, are []oracle.Point) {
	points, are = make([]Point, n), make([]oracle.Point, n)
	pool := []oracle.Point{{}, oracle.G, oracle.G.Neg(), r.Point(), r.Point()}
	for i := range points {
		are[i] = pool[r.IntN(len(pool))]
		points[i].Set(newPoint(r, are[i]))
	}
	return points, are
}

// scalarsOf returns n scalars, some of them 0, both as Scalars and as integers.
func scalarsOf(r *oracle.Rand, n int) (scalars []Scalar, are []*big.Int) {
	scalars, are = make([]Scalar, n), make([]*big.Int, n)
	for i := range scalars {
		are[i] = r.Scalar()
		if r.IntN(4) == 0 {
			are[i] = new(big.Int)
		}
		scalars[i].Set(scalarOf(are[i]))
	}
	return scalars, are
}

// checkPoints compares points with want(i), which the oracle computes. If normalized is set, finite points must be
// normalized.
func checkPoints(t *testing.T, what string, points []Point, normalized bool, want func(i int) oracle.Point) {
	t.Helper()
	for i := range points {
		if w := want(i); !points[i].is(w) || (normalized && points[i].known().Normalized == w.IsInfinity()) {
			t.Fatalf("%s: point %d of %d is %x, normalized: %v, want %x", what, i, len(points), points[i].Bytes(), points[i].known().Normalized, w)
		}
	}
}

func TestNormalizeBatch(t *testing.T) {
	r := oracle.New(t)
	for _, n := range append(lengths[:len(lengths):len(lengths)], 20*part+3) {
		p, are := pointsOf(r, n)
		NormalizeBatch(p)
		checkPoints(t, "NormalizeBatch", p, true, func(i int) oracle.Point { return are[i] })
	}
}

// TestInvertBatch inverts scalars, some of which are 0, into other memory and in place.
func TestInvertBatch(t *testing.T) {
	r := oracle.New(t)
	for _, n := range lengths {
		s, are := scalarsOf(r, n)
		dst, _ := scalarsOf(r, n)
		InvertBatch(dst, s)
		in := slices.Clone(s)
		InvertBatch(in, in)
		for i := range s {
			want := scalarOf(oracle.Fn.Inv(are[i]))
			if dst[i].Equal(want)&in[i].Equal(want)&s[i].Equal(scalarOf(are[i])) != 1 {
				t.Fatalf("scalar %d of %d: 1/%x = %x and %x, want %x", i, n, are[i], dst[i].Bytes(), in[i].Bytes(), want.Bytes())
			}
		}
	}
}

func TestLiftXBatch(t *testing.T) {
	r := oracle.New(t)
	for _, n := range lengths {
		for _, bad := range []int{0, 1, n / 2} {
			p, are := pointsOf(r, n)
			x := make([][32]byte, n)
			for i := range x {
				for are[i] = r.Point(); are[i].IsInfinity() || are[i].Y.Bit(0) != 0; {
					are[i] = r.Point()
				}
				x[i] = oracle.Bytes(are[i].X)
			}
			for range min(bad, n) {
				i := r.IntN(n)
				x[i], are[i] = oracle.BadX()[r.IntN(len(oracle.BadX()))], oracle.Point{}
			}
			LiftXBatch(p, x)
			checkPoints(t, "LiftXBatch", p, true, func(i int) oracle.Point { return are[i] })
			p, _ = pointsOf(r, n)
			LiftXBatchVartime(p, x)
			checkPoints(t, "LiftXBatchVartime", p, true, func(i int) oracle.Point { return are[i] })
		}
	}
}

// TestMultBatch compares products in batches with the oracle. In some calls the results overwrite the arguments.
func TestMultBatch(t *testing.T) {
	r := oracle.New(t)
	for _, n := range lengths {
		k, ks := scalarsOf(r, n)
		a, as := pointsOf(r, n)
		p, _ := pointsOf(r, n)

		ScalarBaseMultBatch(p, k)
		checkPoints(t, "ScalarBaseMultBatch", p, true, func(i int) oracle.Point { return oracle.G.Mul(ks[i]) })

		for _, one := range []*big.Int{r.ValidScalar(), new(big.Int)} {
			want := func(i int) oracle.Point { return as[i].Mul(one) }
			ScalarMultBatch(p, scalarOf(one), a)
			checkPoints(t, "ScalarMultBatch", p, true, want)
			in := slices.Clone(a)
			ScalarMultBatch(in, scalarOf(one), in)
			checkPoints(t, "ScalarMultBatch in place", in, true, want)
		}
	}
}

// TestDoubleScalarMultBatch compares sums with the oracle. Some sums are infinity, some results overwrite arguments,
// and some points have tables.
func TestDoubleScalarMultBatch(t *testing.T) {
	r := oracle.New(t)
	for _, n := range lengths {
		k, ks := scalarsOf(r, n)
		g, gs := scalarsOf(r, n)
		a, as := pointsOf(r, n)
		b, bs := pointsOf(r, n)
		p, _ := pointsOf(r, n)
		for i := 0; i < n; i += 3 { // so that the sum is infinity
			if !as[i].IsInfinity() {
				as[i], bs[i], gs[i] = oracle.G, oracle.G, fn.Neg(ks[i])
				a[i].Set(newPoint(r, as[i]))
				b[i].Set(newPoint(r, bs[i]))
				g[i].Set(scalarOf(gs[i]))
			}
		}
		for i := range min(n, 3) { // points with tables; the second is the negative of a point with a table
			a[i].PrecomputeVartime()
			if i == 1 {
				a[i].Negate(&a[i])
				as[i] = as[i].Neg()
			}
		}
		withG := func(i int) oracle.Point { return as[i].Mul(ks[i]).Add(oracle.G.Mul(gs[i])) }
		withB := func(i int) oracle.Point { return as[i].Mul(ks[i]).Add(bs[i].Mul(gs[i])) }
		DoubleScalarBaseMultBatchVartime(p, k, a, g)
		checkPoints(t, "DoubleScalarBaseMultBatchVartime", p, false, withG)
		DoubleScalarMultBatchVartime(p, k, a, g, b)
		checkPoints(t, "DoubleScalarMultBatchVartime", p, false, withB)
		checkPoints(t, "an argument of it", a, false, func(i int) oracle.Point { return as[i] })
		in := slices.Clone(b)
		DoubleScalarMultBatchVartime(in, k, a, g, in)
		checkPoints(t, "DoubleScalarMultBatchVartime in place", in, false, withB)
		DoubleScalarBaseMultBatchVartime(a, k, a, g)
		checkPoints(t, "DoubleScalarBaseMultBatchVartime in place", a, false, withG)
	}
}

// TestMultiScalarMultBatch compares sums of 0 to 17 products with the oracle. Some sums are infinity or add equal
// points, and some points are infinity or have tables.
func TestMultiScalarMultBatch(t *testing.T) {
	r := oracle.New(t)
	k, ks := scalarsOf(r, 100)
	a, as := pointsOf(r, 100)
	a[1].PrecomputeVartime()
	for _, n := range []int{0, 1, 2, 7, parts.ProductSums, 2*parts.ProductSums + 1} {
		for _, most := range []int{0, 2, 5, parts.Terms, parts.Terms + 1} {
			if n > 7 && most != 5 {
				continue // the oracle is slow
			}
			p, _ := pointsOf(r, n)
			scalars, points, want := make([][]*Scalar, n), make([][]*Point, n), make([]oracle.Point, n)
			for i := range p {
				for j := range max(0, most-i%4) {
					place := (11*i + j) % len(a)
					if j == 1 && i%5 == 0 {
						place = (place + len(a) - 1) % len(a) // the same product again
					}
					scalars[i], points[i] = append(scalars[i], &k[place]), append(points[i], &a[place])
					want[i] = want[i].Add(as[place].Mul(ks[place]))
				}
				if i%7 == 3 { // so that the sum is infinity
					scalars[i], points[i] = append(scalars[i], scalarOf(big.NewInt(1))), append(points[i], newPoint(r, want[i].Neg()))
					want[i] = oracle.Point{}
				}
			}
			MultiScalarMultBatchVartime(p, scalars, points)
			checkPoints(t, "MultiScalarMultBatchVartime", p, false, func(i int) oracle.Point { return want[i] })
		}
	}
	checkPoints(t, "an argument of MultiScalarMultBatchVartime", a, false, func(i int) oracle.Point { return as[i] })
}

func TestBatchPanics(t *testing.T) {
	s, p, x := make([]Scalar, 1), make([]Point, 2), make([][32]byte, 1)
	checkPanics(t, map[string]func(){
		"LiftXBatch of slices of 2 and 1":                       func() { LiftXBatch(p, x) },
		"LiftXBatchVartime of slices of 2 and 1":                func() { LiftXBatchVartime(p, x) },
		"InvertBatch of slices of 1 and 2":                      func() { InvertBatch(s, make([]Scalar, 2)) },
		"ScalarBaseMultBatch of slices of 2 and 1":              func() { ScalarBaseMultBatch(p, s) },
		"ScalarMultBatch of slices of 1 and 2":                  func() { ScalarMultBatch(p[:1], new(Scalar), p) },
		"DoubleScalarBaseMultBatchVartime of slices of 2 and 1": func() { DoubleScalarBaseMultBatchVartime(p, s, p, s) },
		"DoubleScalarBaseMultBatchVartime of slices of 1 and 2": func() { DoubleScalarBaseMultBatchVartime(p[:1], s, p, s) },
		"DoubleScalarBaseMultBatchVartime of slices of 1 and 0": func() { DoubleScalarBaseMultBatchVartime(p[:1], s, p[:1], nil) },
		"DoubleScalarMultBatchVartime of slices of 1 and 2":     func() { DoubleScalarMultBatchVartime(p[:1], s, p[:1], s, p) },
		"MultiScalarMultBatchVartime of slices of 2 and 1":      func() { MultiScalarMultBatchVartime(p, make([][]*Scalar, 1), make([][]*Point, 2)) },
		"MultiScalarMultBatchVartime of slices of 1 and 0":      func() { MultiScalarMultBatchVartime(p[:1], [][]*Scalar{{&s[0]}}, make([][]*Point, 1)) },
		"DoubleScalarMultBatchVartime of slices of 1 and 0":     func() { DoubleScalarMultBatchVartime(p[:1], s, p[:1], nil, p[:1]) },
	})
}

// checkPanics checks that each function panics with the message under which it is listed.
func checkPanics(t *testing.T, functions map[string]func()) {
	t.Helper()
	for want, f := range functions {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != "curve: "+want {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			f()
		}()
	}
}

// TestSetWeight compares weights with a + 1 + b·λ, for random halves, the largest halves and zero.
func TestSetWeight(t *testing.T) {
	r := oracle.New(t)
	for _, b := range [][]byte{make([]byte, 16), oracle.Int(nil).Sub(new(big.Int).Lsh(one, 128), one).Bytes(), r.Bytes(16), r.Bytes(16)} {
		lo := new(big.Int).Add(oracle.Int(b[:8]), one)
		want := fn.Add(lo, fn.Mul(oracle.Int(b[8:]), oracle.Lambda))
		if got := scalarOf(r.Scalar()).SetWeight((*[16]byte)(b)).integer(); got.Cmp(want) != 0 {
			t.Errorf("%x: %x, want %x", b, got, want)
		}
	}
}
