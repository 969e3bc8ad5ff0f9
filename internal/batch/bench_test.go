package batch

import (
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// signatures returns a sum with the form of the sum that verifies n BIP-340 signatures by the given number of keys. It
// has n products with weights a + b·λ, where a and b are below 2⁶⁴, and one product for each key.
func signatures(r *oracle.Rand, n, keys int) *Sum {
	s := new(Sum)
	var p group.Jacobian
	p.SetAffine(&group.Generator)
	points := make([]group.Jacobian, n+keys)
	k := oracle.Int(r.Bytes(31))
	kl := oracle.Limbs(k)
	ks := scalar.FromLimbs(kl[0], kl[1], kl[2], kl[3])
	ecmult.Variable(&p, &ks, &p)
	for i := range points {
		points[i].Set(&p)
		p.Double(&p)
	}
	affine := make([]group.Affine, len(points))
	group.BatchToAffineVartime(affine, points)
	for i := range affine {
		l := oracle.Limbs(oracle.Int(r.Bytes(31)))
		k := scalar.FromLimbs(l[0], l[1], l[2], l[3])
		if i < n {
			a, b := scalar.FromLimbs(l[0], 0, 0, 0), scalar.FromLimbs(l[1], 0, 0, 0)
			k.Mul(&b, &scalar.Lambda).Add(&k, &a)
		}
		s.Add(&k, &affine[i])
	}
	return s
}

// BenchmarkSum measures the algorithms and widths that platform.BucketWidth chooses between, for sums of many lengths.
// Width 0 is Straus's algorithm.
func BenchmarkSum(b *testing.B) {
	for _, n := range []int{8, 16, 24, 32, 64, 128, 256, 512, 1024, 4096, 16384} {
		for _, keys := range []int{n, 8} {
			s := signatures(oracle.NewSeeded(b.Name()), n, keys)
			for _, width := range []int{0, 3, 4, 5, 6} {
				if width == 0 && n > 64 {
					continue
				}
				b.Run(fmt.Sprintf("%d by %d/%d products/width=%d", n, keys, n+keys, width), func(b *testing.B) {
					var p group.Jacobian
					for b.Loop() {
						if width == 0 {
							s.strausVartime(&p)
						} else {
							s.buckets.sumVartime(&p, width, s.K, s.A)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/item")
				})
			}
		}
	}
}
