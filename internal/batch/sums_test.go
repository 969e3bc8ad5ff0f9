package batch

import (
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// TestDoubleScalarDifferential compares batches with sums computed one by one. Scalars are zero, small or random, or
// make equal or opposite points meet, and points are small or random multiples of G. In some batches all points are
// different, and in others a few points repeat.
func TestDoubleScalarDifferential(t *testing.T) {
	r := oracle.New(t)
	rounds := oracle.Cases(300)
	draw := func() scalar.Scalar {
		switch r.IntN(20) {
		case 0:
			return scalar.Scalar{}
		case 1:
			return scalar.FromLimbs(1<<r.IntN(20), 0, 0, 0)
		}
		l := oracle.Limbs(r.Scalar())
		return scalar.FromLimbs(l[0], l[1], l[2], l[3])
	}
	infinity, count := 0, 0
	for range rounds {
		n := 1 + r.IntN(40)
		if r.IntN(10) == 0 {
			n = parts.Sums - r.IntN(20)
		}
		count += n
		k, g, d, x := make([]scalar.Scalar, n), make([]scalar.Scalar, n), make([]scalar.Scalar, n), make([]scalar.Scalar, n)
		a, want := make([]group.Affine, n), make([]group.Jacobian, n)
		var few []scalar.Scalar // if few is not empty, most points are these multiples of G
		if r.IntN(2) == 0 {
			for range 3 {
				s, minus := draw(), scalar.Scalar{}
				few = append(few, s, *minus.Negate(&s))
			}
		}
		var multiples []tables.Table
		var last scalar.Scalar // the previous point is last·G
		for i := range k {
			k[i], g[i], d[i] = draw(), draw(), draw()
			var p group.Jacobian
			s := draw()
			for s.IsZero() != 0 {
				s = draw()
			}
			if r.IntN(4) == 0 {
				s.SetUint64(1 << r.IntN(20))
			}
			if len(few) > 0 && r.IntN(8) != 0 {
				if f := few[r.IntN(len(few))]; f.IsZero() == 0 {
					s = f
				}
			}
			if len(few) > 0 && i > 0 && r.IntN(3) != 0 {
				s = last
			}
			last = s
			ecmult.Base(&p, &s)
			a[i].ToAffineVartime(&p)
			if r.IntN(40) == 0 {
				if multiples == nil {
					multiples = make([]tables.Table, n)
				}
				point := a[i]
				if r.IntN(2) == 0 {
					point.Negate(&point)
					multiples[i].Minus = ^uint64(0)
				}
				multiples[i].Multiples = tables.NewPrecomputedVartime(&point)
			}
			switch r.IntN(20) {
			case 0: // the sum is infinity
				g[i].Mul(&k[i], &s).Negate(&g[i])
			case 1: // the sum is a double
				g[i].Mul(&k[i], &s)
			}

			var inverse, dk, dg scalar.Scalar
			inverse.InvertVartime(&d[i])
			ecmult.DoubleScalarVartime(&want[i], dk.Mul(&k[i], &inverse), &p, dg.Mul(&g[i], &inverse))
			if want[i].IsInfinity() != 0 {
				infinity++
				x[i] = draw()
				continue
			}
			var q group.Affine
			var b [32]byte
			q.ToAffineVartime(&want[i])
			q.X.FillBytes(&b)
			x[i].SetBytes(&b)
			if r.IntN(3) == 0 {
				x[i].Add(&x[i], &scalar.Lambda)
			}
		}
		items := make([]Item, n)
		for i := range items {
			items[i] = Item{K: k[i], G: g[i], D: d[i], X: x[i], A: a[i], OK: r.IntN(10) != 0}
			if multiples != nil {
				items[i].Table = multiples[i]
			}
		}
		sums, compared := slices.Clone(items), slices.Clone(items)
		DoubleScalarVartime(sums, true)
		for i := range sums {
			if items[i].OK && sums[i].Sum.Equal(&want[i]) == 0 {
				t.Fatalf("item %d of %d: (%x·%x + %x·G)/%x is wrong", i, n, k[i].Limbs(), a[i].X.Limbs(), g[i].Limbs(), d[i].Limbs())
			}
		}
		NormalizeVartime(sums)
		for i := range sums {
			ok := items[i].OK && want[i].IsInfinity() == 0
			if sums[i].OK != ok || (ok && (!sums[i].IsNormalized() || sums[i].Sum.Equal(&want[i]) == 0)) {
				t.Fatalf("item %d of %d is not normalized", i, n)
			}
		}
		EqualXModNVartime(compared)
		for i := range compared {
			m := &compared[i]
			if !items[i].OK {
				if m.OK {
					t.Fatalf("item %d of %d is OK without input", i, n)
				}
				continue
			}
			if !m.Done {
				if !m.OK || m.Sum.Equal(&want[i]) == 0 {
					t.Fatalf("item %d of %d is not compared, and its sum is wrong", i, n)
				}
				continue
			}
			var zz, t1 field.Element
			l := x[i].Limbs()
			t1 = field.FromLimbs(l[0], l[1], l[2], l[3])
			zz.Square(&want[i].Z)
			same := t1.Mul(&t1, &zz).Equal(&want[i].X) != 0 && want[i].IsInfinity() == 0
			if m.OK != same {
				t.Fatalf("item %d of %d has the x coordinate: %v, want %v", i, n, m.OK, same)
			}
		}
	}
	if infinity < rounds/10 {
		t.Errorf("only %d sums are infinity", infinity)
	}
	t.Logf("result: %d sums in batches with sums one by one, of which %d are infinity", count, infinity)
}
