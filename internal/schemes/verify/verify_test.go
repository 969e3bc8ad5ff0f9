package verify

import (
	"bytes"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
)

var (
	fn  = oracle.Fn
	one = big.NewInt(1)
)

func toScalar(x *big.Int) *curve.Scalar {
	b := oracle.Bytes(fn.Reduce(x))
	return new(curve.Scalar).SetBytesReduced(&b)
}

// toPoint returns p, normalized or with a random Z, and sometimes with a table.
func toPoint(r *oracle.Rand, p oracle.Point) *curve.Point {
	v := new(curve.Point)
	if p.IsInfinity() {
		return v
	}
	if _, err := v.SetBytes(p.Uncompressed()); err != nil {
		panic(err)
	}
	if r.IntN(100) == 0 {
		return v.PrecomputeVartime()
	}
	if l := r.Limbs(); r.IntN(2) == 0 {
		var j group.Jacobian
		j.Set(&valueOf(v).P)
		z := field.FromLimbs(l[0]|1, l[1], l[2], l[3]>>1)
		j.Rescale(&j, &z)
		valueOf(v).SetJacobian(&j)
	}
	return v
}

// is reports whether p is the point want.
func is(p *curve.Point, want oracle.Point) bool {
	return string(p.BytesUncompressed()) == string(want.Uncompressed())
}

// scalarsOf returns n scalars, some of them 0.
func scalarsOf(r *oracle.Rand, n int) (scalars []curve.Scalar, are []*big.Int) {
	scalars, are = make([]curve.Scalar, n), make([]*big.Int, n)
	for i := range scalars {
		are[i] = r.Scalar()
		if r.IntN(4) == 0 {
			are[i] = new(big.Int)
		}
		scalars[i].Set(toScalar(are[i]))
	}
	return scalars, are
}

// drawSum returns k, P and g: random values, edge cases, and values for which k·P and g·G are equal, opposite or
// infinity.
func drawSum(r *oracle.Rand, i int) (k, g *big.Int, p oracle.Point) {
	d := r.ValidScalar()
	switch i % 4 {
	case 0:
		d = big.NewInt(1)
	case 1:
		d = fn.Neg(oracle.Lambda)
	}
	k, g = r.Scalar(), r.Scalar()
	edges := oracle.ScalarEdges()
	switch i % 16 {
	case 3:
		k = new(big.Int)
	case 4:
		g = new(big.Int)
	case 5:
		g = fn.Neg(fn.Mul(k, d))
	case 6:
		g = fn.Mul(k, d)
	case 7:
		k, g = new(big.Int), new(big.Int)
	case 8, 9, 10:
		e := edges[r.IntN(len(edges))]
		k = fn.Reduce(oracle.Int(e[:]))
	}
	return k, g, oracle.G.Mul(d)
}

// TestSumOfBytes compares sums with the oracle, for points in both encodings and for invalid encodings. After an error,
// p must be unchanged.
func TestSumOfBytes(t *testing.T) {
	r := oracle.New(t)
	for i := range oracle.Cases(400) {
		ki, gi, p := drawSum(r, i)
		k, g := toScalar(ki), toScalar(gi)
		var got curve.Point
		bad := func(a []byte) {
			t.Helper()
			before := got
			_, want := new(curve.Point).SetBytes(a)
			if err := SumOfBytesVartime(&got, k, a, g); err == nil || want == nil || err.Error() != want.Error() || !bytes.Equal(got.Bytes(), before.Bytes()) {
				t.Fatalf("%x·%x + %x·G: %v, want %v", ki, a, gi, err, want)
			}
		}
		for _, a := range []oracle.Point{p, p.Neg()} {
			sum := a.Mul(ki).Add(oracle.G.Mul(gi))
			for _, b := range [][]byte{a.Compressed(), a.Uncompressed()} {
				err := SumOfBytesVartime(&got, k, b, g)
				if err != nil || !is(&got, sum) || (!sum.IsInfinity() && !valueOf(&got).Known.Normalized) {
					t.Fatalf("%x·%x + %x·G = %x, %v, want %x", ki, b, gi, got.Bytes(), err, sum)
				}
				bad(b[1:])
				bad(append(bytes.Clone(b), 0))
				b[0] += 4
				bad(b)
			}
		}
		for _, x := range oracle.BadX() {
			bad(append([]byte{byte(2 | i&1)}, x[:]...))
		}
	}
}

