package field

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// random returns two elements whose values the compiler cannot know.
func random(b *testing.B) (x, y Element) {
	b.ReportAllocs()
	r := oracle.NewSeeded(b.Name())
	return FromLimbs(r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()), FromLimbs(r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64())
}

// Except in BenchmarkMulIndependent and BenchmarkIsSquareVartime, each operation depends on the previous result, so the
// benchmarks measure latencies.

func BenchmarkAdd(b *testing.B) {
	x, y := random(b)
	for b.Loop() {
		x.Add(&x, &y)
	}
}

func BenchmarkSub(b *testing.B) {
	x, y := random(b)
	for b.Loop() {
		x.Sub(&x, &y)
	}
}

func BenchmarkNegate(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.Negate(&x)
	}
}

func BenchmarkHalf(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.Half(&x)
	}
}

func BenchmarkMul(b *testing.B) {
	x, y := random(b)
	for b.Loop() {
		x.Mul(&x, &y)
	}
}

func BenchmarkSquare(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.Square(&x)
	}
}

func BenchmarkNormalize(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.Normalize(&x)
	}
}

func BenchmarkSelect(b *testing.B) {
	x, y := random(b)
	m := uint64(0)
	for b.Loop() {
		x.Select(&x, &y, m)
		m = ^m
	}
}

func BenchmarkEqual(b *testing.B) {
	x, y := random(b)
	for b.Loop() {
		y.l0 ^= x.Equal(&y)
	}
}

func BenchmarkIsZero(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.l0 ^= x.IsZero()
	}
}

func BenchmarkInvert(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.Invert(&x)
	}
}

func BenchmarkInvertVartime(b *testing.B) {
	x, y := random(b)
	for b.Loop() {
		x.InvertVartime(&x).Add(&x, &y)
	}
}

func BenchmarkSqrt(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.Sqrt(&x)
	}
}

func BenchmarkSetBytes(b *testing.B) {
	x, _ := random(b)
	var s [32]byte
	x.FillBytes(&s)
	for b.Loop() {
		s[31] ^= byte(x.SetBytes(&s))
	}
}

func BenchmarkFillBytes(b *testing.B) {
	x, _ := random(b)
	var s [32]byte
	for b.Loop() {
		x.FillBytes(&s)
		x.l0 ^= uint64(s[31])
	}
}

// BenchmarkMulIndependent measures the throughput of multiplications that do not depend on each other.
func BenchmarkMulIndependent(b *testing.B) {
	x, y := random(b)
	var v [4]Element
	for b.Loop() {
		v[0].Mul(&x, &y)
		v[1].Mul(&y, &y)
		v[2].Mul(&y, &x)
		v[3].Mul(&x, &x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(4*b.N), "ns/mul")
}

func BenchmarkInvertSqrt(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.InvertSqrt(&x)
	}
}

func BenchmarkIsSquareVartime(b *testing.B) {
	x, y := random(b)
	for b.Loop() {
		x.IsSquareVartime()
		x.Add(&x, &y)
	}
}
