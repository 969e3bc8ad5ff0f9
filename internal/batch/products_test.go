package batch

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
)

// TestProducts uses one Products for different numbers of sums of different lengths. A product that is not set, or
// whose point is infinity, must be 0, and must not keep package lanes from finishing any sum.
func TestProducts(t *testing.T) {
	r := oracle.New(t)
	sum := new(Sum)
	p := sum.Products()
	if p == nil || p != sum.Products() {
		t.Fatal("the products of a sum do not stay in their place")
	}
	for _, c := range []struct{ sums, terms int }{{3, 4}, {parts.ProductSums, 5}, {9, 1}, {2, parts.Terms}, {1, 2}} {
		p.Reset(c.sums, c.terms)
		want := make([]oracle.Point, c.sums)
		for i := range want {
			for j := range c.terms - i%2*(c.terms/2) {
				var a group.Jacobian
				k, sum := r.ValidScalar(), oracle.Point{}
				if j%3 != 1 {
					sum = r.Point()
					finite := affine(sum)
					a.SetAffine(&finite)
				}
				if j%3 == 2 {
					z := elem(r.Field())
					a.Rescale(&a, &z)
				}
				ks := scalarOf(k)
				p.Set(i, j, &ks, &a, j%3 == 0)
				want[i] = want[i].Add(sum.Mul(k))
			}
		}
		dst, done := make([]group.Jacobian, c.sums), make([]bool, c.sums)
		p.SumsVartime(dst, done)
		for i := range dst {
			if !done[i] || !is(&dst[i], want[i]) {
				t.Errorf("sum %d of %d, %d products: done: %v, or wrong", i, c.sums, c.terms, done[i])
			}
		}
	}
}
