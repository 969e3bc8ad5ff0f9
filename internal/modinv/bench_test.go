package modinv

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func benchmark(b *testing.B, invert func(*[4]uint64, *Modulus) [4]uint64) {
	for _, m := range []struct {
		name string
		m    *Modulus
	}{{"P", &P}, {"N", &N}} {
		b.Run(m.name, func(b *testing.B) {
			b.ReportAllocs()
			r := oracle.NewSeeded(b.Name())
			x := [4]uint64{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64() >> 1}
			for b.Loop() {
				x = invert(&x, m.m)
				x[0]++ // so that the next inversion does not give the previous number again
			}
		})
	}
}

func BenchmarkInvert(b *testing.B)        { benchmark(b, Invert) }
func BenchmarkInvertVartime(b *testing.B) { benchmark(b, InvertVartime) }
