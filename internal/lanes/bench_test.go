package lanes

import (
	"strconv"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// BenchmarkLanes measures routines of this package. The time is for all lanes of one block, or of two blocks for
// doubleNegatePairN.
func BenchmarkLanes(b *testing.B) {
	r, w := oracle.NewSeeded("benchmark"), new(points)
	heldPoints = w
	e := elements()
	for _, x := range []*Element{&w.j.X, &w.j.Y, &w.j.Z, &w.pair[0].X, &w.pair[0].Y, &w.pair[0].Z, &w.pair[1].X, &w.pair[1].Y, &w.pair[1].Z, &w.a.X, &w.a.Y, &w.b.X, &w.b.Y, &w.s.X, &w.s.Y, &w.s.ZZ, &w.s.ZZZ, &w.q.X, &w.q.Y, &w.q.ZZ, &w.q.ZZZ, &w.c, &e[0], &e[1]} {
		x.random(r)
	}
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"mul, dependent", func() { mul(&e[0], &e[0], &e[1]) }},
		{"mul, independent", func() { mul(&e[2], &e[0], &e[1]) }},
		{"squareN of 100", func() { squareN(&e[0], &e[0], 100) }},
		{"doubleNegateN of 1", func() { doubleNegateN(&w.j, 1) }},
		{"doubleNegateN of 3", func() { doubleNegateN(&w.j, 3) }},
		{"doubleNegatePairN of 3", func() { doubleNegatePairNVartime(&w.pair, 3) }},
		{"addMixed", func() { addMixed(&w.j, &w.a.X, &w.a.Y, 255) }},
		{"addCoZ", func() { addCoZ(&w.d, &w.a, &w.b, &w.c) }},
		{"addMixedXYZZ", func() { addMixedXYZZ(&w.s, &w.a.X, &w.a.Y, 3, 255) }},
		{"addXYZZ", func() { addXYZZ(&w.s, &w.q) }},
		{"normalize", func() { normalize(&e[3], &e[0]) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
		})
	}
}

// BenchmarkPublic measures routines for public data. The time is for all lanes of one block, of two blocks for
// doubleNegatePairN, or of three for squareTripleN.
func BenchmarkPublic(b *testing.B) {
	r, w, e := oracle.NewSeeded("benchmark"), new(points), elements()
	heldPoints = w
	for i := range e {
		e[i].randomVartime(r)
	}
	j := Jacobian2Y{e[0], e[1], e[2]}
	w.j, w.pair, w.a = j, [2]Jacobian2Y{j, j}, Affine{e[3], e[4]}
	triple := (*[3]Element)(e[:])
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"mul", func() { mulVartime(&e[5], &e[3], &e[4]) }},
		{"squareTripleN of 1", func() { squareTripleNVartime(triple, triple, 1) }},
		{"doubleNegatePairN of 1", func() { doubleNegatePairNVartime(&w.pair, 1) }},
		{"addMixed", func() { addMixedVartime(&w.j, &w.a.X, &w.a.Y, 255) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
		})
	}
}

// BenchmarkSquares measures 100 squarings of one, two or three elements whose instructions are interleaved.
func BenchmarkSquares(b *testing.B) {
	e := elements()
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"1", func() { squareN(&e[0], &e[0], 100) }},
		{"2", func() { squarePairN((*[2]Element)(e[:]), (*[2]Element)(e[:]), 100) }},
		{"3", func() { squareTripleN((*[3]Element)(e[:]), (*[3]Element)(e[:]), 100) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
		})
	}
}

var heldPoints *points // on the heap

// BenchmarkSums measures sums, their stages and LiftX, and reports the time per item.
func BenchmarkSums(b *testing.B) {
	r := oracle.NewSeeded("benchmark")
	const n = 256
	items, affine := make([]Item, n), make([]group.Affine, n)
	xs, ok := make([]field.Element, n), make([]bool, n)
	for i := range items {
		m := ordinary(r)
		items[i] = Item{K: scalarOf(m.k), G: scalarOf(m.g), D: scalarOf(m.d), X: scalarOf(m.k), A: times(m.s), OK: true}
		xs[i] = items[i].A.X
	}
	w := workspaceVartime()
	w.invertDivisorsVartime(items, true)
	p := &w.products[0]
	for _, c := range []struct {
		name  string
		items int
		run   func()
	}{
		{"EqualXModN", n, func() { EqualXModNVartime(items, true) }},
		{"EqualXModN 8", 8, func() { EqualXModNVartime(items[:8], true) }},
		{"DoubleScalar", n, func() { DoubleScalarVartime(items, true) }},
		{"LiftX", n, func() { LiftX(affine, ok, xs) }},
		{"LiftXVartime", n, func() { LiftXVartime(affine, ok, xs) }},
		{"stage", 8, func() { w.doubleScalarVartime(0, items[:8], true) }},
		{"stage", 16, func() { w.doubleScalarVartime(0, items[:16], true) }},
		{"fill", 8, func() { w.fillVartime(w.products[:1]) }},
		{"addUp", 8, func() { w.addUpVartime(1) }},
		{"addUp", 16, func() { w.addUpVartime(2) }},
		{"digits", 8, func() { p.ofG.setVartime(&w.halves); p.ofPoint.setVartime(&w.halves) }},
		{"divisors", n, func() { w.invertDivisorsVartime(items, true) }},
		{"inverses", n, func() { invertBlocksVartime(modP, w.inverse[:n/8], w.divisor[:n/8], &w.temporary[0]) }},
	} {
		b.Run(c.name+"/"+strconv.Itoa(c.items), func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.items), "ns/item")
		})
	}
}
