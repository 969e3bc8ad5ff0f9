//go:build exhaustive

package exhaustive

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/params"
)

// TestTables reads all tables of multiples of G.
func TestTables(t *testing.T) {
	one := affines[1].X
	entries, infinite := 0, 0
	check := func(name string, p *group.Affine, k int) {
		t.Helper()
		if !isAffine(p, &one, mod(k)) {
			t.Fatalf("%s: an entry is not %d·G", name, mod(k))
		}
		if entries++; k%n == 0 {
			infinite++
		}
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
	if len(table) != half/2*half {
		t.Fatalf("the table of the generator has %d entries", len(table))
	}
	for i := range table {
		a, b := 2*(i/half)+1, 2*(i%half)
		if b >= half {
			b -= 2 * half
		}
		check("the table of the generator", &table[i], a+b*params.Lambda)
	}
	t.Logf("result: order %d: tables of G: %d entries, %d of them infinity", n, entries, infinite)
}

// TestPointTables makes the tables of every point, and of several that share their denominator.
func TestPointTables(t *testing.T) {
	r := newRand(t)
	entries := 0
	check := func(name string, p *group.Affine, z *group.Jacobian, k int) {
		t.Helper()
		if !isAffine(p, &z.Z, mod(k)) {
			t.Fatalf("%s: an entry is not %d·G", name, mod(k))
		}
		entries++
	}
	for range rounds(t, 20, n) {
		for k := 1; k < n; k++ {
			p := jacobian(r, k)
			var z group.Jacobian
			table, common := ecmult.OddMultiples(&p)
			z.Z = common
			for i := range table {
				check("odd multiples", &table[i], &z, (2*i+1)*k)
			}
			terms := make([]ecmult.Term, 1+r.IntN(4))
			logs := make([]int, len(terms))
			for i := range terms {
				if logs[i] = k; i > 0 {
					logs[i] = r.IntN(n)
				}
				terms[i].Point = jacobian(r, logs[i])
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
	t.Logf("result: order %d: tables of every point: %d entries", n, entries)
}

// TestBase multiplies G by every scalar.
func TestBase(t *testing.T) {
	newRand(t)
	products := 0
	lifts(max(2, cases(t)/2/n), func() {
		for k := range n {
			s := scalarOf(k)
			var p group.Jacobian
			if ecmult.Base(&p, &s); !is(&p, k) {
				t.Fatalf("%d·G is wrong", k)
			}
			products++
		}
	})
	t.Logf("result: order %d: Base: %d products with every scalar", n, products)
}

// TestVariable multiplies every point by every scalar.
func TestVariable(t *testing.T) {
	r := newRand(t)
	products := 0
	var how string
	lifts(rounds(t, n, n), func() {
		for v := range every(r, cases(t), &how, n, n) {
			k, a := v[0], v[1]
			s, p := scalarOf(k), jacobian(r, a)
			if ecmult.Variable(&p, &s, &p); !is(&p, k*a%n) {
				t.Fatalf("%d·(%d·G) is wrong", k, a)
			}
			products++
		}
	})
	t.Logf("result: order %d: Variable: %d products (%s)", n, products, how)
}

// TestDouble computes g·G + k·A for every g, k and A.
func TestDouble(t *testing.T) {
	r := newRand(t)
	products := 0
	var how string
	lifts(rounds(t, n, n, n), func() {
		for v := range every(r, cases(t), &how, n, n, n) {
			g, k, a := v[0], v[1], v[2]
			sg, sk, p := scalarOf(g), scalarOf(k), jacobian(r, a)
			if ecmult.DoubleScalarVartime(&p, &sk, &p, &sg); !is(&p, (g+k*a)%n) {
				t.Fatalf("%d·G + %d·(%d·G) is wrong", g, k, a)
			}
			products++
		}
	})
	t.Logf("result: order %d: DoubleScalarVartime: %d sums (%s)", n, products, how)
}

// TestPrecomputed computes g·G + k·A for every g, k and A, with the multiples of A.
func TestPrecomputed(t *testing.T) {
	r := newRand(t)
	products, entries := 0, 0
	var how string
	one := affines[1].X
	for a := 1; a < n; a += 1 + n/32 {
		var p group.Affine
		j := jacobian(r, a)
		p.ToAffineVartime(&j)
		table := ecmult.NewPrecomputedVartime(&p)
		for i, entry := range table.Multiples() {
			if m := ecmult.PrecomputedMultiples()[i]; !isAffine(&entry, &one, mod(a*mod(m[0]+m[1]*params.Lambda)*mod(m[2]))) {
				t.Fatalf("entry %d of the table of %d·G is wrong", i, a)
			}
			entries++
		}
		lifts(2, func() {
			for v := range every(r, max(100, cases(t)/n), &how, n, n) {
				g, k := v[0], v[1]
				sg, sk := scalarOf(g), scalarOf(k)
				var p group.Jacobian
				if ecmult.DoubleScalarPrecomputedVartime(&p, &sk, table, &sg); !is(&p, (g+k*a)%n) {
					t.Fatalf("%d·G + %d·(%d·G) is wrong", g, k, a)
				}
				products++
			}
		})
	}
	t.Logf("result: order %d: DoubleScalarPrecomputedVartime: %d sums (%s), tables of %d entries", n, products, how, entries)
}

// TestSum computes sums of none to four products with that of G.
func TestSum(t *testing.T) {
	r := newRand(t)
	for size := range 5 {
		sums := 0
		var how string
		sizes := []int{n}
		terms := make([]ecmult.Term, size) // used again and again
		for range size {
			sizes = append(sizes, n, n)
		}
		if size == 1 {
			continue // TestDouble
		}
		for v := range every(r, cases(t)/8, &how, sizes...) {
			sum := v[0]
			g := scalarOf(sum)
			for i := range terms {
				k, a := v[2*i+1], v[2*i+2]
				terms[i].Scalar, terms[i].Point = scalarOf(k), jacobian(r, a)
				sum += k * a
			}
			var p group.Jacobian
			if ecmult.SumVartime(&p, &g, terms); !is(&p, sum%n) {
				t.Fatalf("the sum of the products of %v is wrong", v)
			}
			sums++
		}
		t.Logf("result: order %d: SumVartime: %d sums of %d products and that of G (%s)", n, sums, size, how)
	}
}

// TestSumHasX asks of g·G + k·A whether it has the x coordinate of every point, for A of every x and parity, with and without the
// demand that y be even, and what the sum is. No answer is right only where a part is infinity or both have one x.
func TestSumHasX(t *testing.T) {
	r := newRand(t)
	asked, yes, unknown := 0, 0, 0
	var how string
	lifts(rounds(t, n, n, n, n), func() {
		for v := range every(r, cases(t)/2, &how, n, n, n, n, 2) {
			g, k, a, even := v[0], v[1], v[2], v[4] == 1
			sum, x := mod(g+k*a), v[3]
			if a == 0 || x == 0 {
				continue
			}
			if !few && r.IntN(2) == 0 && sum != 0 {
				x = sum // else almost none is right
			}
			sg, sk := scalarOf(g), scalarOf(k)
			want := ecmult.No
			switch {
			case g == 0 || mod(k*a) == 0 || g == mod(k*a) || sum == 0:
				want = ecmult.Unknown
				unknown++
			case (sum == x || sum == mod(-x)) && !(even && odd[sum]):
				want = ecmult.Yes
				yes++
			}
			parity := uint64(0)
			if odd[a] {
				parity = ^parity
			}
			if got := ecmult.SumHasXVartime(&sk, &affines[a].X, parity, &sg, &affines[x].X, even); got != want {
				t.Fatalf("%d·G + %d·(%d·G) has the x of %d·G, even %v: %d, want %d", g, k, a, x, even, got, want)
			}
			asked++
			var p group.Affine
			known := ecmult.SumOfXVartime(&p, &sk, &affines[a].X, parity, &sg)
			if known != (want != ecmult.Unknown) || known && !isAffine(&p, &affines[1].X, sum) {
				t.Fatalf("%d·G + %d·(%d·G), with the root of x: %v, %x and %x", g, k, a, known, p.X.Limbs(), p.Y.Limbs())
			}
		}
	})
	if yes == 0 || unknown == 0 {
		t.Errorf("%d sums with the x, %d unknown", yes, unknown)
	}
	t.Logf("result: order %d: SumHasXVartime: %d questions (%s), %d with yes, %d without an answer", n, asked, how, yes, unknown)
}
