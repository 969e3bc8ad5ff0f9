package ecmult

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
)

// TestShared computes several sums for each of many points, with edge cases of scalars. Some sums are infinity or add
// equal points.
func TestShared(t *testing.T) {
	if Pieces*span <= recode.MaxPlace {
		t.Fatal("the pieces do not hold all places")
	}
	r := oracle.New(t)
	points, logs := logarithms(r)
	var edges []*big.Int
	for _, e := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
		for _, k := range e {
			edges = append(edges, fn.Reduce(oracle.Int(k[:])))
		}
	}
	for i := range uint(Pieces) { // one digit at the lowest place of a piece, and integers just below it
		edges = append(edges, pow2(span*i), fn.Neg(pow2(span*i)), new(big.Int).Sub(pow2(span*i), one), fn.Mul(pow2(span*i), oracle.Lambda))
	}
	infinite, edge := 0, 0
	var shared Shared // reused for all points, so that old tables are overwritten
	for i, p := range points {
		if p.IsInfinity() || (i > 20 && r.IntN(16) != 0) {
			continue
		}
		shared.SetVartime(&group.Affine{X: elem(p.X), Y: elem(p.Y)})
		for range oracle.Cases(50) {
			k, g := r.Scalar(), r.Scalar()
			if r.IntN(2) == 0 {
				k = edges[edge%len(edges)]
				edge++
			}
			k, g, product := meet(r, k, g, logs[i], edges)
			want := oracle.G.Mul(fn.Add(g, product))
			if want.IsInfinity() {
				infinite++
			}
			v := jacobian(r, r.Point())
			gs, ks := scalarOf(g), scalarOf(k)
			shared.DoubleScalarVartime(&v, &ks, &gs)
			if !point(&v).Equal(want) {
				t.Fatalf("%x·G + %x·%x = %x, want %x", g, k, p, point(&v), want)
			}
		}
	}
	if infinite < oracle.Cases(100) {
		t.Errorf("only %d sums were infinity", infinite)
	}
}
