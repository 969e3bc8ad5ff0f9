package lanes

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// callSums computes sums, each given as a list of products in which only s and k count. It checks the sums that are
// done, and returns which sums these are.
func callSums(t *testing.T, sums [][]item) (done []bool) {
	t.Helper()
	n, terms := len(sums), 0
	for _, products := range sums {
		terms = max(terms, len(products))
	}
	k, a := make([]scalar.Scalar, n*terms), make([]group.Affine, n*terms)
	dst, done := make([]group.Jacobian, n), make([]bool, n)
	want := make([]*big.Int, n)
	for i, products := range sums {
		want[i] = new(big.Int)
		for j := range terms {
			a[j*n+i] = group.Affine{X: group.Generator.X, Y: group.Generator.Y}
			if j < len(products) {
				k[j*n+i], a[j*n+i] = scalarOf(products[j].k), times(products[j].s)
				want[i] = fn.Add(want[i], fn.Mul(products[j].k, products[j].s))
			}
		}
	}
	SumsVartime(new(SumsMemory), dst, done, k, a)
	for i := range sums {
		if !done[i] {
			continue
		}
		if want[i].Sign() == 0 {
			t.Fatalf("sum %d of %d, %v, is done and infinity", i, n, sums[i])
		}
		var got group.Affine
		got.ToAffineVartime(&dst[i])
		if p := times(want[i]); got.X.Equal(&p.X)&got.Y.Equal(&p.Y) == 0 {
			t.Fatalf("sum %d of %d, %v, is wrong", i, n, sums[i])
		}
	}
	return done
}

// TestSums computes random sums. The sums of a call have different numbers of products. All points are chosen from the
// same 40 points, so that the test is quick.
func TestSums(t *testing.T) {
	r := oracle.New(t)
	var points []*big.Int
	for range 40 {
		points = append(points, r.ValidScalar())
	}
	for n := 1; n <= parts.ProductSums; n++ {
		for _, most := range []int{1, 2, 3, parts.Terms} {
			if n > 2 && n < parts.ProductSums-1 && (n+most)%5 != 0 {
				continue
			}
			sums := make([][]item, n)
			for i := range sums {
				for j := range most - i*most/(2*n) {
					k := fn.Reduce(oracle.Int(r.Bytes(32)))
					sums[i] = append(sums[i], item{s: points[(7*i+j)%len(points)], k: k})
				}
			}
			for i, done := range callSums(t, sums) {
				if !done {
					t.Fatalf("sum %d of %d is not done", i, n)
				}
			}
		}
	}
}

// TestSumsExceptions puts exceptional sums in each lane, among ordinary sums, which must be right.
func TestSumsExceptions(t *testing.T) {
	r := oracle.New(t)
	one, number := big.NewInt(1), r.ValidScalar()
	other := ordinary(r)
	never := [][]item{ // most of these have no result in lanes
		{},
		{{s: number, k: new(big.Int)}},
		{{s: number, k: one}, {s: number, k: fn.Neg(one)}},
		{{s: number, k: other.k}, {s: fn.Neg(number), k: other.k}},
		{{s: number, k: one}, {s: number, k: one}},
		{{s: number, k: other.k}, {s: number, k: other.k}},
		{{s: fn.Mul(number, oracle.Lambda), k: one}, {s: number, k: oracle.Lambda}},
		{{s: fn.Add(number, number), k: one}, {s: number, k: big.NewInt(2)}},
		{{s: number, k: one}, {s: other.s, k: other.k}, {s: number, k: fn.Neg(fn.Add(one, fn.Mul(fn.Mul(other.s, other.k), fn.Inv(number))))}},
	}
	done := 0
	for i, products := range never {
		for lane := range parts.ProductSums {
			sums := make([][]item, parts.ProductSums)
			for j := range sums {
				sums[j] = []item{{s: big.NewInt(int64(j + 2)), k: other.k}, {s: number, k: other.g}}
			}
			sums[lane] = products
			for j, ok := range callSums(t, sums) {
				if j != lane && !ok {
					t.Errorf("beside exception %d in lane %d, sum %d is not done", i, lane, j)
				}
				if j == lane && ok {
					done++
				}
			}
		}
	}
	if done > 2*parts.ProductSums {
		t.Errorf("%d exceptional sums are done", done)
	}
	for _, edges := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
		var sums [][]item
		for i, b := range edges {
			k, l := oracle.Int(b[:]), oracle.Int(edges[len(edges)-1-i][:])
			sums = append(sums, []item{{s: number, k: k}, {s: other.s, k: l}, {s: one, k: k}})
			if len(sums) == parts.ProductSums || i == len(edges)-1 {
				callSums(t, sums)
				sums = nil
			}
		}
	}
}
