package main

import (
	"math/big"
	"slices"
	_ "unsafe" // for linkname

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

func multiplications() []*operation {
	return []*operation{lookups(16), lookups(32), base(), variable(), double(), sumVartime()}
}

// entry is a point in a table for secret digits.
type entry struct{ x, y word }

// lookup sets p to the point of a table for a signed odd digit. Only the assembly and its twin know it.
//
//go:linkname lookup p256k1.mleku.dev/v2/internal/ecmult.lookup
func lookup(p *group.Affine, table []entry, window uint64)

// lookups reads a table of n entries, which belong to no point, at any of the addresses that Go can give it.
func lookups(n int) *operation {
	var p group.Affine
	memory := make([]entry, n+1)
	return &operation{
		name: "ecmult lookup of " + big.NewInt(int64(n)).String(), often: quick, exact: limbs, every: 1,
		draw: func(t *trial) {
			t.takes(t.value(), t.value(), word{t.bits(), uint64(t.below(2 * n)), uint64(t.below(2))})
		},
		do: func(t *trial) {
			// The entry that counts, and others all around it.
			random, window := t.in[2][0], t.in[2][1]
			table := memory[t.in[2][2]:][:n]
			for i := range table {
				random = random*0x9e3779b97f4a7c15 + 1
				table[i] = entry{word{random, ^random, random, ^random}, word{^uint64(0), random, ^uint64(0), random}}
			}
			table[place(window, n)] = entry{t.in[0], t.in[1]}
			lookup(&p, table, window)
			limbsOf(t, &p.X, &p.Y)
		},
		check: func(t *trial, b *bigs) verdict {
			integer(&b.y, t.in[1])
			if t.in[2][1] < uint64(n) {
				b.y.Neg(&b.y)
			}
			return verdictOf(t.out[0] == t.in[0] && b.congruent(t.out[1], &b.y, t.pool.field))
		},
	}
}

// place returns where the odd digit 2·window − (2n − 1) has its absolute value in the table 1, 3, …
func place(window uint64, n int) int {
	digit := 2*int(window) - (2*n - 1)
	return max(digit, -digit) / 2
}

func base() *operation {
	var p group.Jacobian
	return &operation{
		name: "ecmult Base", often: slow, exact: points, every: 16, easy: func(t *trial) bool { return small(t.in[0]) },
		draw: func(t *trial) { t.takes(t.scalar()) },
		do: func(t *trial) {
			k := scalarOf(t.in[0])
			ecmult.Base(&p, &k)
			t.keeps(k.Limbs() == t.in[0])
			pointOf(t, &p)
		},
		check: func(t *trial, _ *bigs) verdict {
			return verdictOf(isPoint(t.out, oracle.G.Mul(oracle.FromLimbs(t.in[0]))))
		},
	}
}

// scalar returns a scalar.
func (d *draw) scalar() word {
	a, b := d.pair(d.pool.scalar)
	if d.bits()&1 == 0 {
		return b
	}
	return a
}

// small reports whether a multiplication by k takes little time in math/big.
func small(k word) bool { return k[0] < 1<<10 && k[1]|k[2]|k[3] == 0 }

// multiplication is p = f(k, a), where p may be a.
func multiplication(name string, draw func(t *trial), f func(t *trial, p, a *group.Jacobian), want func(t *trial) oracle.Point) *operation {
	op := toJacobian(name, slow, points, draw, f, nil)
	op.every = 32
	op.easy = func(t *trial) bool {
		return residue(t.in[2]) == word{} || !slices.ContainsFunc(t.in[3:], func(k word) bool { return !small(k) })
	}
	op.check = func(t *trial, _ *bigs) verdict { return verdictOf(isPoint(t.out, want(t))) }
	return op
}

// drawPoint takes a point of the curve, often a small multiple of G, or infinity.
func drawPoint(t *trial) {
	q := t.affine()
	x, y := q.x, q.y
	if t.one(8) {
		x, y = t.other(t.pool.generator)
	}
	x, y, z := t.jacobian(x, y)
	if t.one(32) {
		z = t.infinity()
	}
	t.takes(x, y, z)
}

func variable() *operation {
	var k scalar.Scalar
	return multiplication("ecmult Variable", with(drawPoint, func(t *trial) word { return t.scalar() }), func(t *trial, p, a *group.Jacobian) {
		k = scalarOf(t.in[3])
		ecmult.Variable(p, &k, a)
		t.keeps(k.Limbs() == t.in[3])
	}, func(t *trial) oracle.Point {
		return jacobianPoint(t.in).Mul(oracle.FromLimbs(t.in[3]))
	})
}

func double() *operation {
	var g, k scalar.Scalar
	return multiplication("ecmult DoubleScalarVartime", func(t *trial) {
		drawPoint(t)
		g, k := t.pair(t.pool.scalar)
		if t.one(8) { // together infinity, for some multiples of G
			v := oracle.Fn.Neg(oracle.FromLimbs(k))
			for range t.below(3) {
				v = oracle.Fn.Mul(v, oracle.Lambda)
			}
			g = oracle.Limbs(v)
		}
		t.takes(k, g)
	}, func(t *trial, p, a *group.Jacobian) {
		k, g = scalarOf(t.in[3]), scalarOf(t.in[4])
		ecmult.DoubleScalarVartime(p, &k, a, &g)
		t.keeps(k.Limbs() == t.in[3] && g.Limbs() == t.in[4])
	}, func(t *trial) oracle.Point {
		return jacobianPoint(t.in).Mul(oracle.FromLimbs(t.in[3])).Add(oracle.G.Mul(oracle.FromLimbs(t.in[4])))
	})
}

// sumVartime has up to 6 terms, many of which cancel, are equal, or add up to what G is multiplied by.
func sumVartime() *operation {
	const most = 6
	var p group.Jacobian
	var g scalar.Scalar
	return &operation{
		name: "ecmult SumVartime", often: slow, exact: points, every: 64,
		draw: func(t *trial) {
			t.takes(t.scalar())
			for i := range t.below(most + 1) {
				drawPoint(t)
				k, k2 := t.pair(t.pool.scalar)
				if last := t.in[len(t.in)-3:]; i > 0 && t.one(3) { // the same point as before, or its negative
					before := t.in[len(t.in)-7:]
					copy(last, before[:3])
					if k = k2; t.bits()&1 == 0 {
						k = before[3]
					}
					if t.bits()&1 == 0 {
						last[1] = difference(t.pool.field.modulus, residue(last[1]))
					}
				}
				t.takes(k)
			}
		},
		do: func(t *trial) {
			g = scalarOf(t.in[0])
			terms := make([]ecmult.Term, len(t.in)/4)
			for i := range terms {
				w := t.in[1+4*i:]
				terms[i].Point, terms[i].Scalar = jacobian(w), scalarOf(w[3])
			}
			ecmult.SumVartime(&p, &g, terms)
			t.keeps(g.Limbs() == t.in[0])
			for i := range terms {
				w := t.in[1+4*i:]
				t.keepsJacobian(&terms[i].Point, w)
				t.keeps(terms[i].Scalar.Limbs() == w[3])
			}
			pointOf(t, &p)
		},
		check: func(t *trial, _ *bigs) verdict {
			want := oracle.G.Mul(oracle.FromLimbs(t.in[0]))
			for i := range len(t.in) / 4 {
				w := t.in[1+4*i:]
				want = want.Add(jacobianPoint(w).Mul(oracle.FromLimbs(w[3])))
			}
			return verdictOf(isPoint(t.out, want))
		},
	}
}