// TestXModNOfBytes compares verdicts on encodings with the oracle, for both encodings and for invalid encodings. Some
// sums have x coordinates of n or more (docs/rootless.md, R7).
func TestXModNOfBytes(t *testing.T) {
	r := oracle.New(t)
	check := func(k *curve.Scalar, a []byte, g, x *curve.Scalar, want bool) {
		t.Helper()
		if got := XModNOfBytesVartime(k, a, g, x); got != want {
			t.Fatalf("%x·%x + %x·G has the x %x: %v", k.Bytes(), a, g.Bytes(), x.Bytes(), got)
		}
	}
	yes := 0
	for i := range oracle.Cases(400) {
		ki, gi, p := drawSum(r, i)
		if i%16 == 15 { // choose a key for which R has x ≥ n
			wrap := oracle.WrapR()
			R, _ := oracle.LiftX(new(big.Int).Add(oracle.Int(wrap[i/16%len(wrap)][:]), oracle.N))
			ki = r.ValidScalar()
			p = R.Add(oracle.G.Mul(gi).Neg()).Mul(fn.Inv(ki))
		}
		k, g := toScalar(ki), toScalar(gi)
		sum := p.Mul(ki).Add(oracle.G.Mul(gi))
		rs := []*big.Int{r.Scalar(), new(big.Int), fn.Sub(oracle.P, oracle.N)}
		if !sum.IsInfinity() {
			x := fn.Reduce(sum.X)
			rs = append(rs, x, fn.Add(x, one), fn.Sub(x, oracle.P))
		}
		for _, x := range rs {
			want := !sum.IsInfinity() && fn.Reduce(sum.X).Cmp(x) == 0
			if want {
				yes++
			}
			for _, a := range [][]byte{p.Compressed(), p.Uncompressed()} {
				check(k, a, g, toScalar(x), want)
				check(k, a[1:], g, toScalar(x), false)
				check(k, append(bytes.Clone(a), 0), g, toScalar(x), false)
				a[0] += 4
				check(k, a, g, toScalar(x), false)
			}
			a := p.Compressed()
			a[0] ^= 1
			other := p.Neg().Mul(ki).Add(oracle.G.Mul(gi))
			check(k, a, g, toScalar(x), !other.IsInfinity() && fn.Reduce(other.X).Cmp(x) == 0)
			for _, bad := range oracle.BadX() {
				check(k, append([]byte{byte(2 | i&1)}, bad[:]...), g, toScalar(x), false)
			}
		}
	}
	if yes < 20 {
		t.Errorf("only %d of the sums have the x", yes)
	}
	check(new(curve.Scalar), nil, new(curve.Scalar), new(curve.Scalar), false)
}

