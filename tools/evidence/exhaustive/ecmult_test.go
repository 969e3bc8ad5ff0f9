//go:build exhaustive

package exhaustive

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// TestTables checks all entries of the tables of multiples of G.
func TestTables(t *testing.T) {
	c := newCount(t, "tables of G")
	one := affines[1].X
	check := func(name string, p *group.Affine, k int) {
		failIf(t, !isAffine(p, &one, mod(k)), "%s: an entry is not %d·G", name, mod(k))
		c.add("entries")
		c.addIf(k%n == 0, "of them infinity")
	}
	power := 1
	for _, row := range ecmult.BaseTable() {
		for j := range row {
			check("the table of Base", &row[j], (2*j+1)*power)
		}
		power = power << ecmult.BaseWidth % n
	}
	const half = 1 << (ecmult.GeneratorWidth - 1)
	table := ecmult.GeneratorTable()
	failIf(t, len(table) != half/2*half, "the table of the generator has %d entries", len(table))
	for i := range table {
		a, b := 2*(i/half)+1, 2*(i%half)
		if b >= half {
			b -= 2 * half
		}
		check("the table of the generator", &table[i], a+b*params.Lambda)
	}
}

// TestPointTables checks the tables of every point, and of several points with a common denominator.
func TestPointTables(t *testing.T) {
	c := newCount(t, "tables of every point")
	check := func(name string, p *group.Affine, z *group.Jacobian, k int) {
		failIf(t, !isAffine(p, &z.Z, mod(k)), "%s: an entry is not %d·G", name, mod(k))
		c.add("entries")
	}
	for range rounds(t, 20, n) {
		for k := 1; k < n; k++ {
			p := jacobian(c.Rand, k)
			var z group.Jacobian
			table, common := ecmult.OddMultiples(&p)
			z.Z = common
			for i := range table {
				check("odd multiples", &table[i], &z, (2*i+1)*k)
			}
			terms := make([]ecmult.Term, 1+c.IntN(4))
			logs := make([]int, len(terms))
			for i := range terms {
				if logs[i] = k; i > 0 {
					logs[i] = c.IntN(n)
				}
				terms[i].Point = jacobian(c.Rand, logs[i])
			}
			z.Z = ecmult.PointTables(terms)
			for i := range terms {
				if logs[i] == 0 {
					continue
				}
				for j, m := range ecmult.PointMultiples() {
					k := logs[i] * (m[0] + m[1]*params.Lambda) % n
					for power := range 3 {
						p, negative := terms[i].Entry(j, power)
						check("table of a term", &p, &z, k)
						check("table of a term", &negative, &z, -k)
						k = k * params.Lambda % n
					}
				}
			}
		}
	}
}

// TestProducts computes g·G + k·A + … for every g, k and A, with the functions for each number of products.
func TestProducts(t *testing.T) {
	for _, f := range []struct {
		name          string
		g, terms      int // the number of values of g, which is 1 without G or n for all scalars; the number of products
		rounds, limit int // limit of tuples; with more than one round, the least and greatest lifts are tried too
		compute       func(p *group.Jacobian, g *scalar.Scalar, terms []ecmult.Term)
	}{
		{"Base", n, 0, max(2, cases(t)/2/n), n, func(p *group.Jacobian, g *scalar.Scalar, _ []ecmult.Term) { ecmult.Base(p, g) }},
		{"Variable", 1, 1, rounds(t, n, n), cases(t), func(p *group.Jacobian, _ *scalar.Scalar, terms []ecmult.Term) {
			p.Set(&terms[0].Point)
			ecmult.Variable(p, &terms[0].Scalar, p)
		}},
		{"DoubleScalarVartime", n, 1, rounds(t, n, n, n), cases(t), func(p *group.Jacobian, g *scalar.Scalar, terms []ecmult.Term) {
			p.Set(&terms[0].Point)
			ecmult.DoubleScalarVartime(p, &terms[0].Scalar, p, g)
		}},
		{"SumVartime of no products", n, 0, 1, cases(t) / 8, ecmult.SumVartime},
		{"SumVartime of 2 products", n, 2, 1, cases(t) / 8, ecmult.SumVartime},
		{"SumVartime of 3 products", n, 3, 1, cases(t) / 8, ecmult.SumVartime},
		{"SumVartime of 4 products", n, 4, 1, cases(t) / 8, ecmult.SumVartime},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := newCount(t, f.name)
			sizes := []int{f.g}
			terms := make([]ecmult.Term, f.terms) // reused for every sum
			for range terms {
				sizes = append(sizes, n, n)
			}
			lifts(f.rounds, func() {
				for v := range c.every(f.limit, sizes...) {
					sum := v[0]
					g := scalarOf(sum)
					for i := range terms {
						k, a := v[2*i+1], v[2*i+2]
						terms[i].Scalar, terms[i].Point = scalarOf(k), jacobian(c.Rand, a)
						sum += k * a
					}
					var p group.Jacobian
					f.compute(&p, &g, terms)
					failIf(t, !is(&p, sum%n), "%v is wrong", v)
					c.add("sums")
				}
			})
		})
	}
}

