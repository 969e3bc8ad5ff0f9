//go:build exhaustive

package exhaustive

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// checkPoint fails unless p is k·G.
func checkPoint(t testing.TB, what string, p *curve.Point, k int) {
	same(t, string(p.Bytes()), encoded[mod(k)], "%s, which should be %d·G", what, mod(k))
}

// TestCurve calls functions of package curve with every point and scalar, and with pairs (see cases).
func TestCurve(t *testing.T) {
	c := newCount(t, "package curve")
	check := func(what string, p *curve.Point, k int) {
		checkPoint(t, what, p, k)
		c.add("results")
	}
	flag := func(what string, k, got int, want bool) {
		same(t, got, choose(want, 1, 0), "%s of %d", what, k)
		c.add("results")
	}
	for v := range c.every(cases(t), n, n) {
		a, b := v[0], v[1]
		p, q := curvePoint(c, a), curvePoint(c, b)
		check("Add", new(curve.Point).Add(p, q), a+b)
		check("Sub", new(curve.Point).Sub(p, q), a-b)
		check("ScalarMult", new(curve.Point).ScalarMult(curveScalar(a), q), a*b)
		flag("Equal", a, p.Equal(q), a == b)
		i := c.IntN(2)
		check("Select", new(curve.Point).Select(p, q, i), choose(i == 1, a, b))
		c.add("pairs of points or scalars")
	}
	for k := range n {
		p := curvePoint(c, k)
		check("ScalarBaseMult", new(curve.Point).ScalarBaseMult(curveScalar(k)), k)
		check("Double", new(curve.Point).Double(p), 2*k)
		check("Negate", new(curve.Point).Negate(p), -k)
		check("Normalize", new(curve.Point).Set(p).Normalize(), k)
		check("NormalizeVartime", new(curve.Point).Set(p).NormalizeVartime(), k)
		flag("IsInfinity", k, p.IsInfinity(), k == 0)
		flag("IsYOdd", k, p.IsYOdd(), odd[k])
		same(t, string(p.BytesUncompressed()), string(points[k].Uncompressed()), "%d·G, uncompressed", k)
		for _, b := range [][]byte{points[k].Compressed(), points[k].Uncompressed()} {
			got, err := new(curve.Point).SetBytes(b)
			if k == 0 {
				failsLike(t, err, false, curve.ErrLength, "SetBytes of infinity")
				continue
			}
			failIf(t, err != nil, "%d·G is not decoded: %v", k, err)
			check("SetBytes", got, k)
			b[0] ^= 1 // the other parity or, in the long form, an invalid prefix
			got, err = new(curve.Point).SetBytes(b)
			if len(b) == 33 {
				check("SetBytes", got, -k)
			} else {
				failsLike(t, err, false, curve.ErrPrefix, "SetBytes with the prefix %x", b[0])
				b[0], b[64] = 4, b[64]^2
				_, err = new(curve.Point).SetBytes(b)
				failsLike(t, err, false, curve.ErrNotOnCurve, "SetBytes of %x", b)
			}
		}
		x, err := p.BytesX()
		failsLike(t, err, k != 0, curve.ErrInfinity, "BytesX of %d·G", k)
		if k != 0 {
			lifted, err := new(curve.Point).LiftX(x)
			failIf(t, err != nil, "the x of %d·G is not lifted: %v", k, err)
			check("LiftX", lifted, even(k))
		}
	}
	for x := range 200 { // small x, some of which are not on the curve
		b := bytes32(x)
		p, err := new(curve.Point).LiftX(b[:])
		failsLike(t, err, isOnCurve(big.NewInt(int64(x))), curve.ErrNotOnCurve, "LiftX of %d", x)
		if err == nil {
			same(t, string(p.Bytes()), "\x02"+string(b[:]), "LiftX of %d", x)
		}
		c.add("results")
	}
}

// TestCurveSums tests the functions for sums of two products, and MultiScalarMultVartime with up to 65 products, which
// are more than one group of terms.
func TestCurveSums(t *testing.T) {
	c := newCount(t, "sums")
	for v := range c.every(cases(t)/4, n, n, n) {
		k, a, g := v[0], v[1], v[2]
		p := curvePoint(c, a)
		checkPoint(t, "DoubleScalarBaseMultVartime", p.DoubleScalarBaseMultVartime(curveScalar(k), p, curveScalar(g)), k*a+g)
		err := verify.SumOfBytesVartime(p, curveScalar(k), curvePoint(c, a).Bytes(), curveScalar(g))
		failIf(t, (err == nil) != (mod(a) != 0), "SumOfBytesVartime of %d·G: %v", a, err)
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
				k, a := c.IntN(n), c.IntN(n)
				scalars = append(scalars, curveScalar(k))
				terms = append(terms, curvePoint(c, a))
				want += k * a
			}
			checkPoint(t, "MultiScalarMultVartime", new(curve.Point).MultiScalarMultVartime(scalars, terms), want)
			c.add("MultiScalarMultVartime of 0 to 65 products")
		}
	}
}
