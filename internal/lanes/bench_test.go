package lanes

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// BenchmarkLanes times routines for eight lanes. Divide by eight for one.
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
		{"doubleNegatePairN of 3", func() { doubleNegatePairN(&w.pair, 3) }},
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

// BenchmarkSquares times 100 squarings of each of some elements that take turns.
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