// TestPrecomputed computes g·G + k·A with the precomputed table of A, for at most 32 points A and every g and k, unless
// there are too many.
func TestPrecomputed(t *testing.T) {
	c := newCount(t, "DoubleScalarPrecomputedVartime")
	one := affines[1].X
	for a := 1; a < n; a += 1 + n/32 {
		var p group.Affine
		j := jacobian(c.Rand, a)
		p.ToAffineVartime(&j)
		table := tables.NewPrecomputedVartime(&p)
		for i, entry := range table {
			m := ecmult.PrecomputedMultiples()[i]
			want := mod(a * mod(m[0]+m[1]*params.Lambda) * mod(m[2]))
			failIf(t, !isAffine(&entry, &one, want), "entry %d of the table of %d·G is wrong", i, a)
			c.add("entries of tables")
		}
		lifts(2, func() {
			for v := range c.every(max(100, cases(t)/n), n, n) {
				g, k := v[0], v[1]
				sg, sk := scalarOf(g), scalarOf(k)
				var p group.Jacobian
				ecmult.DoubleScalarPrecomputedVartime(&p, &sk, table, &sg)
				failIf(t, !is(&p, (g+k*a)%n), "%d·G + %d·(%d·G) is wrong", g, k, a)
				c.add("sums")
			}
		})
	}
}

// TestSumHasX asks, for A with every x and parity, whether g·G + k·A has the x coordinate of each point, with and
// without the condition that y is even. It also computes the sum. The answer Unknown is right only if g·G or k·A is
// infinity or if both have the same x.
func TestSumHasX(t *testing.T) {
	c := newCount(t, "SumHasXVartime")
	lifts(rounds(t, n, n, n, n), func() {
		for v := range c.every(cases(t)/2, n, n, n, n, 2) {
			g, k, a, even := v[0], v[1], v[2], v[4] == 1
			sum, x := mod(g+k*a), v[3]
			if a == 0 || x == 0 {
				continue
			}
			if !few && c.IntN(2) == 0 && sum != 0 {
				x = sum // otherwise almost no signature would be valid
			}
			sg, sk := scalarOf(g), scalarOf(k)
			want := ecmult.No
			switch {
			case g == 0 || mod(k*a) == 0 || g == mod(k*a) || sum == 0:
				want = ecmult.Unknown
				c.add("without an answer")
			case (sum == x || sum == mod(-x)) && !(even && odd[sum]):
				want = ecmult.Yes
				c.add("with yes")
			}
			parity := choose(odd[a], ^uint64(0), 0)
			got := ecmult.SumHasXVartime(&sk, &affines[a].X, parity, &sg, &affines[x].X, even)
			same(t, got, want, "%d·G + %d·(%d·G) has the x of %d·G, even %v", g, k, a, x, even)
			c.add("questions")
			var p group.Affine
			known := ecmult.SumOfXVartime(&p, &sk, &affines[a].X, parity, &sg)
			failIf(t, known != (want != ecmult.Unknown) || (known && !isAffine(&p, &affines[1].X, sum)),
				"%d·G + %d·(%d·G), with the root of x: %v, %x and %x", g, k, a, known, p.X.Limbs(), p.Y.Limbs())
		}
	})
	if c.results["with yes"] == 0 || c.results["without an answer"] == 0 {
		t.Errorf("not all answers occurred: %v", c.results)
	}
}
