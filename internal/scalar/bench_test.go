package scalar

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// random returns two scalars whose values the compiler cannot know.
func random(b *testing.B) (x, y Scalar) {
	b.ReportAllocs()
	r := oracle.NewSeeded(b.Name())
	return FromLimbs(r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()>>1), FromLimbs(r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()>>1)
}

// Each operation depends on the previous result, so these benchmarks measure latencies.

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

func BenchmarkSplit(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		k1, k2 := x.Split()
		x.l0 ^= k1.Lo ^ k2.Lo
	}
}

func BenchmarkIsHigh(b *testing.B) {
	x, _ := random(b)
	for b.Loop() {
		x.l0 ^= x.IsHigh()
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
