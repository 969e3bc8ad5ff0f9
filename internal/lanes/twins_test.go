package lanes

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
)

// same fails the test if any elements differ modulo p or limb 4 of an element of got exceeds its bound.
func same(t *testing.T, name string, k uint8, got, want []*Element) {
	t.Helper()
	for j := range got {
		got[j].bounded(t, name)
		for i := range N {
			if g, w := got[j].value(i), want[j].value(i); g.Cmp(w) != 0 {
				t.Fatalf("%s, lanes %08b: element %d, lane %d is %x, want %x", name, k, j, i, g, w)
			}
		}
	}
}

// extreme sets each limb to the largest value that it may have, or to a value near a carry.
func (e *Element) extreme(r *oracle.Rand) {
	for k := range e {
		for i := range N {
			e[k][i] = 1<<64 - 1
			switch r.IntN(4) {
			case 0:
				e[k][i] = limbMask
			case 1:
				e[k][i] = limbMask<<r.IntN(limbBits) | 1<<r.IntN(limbBits)
			}
		}
	}
	for i := range N {
		e[4][i] &= 1<<49 - 1
	}
}

// TestTwins compares the assembly of arithmetic and point formulas with its twins in Go, for every mask k of lanes. The
// coordinates are random and mostly belong to no point, because a formula is a polynomial, which both versions compute
// for all coordinates.
func TestTwins(t *testing.T) {
	asmtest.Need(t, platform.IFMA, asmtest.AVX512)
	r, w, v := oracle.New(t), new(points), new(points)
	for round := range max(256, oracle.Cases(2000)) {
		fill := (*Element).random
		if round%3 == 0 {
			fill = (*Element).extreme
		}
		for _, e := range []*Element{&w.j.X, &w.j.Y, &w.j.Z, &w.a.X, &w.a.Y, &w.b.X, &w.b.Y, &w.c, &w.s.X, &w.s.Y, &w.s.ZZ, &w.s.ZZZ, &w.q.X, &w.q.Y, &w.q.ZZ, &w.q.ZZZ} {
			fill(e, r)
		}
		*v = *w
		k, minus, n := uint8(round), uint8(r.Uint64()), 1+r.IntN(4)
		jacobian := func(p *Jacobian2Y) []*Element { return []*Element{&p.X, &p.Y, &p.Z} }
		xyzz := func(p *XYZZ) []*Element { return []*Element{&p.X, &p.Y, &p.ZZ, &p.ZZZ} }
		affine := func(p *Affine) []*Element { return []*Element{&p.X, &p.Y} }

		addMixed(&w.j, &w.a.X, &w.a.Y, k)
		addMixedGeneric(&v.j, &v.a.X, &v.a.Y, k)
		same(t, "addMixed", k, jacobian(&w.j), jacobian(&v.j))
		doubleNegateN(&w.j, n)
		doubleNegateNGeneric(&v.j, n)
		same(t, "doubleNegateN", 0, jacobian(&w.j), jacobian(&v.j))
		w.pair = [2]Jacobian2Y{w.j, {w.a.X, w.s.Y, w.s.ZZ}}
		if round%4 == 0 {
			w.pair[round/4%2] = Jacobian2Y{}
		}
		v.pair = w.pair
		doubleNegatePairNVartime(&w.pair, n)
		doubleNegatePairNGeneric(&v.pair, n)
		same(t, "doubleNegatePairNVartime", 0, append(jacobian(&w.pair[0]), jacobian(&w.pair[1])...), append(jacobian(&v.pair[0]), jacobian(&v.pair[1])...))
		addMixedXYZZ(&w.s, &w.a.X, &w.a.Y, minus, k)
		addMixedXYZZGeneric(&v.s, &v.a.X, &v.a.Y, minus, k)
		same(t, "addMixedXYZZ", k, xyzz(&w.s), xyzz(&v.s))
		addXYZZ(&w.s, &w.q)
		addXYZZGeneric(&v.s, &v.q)
		same(t, "addXYZZ", 0, xyzz(&w.s), xyzz(&v.s))
		addCoZ(&w.d, &w.a, &w.b, &w.c)
		addCoZGeneric(&v.d, &v.a, &v.b, &v.c)
		same(t, "addCoZ", 0, append(affine(&w.a), &w.d.X, &w.d.Y, &w.c), append(affine(&v.a), &v.d.X, &v.d.Y, &v.c))

		w.x, w.y = [2]Affine{w.a, {w.q.X, w.q.Y}}, [2]Affine{w.b, {w.q.ZZ, w.q.ZZZ}}
		w.before, w.inverse = [2]Element{w.s.X, w.s.Y}, [2]Element{w.c, w.s.ZZ}
		v.x, v.y, v.before, v.inverse = w.x, w.y, w.before, w.inverse
		addAffinePairVartime(&w.x, &w.y, &w.before, &w.inverse)
		addAffinePairGeneric(&v.x, &v.y, &v.before, &v.inverse)
		for i := range w.x {
			same(t, "addAffinePairVartime", 0, append(affine(&w.x[i]), &w.inverse[i]), append(affine(&v.x[i]), &v.inverse[i]))
		}
		e, f := elements(), elements()
		pair, twin := (*[2]Element)(e[:]), (*[2]Element)(f[:])
		e[2], e[3] = w.q.X, w.q.Y
		squarePairN(pair, (*[2]Element)(e[2:]), n)
		squarePairNGeneric(twin, (*[2]Element)(e[2:]), n)
		same(t, "squarePairN", 0, []*Element{&e[0], &e[1]}, []*Element{&f[0], &f[1]})
		triple, triples := (*[3]Element)(e[:]), (*[3]Element)(f[:])
		e[3], e[4], e[5] = w.q.X, w.q.Y, w.q.ZZ
		squareTripleN(triple, (*[3]Element)(e[3:]), n)
		squareTripleNGeneric(triples, (*[3]Element)(e[3:]), n)
		same(t, "squareTripleN", 0, []*Element{&e[0], &e[1], &e[2]}, []*Element{&f[0], &f[1], &f[2]})
		var words, twins Words
		pack(&words, &w.q.X)
		packGeneric(&twins, &w.q.X)
		if words != twins {
			t.Fatalf("pack: %x, want %x", words, twins)
		}
		words[r.IntN(4)][r.IntN(N)] = r.Uint64()
		unpack(&e[0], &words)
		unpackGeneric(&f[0], &words)
		same(t, "unpack", 0, []*Element{&e[0]}, []*Element{&f[0]})

		// The result may be an operand.
		x, y, z := &w.q.X, &w.q.Y, &v.q.ZZ
		for _, f := range []struct {
			name          string
			routine, twin func(r, a, b *Element)
		}{
			{"mul", mul, mulGeneric},
			{"squareN", func(r, a, _ *Element) { squareN(r, a, n) }, func(r, a, _ *Element) { squareNGeneric(r, a, n) }},
			{"add", add, addGeneric},
			{"sub", sub, subGeneric},
			{"negate", func(r, a, _ *Element) { negate(r, a, k) }, func(r, a, _ *Element) { negateGeneric(r, a, k) }},
			{"blend", func(r, a, b *Element) { blend(r, a, b, k) }, func(r, a, b *Element) { blendGeneric(r, a, b, k) }},
			{"normalize", func(r, a, _ *Element) { normalize(r, a) }, func(r, a, _ *Element) { normalizeGeneric(r, a) }},
		} {
			a, b := *x, *y
			f.twin(z, &a, &b)
			f.routine(&w.c, x, y)
			same(t, f.name, k, []*Element{&w.c, x, y}, []*Element{z, &a, &b})
			f.routine(x, x, y)
			same(t, f.name+" over a", k, []*Element{x}, []*Element{z})
			*x = a
			f.routine(y, x, y)
			same(t, f.name+" over b", k, []*Element{y}, []*Element{z})
			*y = b
		}
	}
	t.Logf("result: %d cases of each routine on lanes with that in Go", N*max(256, oracle.Cases(2000)))
}
