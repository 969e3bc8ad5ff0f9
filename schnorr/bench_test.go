package schnorr

import (
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func BenchmarkVerifyBytes(b *testing.B) {
	items := signed(b, oracle.NewSeeded(b.Name()), 64, 64)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		it := &items[i%len(items)]
		i++
		if !VerifyBytes(it.pub, it.msg, it.sig) {
			b.Fatal("not valid")
		}
	}
}

// BenchmarkBatch measures a batch of n signatures, by n keys or by 8, and reports the time for one signature.
func BenchmarkBatch(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024} {
		for _, keys := range []int{n, 8} {
			if keys > n {
				continue
			}
			b.Run(fmt.Sprintf("%d by %d", n, keys), func(b *testing.B) {
				items := signed(b, oracle.NewSeeded(b.Name()), n, keys)
				var batch Batch
				b.ReportAllocs()
				for b.Loop() {
					batch.Reset()
					for _, it := range items {
						batch.Add(it.pub, it.msg, it.sig)
					}
					if !batch.Verify() {
						b.Fatal("not valid")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/item")
			})
		}
	}
}
