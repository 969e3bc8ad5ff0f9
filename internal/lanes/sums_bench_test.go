package lanes

import (
	"strconv"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// BenchmarkSums times stages, per item.
func BenchmarkSums(b *testing.B) {
	r := oracle.NewSeeded("benchmark")
	const n = 256
	k, g, d, x := make([]scalar.Scalar, n), make([]scalar.Scalar, n), make([]scalar.Scalar, n), make([]scalar.Scalar, n)
	a, dst, affine := make([]group.Affine, n), make([]group.Jacobian, n), make([]group.Affine, n)
	xs, odd, done, equal := make([]field.Element, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for i := range k {
		m := ordinary(r)
		k[i], g[i], d[i], x[i], a[i] = scalarOf(m.k), scalarOf(m.g), scalarOf(m.d), scalarOf(m.k), times(m.s)
		xs[i] = a[i].X
	}
	w := workspaces.Get().(*workspace)
	w.invertDivisorsVartime(d)
	p := &w.products[0]
	for _, c := range []struct {
		name  string
		items int
		run   func()
	}{
		{"EqualXModN", n, func() { EqualXModNVartime(equal, done, x, k, a, g, d) }},
		{"EqualXModN 8", 8, func() { EqualXModNVartime(equal[:8], done, x[:8], k[:8], a[:8], g[:8], d[:8]) }},
		{"DoubleScalar", n, func() { DoubleScalarVartime(dst, done, k, a, g, d) }},
		{"LiftX", n, func() { LiftX(affine, equal, xs, odd) }},
		{"stage", 8, func() { w.doubleScalarVartime(0, k[:8], a[:8], g[:8], true) }},
		{"stage", 16, func() { w.doubleScalarVartime(0, k[:16], a[:16], g[:16], true) }},
		{"fill", 8, func() { w.fill(p) }},
		{"addUp", 8, func() { w.addUpVartime(1) }},
		{"addUp", 16, func() { w.addUpVartime(2) }},
		{"digits", 8, func() { p.ofG.setVartime(&w.halves); p.ofPoint.setVartime(&w.halves) }},
		{"divisors", n, func() { w.invertDivisorsVartime(d) }},
		{"normalize", n, func() { w.normalizeVartime(n / 8) }},
	} {
		b.Run(c.name+"/"+strconv.Itoa(c.items), func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.items), "ns/item")
		})
	}
}