// TestLiftXOfBytes compares verdicts on x coordinates with the oracle. Some of the x coordinates belong to no point.
func TestLiftXOfBytes(t *testing.T) {
	r := oracle.New(t)
	check := func(k *curve.Scalar, a []byte, g *curve.Scalar, x []byte, want bool) {
		t.Helper()
		if got := EvenYOfBytesVartime(k, a, g, x); got != want {
			t.Fatalf("%x·%x + %x·G is %x lifted: %v", k.Bytes(), a, g.Bytes(), x, got)
		}
	}
	yes := 0
	for i := range oracle.Cases(400) {
		ki, gi, p := drawSum(r, i)
		p, _ = oracle.LiftX(p.X)
		sum := p.Mul(ki).Add(oracle.G.Mul(gi))
		if !sum.IsInfinity() && i&1 == 0 && sum.Y.Bit(0) == 1 {
			ki, gi, sum = fn.Neg(ki), fn.Neg(gi), sum.Neg()
		}
		k, g, a := toScalar(ki), toScalar(gi), p.Compressed()[1:]
		rs := [][]byte{r.Bytes(32), make([]byte, 32), r.Point().Compressed()[1:]}
		if !sum.IsInfinity() {
			rs = append(rs, sum.Compressed()[1:])
		}
		for _, x := range rs {
			want := !sum.IsInfinity() && sum.Y.Bit(0) == 0 && oracle.Int(x).Cmp(sum.X) == 0
			if want {
				yes++
			}
			check(k, a, g, x, want)
			check(k, a[1:], g, x, false)
			check(k, a, g, x[1:], false)
			check(k, append(bytes.Clone(a), 0), g, x, false)
			check(k, a, g, append(bytes.Clone(x), 0), false)
			for _, bad := range oracle.BadX() {
				check(k, bad[:], g, x, false)
				check(k, a, g, bad[:], false)
			}
			if v := new(big.Int).Add(oracle.Int(x), oracle.P); v.BitLen() <= 256 {
				b := oracle.Bytes(v)
				check(k, a, g, b[:], false)
			}
		}
	}
	if yes < oracle.Cases(400)/8 {
		t.Errorf("only %d of the sums are lifted", yes)
	}
	// Test R = 0·A + 1·G and R = 1·A + 0·G, for A = G.
	G := oracle.G.Compressed()[1:]
	check(new(curve.Scalar), G, toScalar(one), G, oracle.G.Y.Bit(0) == 0)
	check(toScalar(one), G, new(curve.Scalar), G, true)
}

// TestHasXModN tests x coordinates in [n, p), which must match r = x − n, and small x, which must not match r = x + p −
// n.
func TestHasXModN(t *testing.T) {
	r := oracle.New(t)
	check := func(p oracle.Point, s *big.Int) bool {
		t.Helper()
		want := !p.IsInfinity() && fn.Reduce(p.X).Cmp(s) == 0
		for range 4 {
			if hasXModN(&valueOf(toPoint(r, p)).P, scalarOf(toScalar(s))) != want {
				t.Fatalf("hasXModN(%x, %x) is not %v", p, s, want)
			}
		}
		return want
	}
	wrapped := 0
	gap := new(big.Int).Sub(oracle.P, oracle.N)
	for _, p := range append(oracle.EdgePoints(), oracle.Point{}, r.Point(), r.Point(), r.Point()) {
		x := p.X
		if p.IsInfinity() {
			x = new(big.Int)
		} else if x.Cmp(oracle.N) >= 0 {
			wrapped++
		}
		for d := int64(-2); d <= 2; d++ {
			check(p, fn.Add(x, big.NewInt(d)))
			check(p, fn.Add(new(big.Int).Add(x, gap), big.NewInt(d)))
			check(p, fn.Add(gap, big.NewInt(d)))
			check(p, fn.Neg(x))
		}
		check(p, new(big.Int))
	}
	if wrapped < 12 { // the x coordinates from WrapR, and n itself, with both signs
		t.Errorf("only %d points with x ≥ n", wrapped)
	}
	for _, b := range oracle.WrapR() {
		s := oracle.Int(b[:])
		p, ok := oracle.LiftX(new(big.Int).Add(s, oracle.N))
		if !ok || !check(p, s) || check(p, new(big.Int).Add(s, one)) {
			t.Errorf("r = %x", s)
		}
		if p, ok := oracle.LiftX(s); ok && !check(p, s) {
			t.Errorf("r = %x without the wrap", s)
		}
	}
	for range oracle.Cases(2000) {
		p, q := r.PointPair()
		check(p, r.Scalar())
		for _, o := range []oracle.Point{p, q} {
			if !o.IsInfinity() {
				check(p, fn.Reduce(o.X))
			}
		}
	}
}
