package curve

import (
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// random returns random scalars and a random point, which is not normalized.
func random(b *testing.B) (k, g *Scalar, p *Point) {
	b.ReportAllocs()
	r := oracle.NewSeeded(b.Name())
	k, g = scalarOf(oracle.Int(r.Bytes(32))), scalarOf(oracle.Int(r.Bytes(32)))
	p = new(Point).ScalarBaseMult(k)
	p.DoubleScalarBaseMultVartime(k, p, g) // also builds the tables
	return k, g, p
}

func BenchmarkScalarBaseMult(b *testing.B) {
	k, g, p := random(b)
	for b.Loop() {
		p.ScalarBaseMult(k)
		k.Add(k, g)
	}
}

func BenchmarkScalarMult(b *testing.B) {
	k, g, p := random(b)
	for b.Loop() {
		p.ScalarMult(k, p)
		k.Add(k, g)
	}
}

func BenchmarkDoubleScalarBaseMultVartime(b *testing.B) {
	k, g, p := random(b)
	for b.Loop() {
		p.DoubleScalarBaseMultVartime(k, p, g)
		k.Add(k, g)
	}
}

func BenchmarkMultiScalarMultVartime(b *testing.B) {
	for _, n := range []int{1, 8, 32, 128} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k, g, p := random(b)
			scalars, points := make([]*Scalar, n), make([]*Point, n)
			for i := range points {
				scalars[i], points[i] = new(Scalar).Add(k, g), new(Point).Double(p)
				k, p = scalars[i], points[i]
			}
			for b.Loop() {
				new(Point).MultiScalarMultVartime(scalars, points)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/term")
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	_, _, p := random(b)
	q := new(Point).Double(p)
	for b.Loop() {
		p.Add(p, q)
	}
}

func BenchmarkDouble(b *testing.B) {
	_, _, p := random(b)
	for b.Loop() {
		p.Double(p)
	}
}

func BenchmarkEqual(b *testing.B) {
	_, _, p := random(b)
	q := new(Point).Double(p)
	for b.Loop() {
		q.CondNegate(q, p.Equal(q))
	}
}

func BenchmarkSetBytes(b *testing.B) {
	_, _, p := random(b)
	s := p.Bytes()
	for b.Loop() {
		p.SetBytes(s)
		s[0] ^= byte(p.p().X.IsZero() & 1)
	}
}

func BenchmarkSetBytesUncompressed(b *testing.B) {
	_, _, p := random(b)
	s := p.BytesUncompressed()
	for b.Loop() {
		p.SetBytes(s)
		s[0] ^= byte(p.p().X.IsZero() & 1)
	}
}

func BenchmarkBytes(b *testing.B) {
	_, _, p := random(b)
	for b.Loop() {
		p.p().X.SetUint64(uint64(p.Bytes()[1]))
	}
}

func BenchmarkBytesNormalized(b *testing.B) {
	_, _, p := random(b)
	p.Normalize()
	for b.Loop() {
		p.p().X.SetUint64(uint64(p.Bytes()[1]))
	}
}

func BenchmarkNormalize(b *testing.B) {
	_, _, p := random(b)
	for b.Loop() {
		known := p.known() // assigning to a field of the result at once crashes the compilers of Go 1.26.0 and 1.26.1
		known.Normalized = false
		p.Normalize()
	}
}

func BenchmarkNormalizeVartime(b *testing.B) {
	_, _, p := random(b)
	q := new(Point)
	for b.Loop() {
		q.Set(p).NormalizeVartime()
	}
}

func BenchmarkScalarMultiply(b *testing.B) {
	k, g, _ := random(b)
	for b.Loop() {
		k.Mul(k, g)
	}
}

func BenchmarkScalarInvert(b *testing.B) {
	k, _, _ := random(b)
	for b.Loop() {
		k.Invert(k)
	}
}

func BenchmarkScalarInvertVartime(b *testing.B) {
	k, g, _ := random(b)
	for b.Loop() {
		k.InvertVartime(k).Add(k, g)
	}
}
