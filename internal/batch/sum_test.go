package batch

import (
	"fmt"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

func elem(x *big.Int) field.Element {
	l := oracle.Limbs(x)
	return field.FromLimbs(l[0], l[1], l[2], l[3])
}

func scalarOf(x *big.Int) scalar.Scalar {
	l := oracle.Limbs(x)
	return scalar.FromLimbs(l[0], l[1], l[2], l[3])
}

func affine(p oracle.Point) group.Affine { return group.Affine{X: elem(p.X), Y: elem(p.Y)} }

// is reports whether p equals the point want.
func is(p *group.Jacobian, want oracle.Point) bool {
	var w group.Jacobian
	if !want.IsInfinity() {
		a := affine(want)
		w.SetAffine(&a)
	}
	return p.Equal(&w) != 0
}

// related returns n points and their logarithms. Many of the points are equal, opposite, or images of each other under
// the endomorphism.
func related(r *oracle.Rand, n int) (points []oracle.Point, logs []*big.Int) {
	pool, poolLogs := make([]oracle.Point, 8), make([]*big.Int, 8)
	for i := range pool {
		if poolLogs[i] = r.ValidScalar(); i > 1 {
			poolLogs[i] = oracle.Fn.Mul(poolLogs[r.IntN(i)], []*big.Int{
				oracle.Lambda, big.NewInt(-1), big.NewInt(2), big.NewInt(1 << 5), oracle.Fn.Neg(oracle.Lambda),
			}[r.IntN(5)])
		}
		pool[i] = oracle.G.Mul(poolLogs[i])
	}
	points, logs = make([]oracle.Point, n), make([]*big.Int, n)
	for i := range points {
		j := r.IntN(len(pool))
		points[i], logs[i] = pool[j], poolLogs[j]
	}
	return points, logs
}

// TestAdder sums random lists, by package lanes (in Go, if the processor has no AVX-512 IFMA) and without it. In some
// lists equal or opposite points meet, and some sums are infinity.
func TestAdder(t *testing.T) {
	r := oracle.New(t)
	var s adder
	for range 300 {
		points, _ := related(r, 1+r.IntN(60))
		s.reset()
		for _, p := range points {
			s.points = append(s.points, affine(p))
		}
		lists := s.add(r.IntN(20))
		count := make([]int, len(lists))
		for i := range lists {
			count[i] = r.IntN(12)
			if r.IntN(20) == 0 {
				count[i] += 60
			}
			lists[i].n = count[i]
		}
		s.place(lists)
		want := make([]oracle.Point, len(lists))
		for i := range lists {
			for l := &lists[i]; l.n < count[i]; {
				j := r.IntN(len(points))
				if l.n > 0 && r.IntN(3) == 0 { // add an equal or opposite point
					j = int(s.terms[l.start] >> 1)
				}
				if minus := r.IntN(2); minus == 0 {
					want[i] = want[i].Add(points[j])
					s.put(l, lanes.Term(2*j))
				} else {
					want[i] = want[i].Add(points[j].Neg())
					s.put(l, lanes.Term(2*j+1))
				}
			}
		}
		s.sumVartime(r.IntN(2) == 0)
		for i, l := range s.lists {
			var got group.Jacobian
			if l.n == 1 {
				var sum group.Affine
				s.terms[l.start].Point(&sum, s.points)
				got.SetAffine(&sum)
			}
			if l.n > 1 || !is(&got, want[i]) {
				t.Fatalf("list %d of %d points has %d, and is not %x", i, len(points), l.n, want[i])
			}
		}
	}
}

// TestSum computes sums of many lengths by both algorithms, and by buckets with digits of all widths. In some sums
// points are multiples of each other, all products have the same scalar, or the result is infinity.
func TestSum(t *testing.T) {
	r := oracle.New(t)
	var s Sum
	for _, n := range []int{0, 1, 2, 3, 10, 12, 13, 36, 37, 60, 200, 201, 330} {
		for _, kind := range []string{"random", "alike", "the same scalar", "infinity"} {
			s.Reset()
			g := r.Scalar()
			s.G = scalarOf(g)
			points, logs := related(r, n)
			one, sum := r.Scalar(), new(big.Int)
			for i, p := range points {
				k := r.Scalar()
				switch {
				case kind == "random":
					logs[i] = r.ValidScalar()
					if n > 100 {
						logs[i] = big.NewInt(int64(1 + i))
					}
					p = oracle.G.Mul(logs[i])
				case kind == "the same scalar":
					k = one
				case kind == "infinity" && i == n-1:
					k = oracle.Fn.Neg(oracle.Fn.Mul(sum, oracle.Fn.Inv(logs[i])))
				}
				ks, a := scalarOf(k), affine(p)
				s.Add(&ks, &a)
				sum = oracle.Fn.Add(sum, oracle.Fn.Mul(k, logs[i]))
			}
			want := oracle.G.Mul(sum)
			check := func(how string, p *group.Jacobian, want oracle.Point) {
				t.Helper()
				if !is(p, want) {
					t.Errorf("%d products, %s, %s: wrong", n, kind, how)
				}
			}
			var p group.Jacobian
			for width := recode.MinWindow; n > 0 && width <= recode.MaxWindow; width++ {
				s.buckets.sumVartime(&p, width, s.K, s.A)
				check(fmt.Sprint("width ", width), &p, want)
			}
			want = want.Add(oracle.G.Mul(g))
			s.strausVartime(&p)
			check("Straus", &p, want)
			s.EvaluateVartime(&p)
			check("as chosen", &p, want)
		}
	}
}

func TestWidthFor(t *testing.T) {
	before := 0
	for n := range 20000 {
		w := platform.BucketWidth(n)
		if w < before || (w > 0 && w < recode.MinWindow) || w > recode.MaxWindow {
			t.Fatalf("%d products: width %d", n, w)
		}
		before = w
	}
	if before != recode.MaxWindow {
		t.Errorf("many products: width %d", before)
	}
}

// TestHighestBit tries scalars with the digit ±2ʷ⁻¹, which goes into row m = 2ʷ⁻¹, the only row number with its highest
// bit set.
func TestHighestBit(t *testing.T) {
	var b buckets
	var p group.Jacobian
	for width := recode.MinWindow; width <= recode.MaxWindow; width++ {
		for _, k := range []int64{1 << (width - 1), -1 << (width - 1)} {
			ks := scalarOf(oracle.Fn.Reduce(big.NewInt(k)))
			b.sumVartime(&p, width, []scalar.Scalar{ks, ks}, []group.Affine{group.Generator, group.Generator})
			if !is(&p, oracle.G.Mul(big.NewInt(2*k))) {
				t.Errorf("width %d: twice %d·G is wrong", width, k)
			}
		}
	}
}

// TestTogether computes a sum of so many points that each place is processed by itself.
func TestTogether(t *testing.T) {
	r := oracle.New(t)
	var s Sum
	sum := new(big.Int)
	points, logs := related(r, parts.Bucketed+1)
	for i, p := range points {
		k := r.Scalar()
		ks, a := scalarOf(k), affine(p)
		s.Add(&ks, &a)
		sum = oracle.Fn.Add(sum, oracle.Fn.Mul(k, logs[i]))
	}
	var p group.Jacobian
	s.EvaluateVartime(&p)
	if !is(&p, oracle.G.Mul(sum)) {
		t.Errorf("a sum of %d products is wrong", len(points))
	}
}
