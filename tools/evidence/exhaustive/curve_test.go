//go:build exhaustive

package exhaustive

import (
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/verify"
)

// checkPoint fails unless p is k·G.
func checkPoint(t testing.TB, what string, p *curve.Point, k int) {
	t.Helper()
	if got := p.Bytes(); string(got) != encoded[mod(k)] {
		t.Fatalf("%s is %x, want %d·G = %x", what, got, mod(k), encoded[mod(k)])
	}
}

// TestCurve calls functions of package curve with every point and scalar, and with pairs (see cases).
func TestCurve(t *testing.T) {
	c := newCount(t, "package curve")
	r := c.Rand
	check := func(what string, p *curve.Point, k int) {
		t.Helper()
		checkPoint(t, what, p, k)
		c.add("results")
	}
	flag := func(what string, k, got int, want bool) {
		t.Helper()
		if got&^1 != 0 || (got == 1) != want {
			t.Fatalf("%s of %d is %d", what, k, got)
		}
		c.add("results")
	}
	for v := range c.every(cases(t), n, n) {
		a, b := v[0], v[1]
		p, q := curvePoint(t, r, a), curvePoint(t, r, b)
		check("Add", new(curve.Point).Add(p, q), a+b)
		check("Sub", new(curve.Point).Sub(p, q), a-b)
		check("ScalarMult", new(curve.Point).ScalarMult(curveScalar(a), q), a*b)
		flag("Equal", a, p.Equal(q), a == b)
		i := r.IntN(2)
		check("Select", new(curve.Point).Select(p, q, i), []int{b, a}[i])
		c.add("pairs of points or scalars")
	}
	for k := range n {
		p := curvePoint(t, r, k)
		check("ScalarBaseMult", new(curve.Point).ScalarBaseMult(curveScalar(k)), k)
		check("Double", new(curve.Point).Double(p), 2*k)
		check("Negate", new(curve.Point).Negate(p), -k)
		check("Normalize", new(curve.Point).Set(p).Normalize(), k)
		check("NormalizeVartime", new(curve.Point).Set(p).NormalizeVartime(), k)
		flag("IsInfinity", k, p.IsInfinity(), k == 0)
		flag("IsYOdd", k, p.IsYOdd(), odd[k])
		if string(p.BytesUncompressed()) != string(points[k].Uncompressed()) {
			t.Fatalf("%d·G is %x", k, p.BytesUncompressed())
		}
		for _, b := range [][]byte{points[k].Compressed(), points[k].Uncompressed()} {
			got, err := new(curve.Point).SetBytes(b)
			if k == 0 {
				if !errors.Is(err, curve.ErrLength) {
					t.Fatalf("infinity is decoded: %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%d·G is not decoded: %v", k, err)
			}
			check("SetBytes", got, k)
			b[0] ^= 1 // the other parity or, in the long form, an invalid prefix
			got, err = new(curve.Point).SetBytes(b)
			if len(b) == 33 {
				check("SetBytes", got, -k)
			} else if !errors.Is(err, curve.ErrPrefix) {
				t.Fatalf("prefix %x is decoded: %v", b[0], err)
			}
			if len(b) == 65 {
				b[0], b[64] = 4, b[64]^2
				if _, err = new(curve.Point).SetBytes(b); !errors.Is(err, curve.ErrNotOnCurve) {
					t.Fatalf("%x is decoded: %v", b, err)
				}
			}
		}
		x, err := p.BytesX()
		if k == 0 {
			if !errors.Is(err, curve.ErrInfinity) {
				t.Fatalf("infinity has x = %x", x)
			}
			continue
		}
		lifted, err := new(curve.Point).LiftX(x)
		if err != nil {
			t.Fatalf("the x of %d·G is not lifted: %v", k, err)
		}
		check("LiftX", lifted, even(k))
	}
	for x := range 200 { // small x, some of which are not on the curve
		b := bytes32(x)
		p, err := new(curve.Point).LiftX(b[:])
		if want := isOnCurve(big.NewInt(int64(x))); (err == nil) != want || (err != nil && !errors.Is(err, curve.ErrNotOnCurve)) {
			t.Fatalf("LiftX of %d: %v", x, err)
		}
		if err == nil {
			if got, _ := p.BytesX(); string(got) != string(b[:]) || p.IsYOdd() != 0 {
				t.Fatalf("LiftX of %d is %x", x, p.Bytes())
			}
		}
		c.add("results")
	}
}

// TestCurveSums tests the functions for sums of two products, and MultiScalarMultVartime with up to 65 products, which
// are more than one group of terms.
func TestCurveSums(t *testing.T) {
	c := newCount(t, "sums")
	r := c.Rand
	for v := range c.every(cases(t)/4, n, n, n) {
		k, a, g := v[0], v[1], v[2]
		p := curvePoint(t, r, a)
		checkPoint(t, "DoubleScalarBaseMultVartime", p.DoubleScalarBaseMultVartime(curveScalar(k), p, curveScalar(g)), k*a+g)
		err := verify.SumOfBytesVartime(p, curveScalar(k), curvePoint(t, r, a).Bytes(), curveScalar(g))
		if (err == nil) != (mod(a) != 0) {
			t.Fatalf("SumOfBytesVartime of %d·G: %v", a, err)
		}
		if err == nil {
			checkPoint(t, "SumOfBytesVartime", p, k*a+g)
		}
		c.add("DoubleScalarBaseMultVartime and SumOfBytesVartime")
	}
	for _, size := range []int{0, 1, 2, 3, 31, 32, 33, 64, 65} {
		for range max(1, cases(t)/1000/(size+1)) {
			want := 0
			var scalars []*curve.Scalar
			var terms []*curve.Point
			for range size {
				k, a := r.IntN(n), r.IntN(n)
				scalars = append(scalars, curveScalar(k))
				terms = append(terms, curvePoint(t, r, a))
				want += k * a
			}
			checkPoint(t, "MultiScalarMultVartime", new(curve.Point).MultiScalarMultVartime(scalars, terms), want)
			c.add("MultiScalarMultVartime of 0 to 65 products")
		}
	}
}
