package ecmult

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

// precomputed returns the table of a finite point.
func precomputed(p oracle.Point) *tables.Precomputed {
	return tables.NewPrecomputedVartime(&group.Affine{X: elem(p.X), Y: elem(p.Y)})
}

// meet returns k, g and k·log for the sum k·P + g·G, where P = log·G. It often changes k or g so that the sum is
// infinity or adds equal points, or so that a scalar is 0 or an edge case.
func meet(r *oracle.Rand, k, g, log *big.Int, edges []*big.Int) (newK, newG, product *big.Int) {
	product = fn.Mul(k, log)
	switch r.IntN(8) {
	case 0:
		k, product = new(big.Int), new(big.Int)
	case 1:
		g = new(big.Int)
	case 2: // the sum is infinity
		g = fn.Neg(product)
	case 3: // the two products are equal
		g = product
	case 4: // the two products are equal up to a factor λ
		g = fn.Mul(product, oracle.Lambda)
	case 5:
		g = edges[r.IntN(len(edges))]
	}
	return k, g, product
}

// TestDoubleScalarPrecomputedVartime compares k·P + g·G with the oracle, for sums that are infinity or add equal
// points, and for edge cases of scalars.
func TestDoubleScalarPrecomputedVartime(t *testing.T) {
	r := oracle.New(t)
	points, logs := logarithms(r)
	var edges []*big.Int
	for _, e := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
		for _, k := range e {
			edges = append(edges, fn.Reduce(oracle.Int(k[:])))
		}
	}
	infinite := 0
	for i, p := range points {
		if p.IsInfinity() || (i > 20 && r.IntN(32) != 0) {
			continue
		}
		table, log := precomputed(p), logs[i]
		for range oracle.Cases(50) {
			k, g := r.Scalar(), r.Scalar()
			if r.IntN(2) == 0 {
				k = edges[r.IntN(len(edges))]
			}
			k, g, product := meet(r, k, g, log, edges)
			want := oracle.G.Mul(fn.Add(g, product))
			if want.IsInfinity() {
				infinite++
			}
			v := jacobian(r, r.Point())
			gs, ks := scalarOf(g), scalarOf(k)
			DoubleScalarPrecomputedVartime(&v, &ks, table, &gs)
			if !point(&v).Equal(want) {
				t.Fatalf("%x·G + %x·%x = %x, want %x", g, k, p, point(&v), want)
			}
		}
	}
	if infinite < oracle.Cases(100) {
		t.Errorf("only %d sums were infinity", infinite)
	}
}

// TestPrecomputedExceptions computes sums that may become infinity, or be doubled, before their last digit: k·(−G) +
// g·G, where k is a digit at one place, and g is ±k plus a small number times a unit.
func TestPrecomputedExceptions(t *testing.T) {
	r := oracle.New(t)
	table := precomputed(oracle.G.Neg())
	for range oracle.Cases(2000) {
		place := uint(1 + r.IntN(recode.PrecomputedKey.Places-2))
		k := new(big.Int).Lsh(big.NewInt(1+r.Int64N(8)), uint(recode.PrecomputedKey.Width)*place)
		more := big.NewInt(r.Int64N(8))
		for range r.IntN(3) {
			k = fn.Mul(k, oracle.Lambda)
		}
		for range r.IntN(3) {
			more = fn.Mul(more, oracle.Lambda)
		}
		for _, g := range []*big.Int{fn.Add(k, more), fn.Sub(more, k)} {
			var v group.Jacobian
			ks, gs := scalarOf(k), scalarOf(g)
			DoubleScalarPrecomputedVartime(&v, &ks, table, &gs)
			if want := fn.Sub(g, k); !point(&v).Equal(oracle.G.Mul(want)) {
				t.Fatalf("%x·G + %x·−G = %x", g, k, point(&v))
			}
		}
	}
}

// TestPrecomputedFallback adds 16 points ±16ⁱ·G and 32ʲ·G, two in each lane of package lanes. The points in one lane
// are equal or opposite, so lanes fail, and the sum is computed again.
func TestPrecomputedFallback(t *testing.T) {
	k, g := new(big.Int), new(big.Int)
	for _, i := range []uint{0, 1, 2, 3, 4, 6, 7, 8} {
		k.Add(k, pow2(uint(recode.PrecomputedKey.Width)*i))
	}
	for _, j := range []uint{0, 1, 2, 3, 5, 6, 7, 9} {
		g.Add(g, pow2(uint(recode.PrecomputedGenerator.Width)*j))
	}
	for _, p := range []oracle.Point{oracle.G, oracle.G.Neg()} {
		var terms [2]precomputedTerm
		var s group.XYZZ
		var v group.Jacobian
		table, ks, gs := precomputed(p), scalarOf(k), scalarOf(g)
		terms[0].setVartime(table[:], &ks, &recode.PrecomputedKey)
		terms[1].setGeneratorVartime(&gs)
		if n := termsOf(terms[:]); n != 16 || (platform.TermsInLanes(n) && sumInLanesVartime(&s, terms[:])) {
			t.Errorf("%d digits in lanes do not fail", n)
		}
		DoubleScalarPrecomputedVartime(&v, &ks, table, &gs)
		if want := p.Mul(k).Add(oracle.G.Mul(g)); !point(&v).Equal(want) {
			t.Errorf("%x·%x + %x·G = %x, want %x", k, p, g, point(&v), want)
		}
	}
}

func BenchmarkDoubleScalarPrecomputedVartime(b *testing.B) {
	g, k, p := random(b)
	var a group.Affine
	a.ToAffine(&p)
	table := tables.NewPrecomputedVartime(&a)
	for b.Loop() {
		DoubleScalarPrecomputedVartime(&p, &k, table, &g)
		k.Add(&k, &g)
	}
}

func BenchmarkNewPrecomputedVartime(b *testing.B) {
	_, _, p := random(b)
	var a group.Affine
	a.ToAffine(&p)
	for b.Loop() {
		tables.NewPrecomputedVartime(&a)
	}
}
