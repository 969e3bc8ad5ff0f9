package curve

import (
	"bytes"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// sums returns k, P and g by way of the discrete logarithm of P: random ones, edges, and those for which k·P and g·G are equal,
// opposite or infinity.
func sums(r *oracle.Rand, i int) (k, g *big.Int, p oracle.Point) {
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

// TestDoubleScalarBaseMultBytes compares with the oracle, for points in both encodings and whatever is none, and wants p as it was
// after an error.
func TestDoubleScalarBaseMultBytes(t *testing.T) {
	r := oracle.New(t)
	for i := range rounds(400) {
		ki, gi, p := sums(r, i)
		k, g := scalarOf(ki), scalarOf(gi)
		var got Point
		bad := func(a []byte) {
			t.Helper()
			before := got
			_, want := new(Point).SetBytes(a)
			if q, err := got.DoubleScalarBaseMultBytesVartime(k, a, g); q != nil || err == nil || want == nil || err.Error() != want.Error() || !bytes.Equal(got.Bytes(), before.Bytes()) {
				t.Fatalf("%x·%x + %x·G: %v, want %v", ki, a, gi, err, want)
			}
		}
		for _, a := range []oracle.Point{p, p.Neg()} {
			sum := a.Mul(ki).Add(oracle.G.Mul(gi))
			for _, b := range [][]byte{a.Compressed(), a.Uncompressed()} {
				q, err := got.DoubleScalarBaseMultBytesVartime(k, b, g)
				if err != nil || q != &got || !got.is(sum) || !sum.IsInfinity() && !got.known.normalized {
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

// TestSumHasXModN compares with the point, for keys in both encodings and whatever is none, and has R with an x of n or more (R7 of
// docs/rootless.md).
func TestSumHasXModN(t *testing.T) {
	r := oracle.New(t)
	check := func(k *Scalar, a []byte, g, x *Scalar, want bool) {
		t.Helper()
		if got := SumHasXModNVartime(k, a, g, x); got != want {
			t.Fatalf("%x·%x + %x·G has the x %x: %v", k.Bytes(), a, g.Bytes(), x.Bytes(), got)
		}
	}
	yes := 0
	for i := range rounds(400) {
		ki, gi, p := sums(r, i)
		if i%16 == 15 { // a key for which R has an x of n or more
			wrap := oracle.WrapR()
			R, _ := oracle.LiftX(new(big.Int).Add(oracle.Int(wrap[i/16%len(wrap)][:]), oracle.N))
			ki = r.ValidScalar()
			p = R.Add(oracle.G.Mul(gi).Neg()).Mul(fn.Inv(ki))
		}
		k, g := scalarOf(ki), scalarOf(gi)
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
				check(k, a, g, scalarOf(x), want)
				check(k, a[1:], g, scalarOf(x), false)
				check(k, append(bytes.Clone(a), 0), g, scalarOf(x), false)
				a[0] += 4
				check(k, a, g, scalarOf(x), false)
			}
			a := p.Compressed()
			a[0] ^= 1
			other := p.Neg().Mul(ki).Add(oracle.G.Mul(gi))
			check(k, a, g, scalarOf(x), !other.IsInfinity() && fn.Reduce(other.X).Cmp(x) == 0)
			for _, bad := range oracle.BadX() {
				check(k, append([]byte{byte(2 | i&1)}, bad[:]...), g, scalarOf(x), false)
			}
		}
	}
	if yes < 20 {
		t.Errorf("only %d of the sums have the x", yes)
	}
	check(new(Scalar), nil, new(Scalar), new(Scalar), false)
}

// TestSumIsLiftX compares with the point, and has x coordinates that LiftX refuses.
func TestSumIsLiftX(t *testing.T) {
	r := oracle.New(t)
	check := func(k *Scalar, a []byte, g *Scalar, x []byte, want bool) {
		t.Helper()
		if got := SumIsLiftXVartime(k, a, g, x); got != want {
			t.Fatalf("%x·%x + %x·G is %x lifted: %v", k.Bytes(), a, g.Bytes(), x, got)
		}
	}
	yes := 0
	for i := range rounds(400) {
		ki, gi, p := sums(r, i)
		p, _ = oracle.LiftX(p.X)
		sum := p.Mul(ki).Add(oracle.G.Mul(gi))
		if !sum.IsInfinity() && i&1 == 0 && sum.Y.Bit(0) == 1 {
			ki, gi, sum = fn.Neg(ki), fn.Neg(gi), sum.Neg()
		}
		k, g, a := scalarOf(ki), scalarOf(gi), p.Compressed()[1:]
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
	if yes < rounds(400)/8 {
		t.Errorf("only %d of the sums are lifted", yes)
	}
	// R = G, with x + p as well.
	G := oracle.G.Compressed()[1:]
	check(new(Scalar), G, scalarOf(one), G, oracle.G.Y.Bit(0) == 0)
	check(scalarOf(one), G, new(Scalar), G, true)
}
