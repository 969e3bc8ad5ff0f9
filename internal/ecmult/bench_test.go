package ecmult

import (
	"fmt"
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// random returns scalars and a point whose values the compiler cannot know.
func random(b *testing.B) (g, k scalar.Scalar, p group.Jacobian) {
	b.ReportAllocs()
	r := oracle.NewSeeded(b.Name())
	uniform := func() scalar.Scalar { return scalarOf(oracle.Int(r.Bytes(32))) }
	p.SetAffine(&group.Generator)
	g, k = uniform(), uniform()
	Variable(&p, &k, &p)
	DoubleScalarVartime(&p, &k, &p, &g) // also builds the tables
	return g, k, p
}

func BenchmarkBase(b *testing.B) {
	g, k, p := random(b)
	for b.Loop() {
		Base(&p, &k)
		k.Add(&k, &g)
	}
}

func BenchmarkBaseWithoutLanes(b *testing.B) {
	g, k, p := random(b)
	for b.Loop() {
		base(&p, &k)
		k.Add(&k, &g)
	}
}

func BenchmarkVariable(b *testing.B) {
	g, k, p := random(b)
	for b.Loop() {
		Variable(&p, &k, &p)
		k.Add(&k, &g)
	}
}

func BenchmarkDoubleScalarVartime(b *testing.B) {
	g, k, p := random(b)
	for b.Loop() {
		DoubleScalarVartime(&p, &k, &p, &g)
		k.Add(&k, &g)
	}
}

func BenchmarkSumVartime(b *testing.B) {
	for _, n := range []int{1, 2, 8, 32} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g, k, p := random(b)
			terms, fresh := make([]Term, n), make([]Term, n)
			for i := range fresh {
				fresh[i] = Term{Scalar: k, Point: p}
				k.Add(&k, &g)
				p.Double(&p)
			}
			for b.Loop() {
				copy(terms, fresh)
				SumVartime(&p, &g, terms)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/term")
		})
	}
}

// BenchmarkShared measures building the tables that the products of a point share, and computing one such product.
func BenchmarkShared(b *testing.B) {
	g, k, p := random(b)
	var a group.Affine
	a.ToAffineVartime(&p)
	var t Shared
	b.Run("tables", func(b *testing.B) {
		for b.Loop() {
			t.SetVartime(&a)
		}
	})
	b.Run("product", func(b *testing.B) {
		for b.Loop() {
			t.DoubleScalarVartime(&p, &k, &g)
			k.Add(&k, &g)
			g.Mul(&g, &k)
		}
	})
}
