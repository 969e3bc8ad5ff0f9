package group

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// points returns points in all kinds of coordinates, whose values the compiler cannot know.
func points(b *testing.B) (p, q Jacobian, a Affine, s XYZZ, z field.Element) {
	b.ReportAllocs()
	r := oracle.NewSeeded(b.Name())
	p, q = jacobian(r, oracle.G.Mul(r.ValidScalar())), jacobian(r, oracle.G.Mul(r.ValidScalar()))
	a, s = affine(r, oracle.G.Mul(r.ValidScalar())), xyzz(r, oracle.G.Mul(r.ValidScalar()))
	return p, q, a, s, elem(r, denominator(r, oracle.G))
}

func BenchmarkDouble(b *testing.B) {
	p, _, _, _, _ := points(b)
	for b.Loop() {
		p.Double(&p)
	}
}

func BenchmarkAdd(b *testing.B) {
	p, q, _, _, _ := points(b)
	for b.Loop() {
		p.Add(&p, &q)
	}
}

func BenchmarkAddVartime(b *testing.B) {
	p, q, _, _, _ := points(b)
	for b.Loop() {
		p.AddVartime(&p, &q)
	}
}

func BenchmarkAddMixed(b *testing.B) {
	p, _, a, _, _ := points(b)
	for b.Loop() {
		p.AddMixed(&p, &a)
	}
}

func BenchmarkAddMixedVartime(b *testing.B) {
	p, _, a, _, _ := points(b)
	for b.Loop() {
		p.AddMixedVartime(&p, &a.X, &a.Y)
	}
}

func BenchmarkDoubleAdd(b *testing.B) {
	p, _, a, _, _ := points(b)
	for b.Loop() {
		p.DoubleAdd(&p, &a)
	}
}

func BenchmarkXYZZAddMixed(b *testing.B) {
	_, _, a, s, _ := points(b)
	for b.Loop() {
		s.AddMixed(&s, &a)
	}
}

func BenchmarkXYZZAddMixedComplete(b *testing.B) {
	_, _, a, s, _ := points(b)
	for b.Loop() {
		s.AddMixedComplete(&s, &a)
	}
}

func BenchmarkEqual(b *testing.B) {
	p, q, _, _, _ := points(b)
	for b.Loop() {
		q.Select(&q, &q, p.Equal(&q))
	}
}

func BenchmarkToAffine(b *testing.B) {
	p, _, a, _, _ := points(b)
	for b.Loop() {
		a.ToAffine(&p)
		p.Z.Set(&a.X)
	}
}

func BenchmarkToAffineVartime(b *testing.B) {
	p, _, a, _, _ := points(b)
	for b.Loop() {
		a.ToAffineVartime(&p)
		p.Z.Set(&a.X)
	}
}

func BenchmarkBatchToAffineVartime(b *testing.B) {
	const n = 32
	p, q, _, _, _ := points(b)
	var src [n]Jacobian
	var dst [n]Affine
	for i := range src {
		p.AddVartime(&p, &q)
		src[i].Set(&p)
	}
	for b.Loop() {
		BatchToAffineVartime(dst[:], src[:])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/point")
}

func BenchmarkLiftX(b *testing.B) {
	_, _, a, _, _ := points(b)
	for b.Loop() {
		a.LiftX(&a.X)
		a.X.Add(&a.X, &a.Y)
	}
}

func BenchmarkIsOnCurve(b *testing.B) {
	_, _, a, _, _ := points(b)
	for b.Loop() {
		a.Y.CondNegate(&a.Y, a.IsOnCurve())
	}
}
