//go:build exhaustive

package exhaustive

import (
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// checkPoint fails unless p is k·G.
func checkPoint(t testing.TB, what string, p *curve.Point, k int) {
	same(t, string(p.Bytes()), encoded[mod(k)], "%s, which should be %d·G", what, mod(k))
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
