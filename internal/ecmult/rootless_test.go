package ecmult

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestUnlifted checks R1 of docs/rootless.md: the image under φ of a point, and the images of its multiples.
func TestUnlifted(t *testing.T) {
	r := oracle.New(t)
	for _, p := range append(oracle.EdgePoints()[:40], r.Point(), r.Point()) {
		var u group.Affine
		x, y := elem(p.X), elem(p.Y)
		c := u.SetUnlifted(&x)
		image := func(p oracle.Point) group.Jacobian {
			q := group.Affine{X: elem(p.X), Y: elem(p.Y)}
			q.Rescale(&q, &y)
			var j group.Jacobian
			j.SetAffine(&q)
			return j
		}
		var got, y2, product group.Jacobian
		want := image(p)
		got.SetAffine(&u)
		if got.Equal(&want) == 0 || c.Equal(y2.X.Square(&y)) == 0 {
			t.Fatalf("the image of %x is not (c·x, c²)", p)
		}
		k := r.ValidScalar()
		terms := []Term{{Scalar: scalarOf(k), Point: got}}
		want = image(p.Mul(k))
		SumVartime(&product, nil, terms)
		if product.Equal(&want) == 0 {
			t.Fatalf("the image of %x·%x is wrong", k, p)
		}
	}
}

// TestNoZeroC checks that x³ + 7 is never 0, which R6 needs.
func TestNoZeroC(t *testing.T) {
	third := new(big.Int).Div(new(big.Int).Sub(oracle.P, one), big.NewInt(3))
	if new(big.Int).Exp(oracle.Fp.Neg(big.NewInt(7)), third, oracle.P).Cmp(one) == 0 {
		t.Error("−7 is a cube")
	}
}

// verdictOf returns the answer that SumHasXVartime must give for a = g·G and b = k·P. The answer is Unknown exactly if
// a or b is infinity or their x coordinates are equal (R6).
func verdictOf(a, b oracle.Point, x *big.Int, even bool) Verdict {
	if a.IsInfinity() || b.IsInfinity() || a.X.Cmp(b.X) == 0 {
		return Unknown
	}
	sum := a.Add(b)
	return verdict(sum.X.Cmp(x) == 0 && !(even && sum.Y.Bit(0) == 1))
}

// TestSumHasX compares verdicts and sums with the oracle, for random and for chosen sums (R2, R3, R5, R6, R8). Some P
// are ±G, ±λG or ±2ⁱG, some scalars are edge cases, and some products are equal, opposite or infinity. For each sum the
// test asks about its x coordinate and about other x coordinates.
func TestSumHasX(t *testing.T) {
	r := oracle.New(t)
	points, logs := logarithms(r)
	var edges []*big.Int
	for _, e := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
		for _, k := range e {
			edges = append(edges, fn.Reduce(oracle.Int(k[:])))
		}
	}
	seen := make(map[Verdict]int)
	var questions []XQuestion
	var answers []Verdict
	for i, p := range points {
		if p.IsInfinity() {
			continue
		}
		k, g := r.Scalar(), r.Scalar()
		if i%2 == 0 {
			k = edges[r.IntN(len(edges))]
		}
		product := fn.Mul(k, logs[i])
		switch r.IntN(10) {
		case 0:
			k = new(big.Int)
		case 1:
			g = new(big.Int)
		case 2: // R is infinity
			g = fn.Neg(product)
		case 3: // R is twice k·P
			g = product
		case 4: // g·G and k·P have the same y but different x
			g = fn.Mul(product, oracle.Lambda)
		case 5:
			g = fn.Neg(fn.Mul(product, oracle.Lambda))
		case 6:
			g = edges[r.IntN(len(edges))]
		case 7:
			k, g = big.NewInt(1), big.NewInt(1+r.Int64N(40))
		}
		ks, gs := scalarOf(k), scalarOf(g)
		a := oracle.G.Mul(g)
		for i, b := range []oracle.Point{p.Mul(k), p.Neg().Mul(k)} {
			sum := a.Add(b)
			x, odd := elem(p.X), -uint64(p.Y.Bit(0)^uint(i))
			var got group.Affine
			known := SumOfXVartime(&got, &ks, &x, odd, &gs)
			if want := verdictOf(a, b, p.X, false) != Unknown; known != want {
				t.Fatalf("%x·(%d, %x) + %x·G: known %v, want %v", k, i, p, g, known, want)
			}
			if known {
				wantX, wantY := elem(sum.X), elem(sum.Y)
				if got.X.Equal(&wantX)&got.Y.Equal(&wantY) == 0 {
					t.Fatalf("%x·(%d, %x) + %x·G is (%x, %x), want %x", k, i, p, g, got.X.Limbs(), got.Y.Limbs(), sum)
				}
			}
			rs := []*big.Int{r.Field(), new(big.Int)}
			if !sum.IsInfinity() {
				rs = append(rs, sum.X, oracle.Fp.Add(sum.X, one), oracle.Fp.Neg(sum.X))
			}
			for _, part := range []oracle.Point{a, b, a.Add(b.Neg())} { // the last has the x of the sum for −P
				if !part.IsInfinity() {
					rs = append(rs, part.X)
				}
			}
			for _, rx := range rs {
				for _, even := range []bool{false, true} {
					re := elem(rx)
					want := verdictOf(a, b, rx, even)
					seen[want]++
					if !even {
						questions = append(questions, XQuestion{K: ks, G: gs, X: x, R: re, Odd: odd, Verdict: Verdict(r.IntN(3))})
						answers = append(answers, want)
					}
					if got := SumHasXVartime(&ks, &x, odd, &gs, &re, even); got != want {
						t.Fatalf("%x·(%d, %x) + %x·G has the x %x, even %v: %d, want %d", k, i, p, g, rx, even, got, want)
					}
				}
			}
		}
	}
	for len(questions) > 0 { // ask all questions, up to 69 in a call
		n := min(r.IntN(70), len(questions))
		SumsHaveXVartime(questions[:n])
		for i, q := range questions[:n] {
			if q.Verdict != answers[i] {
				t.Fatalf("question %d of %d: %d, want %d", i, n, q.Verdict, answers[i])
			}
		}
		questions, answers = questions[n:], answers[n:]
	}
	if seen[Unknown] < 100 || seen[No] < 100 || seen[Yes] < 100 {
		t.Errorf("verdicts: %v", seen)
	}
}

// TestSumHasXTwist checks R4 and R8 for x coordinates that no point has: the answer is never Yes, whatever k, g and r
// are. Some x belong to points of small order on the twist, for which the multiplication meets points that its formulas
// exclude.
func TestSumHasXTwist(t *testing.T) {
	r := oracle.New(t)
	order := new(big.Int).Lsh(new(big.Int).Add(oracle.P, one), 1)
	order.Sub(order, oracle.N)
	cube := func(x *big.Int) *big.Int { return oracle.Fp.Mul(oracle.Fp.Mul(x, x), x) }
	var xs []*big.Int
	for len(xs) < 40 {
		x := r.Field()
		if _, ok := oracle.LiftX(x); !ok {
			xs = append(xs, x)
		}
	}
	small := 0
	for _, divisor := range []int64{3, 9, 13, 13 * 13, 39, 3319, 22639} {
		cofactor, rest := new(big.Int).DivMod(order, big.NewInt(divisor), new(big.Int))
		if rest.Sign() != 0 {
			t.Fatalf("%d does not divide the order of the twist", divisor)
		}
		for _, x := range xs[:8] {
			c := oracle.Fp.Add(cube(x), big.NewInt(7))
			p := oracle.Point{X: oracle.Fp.Mul(c, x), Y: oracle.Fp.Mul(c, c)}
			if q := p.Mul(cofactor); !q.IsInfinity() { // the order of q divides the divisor
				xs = append(xs, oracle.Fp.Mul(q.X, oracle.Fp.Inv(c)))
				small++
			}
		}
	}
	for _, b := range oracle.BadX()[:6] {
		xs = append(xs, oracle.Fp.Reduce(oracle.Int(b[:])))
	}
	if small < 20 {
		t.Errorf("only %d points of small order", small)
	}
	unknown := 0
	for _, x := range xs {
		if _, ok := oracle.LiftX(x); ok {
			continue // p + 1 in this list reduces to 1, which is an x coordinate
		}
		for i := range oracle.Cases(60) {
			k := big.NewInt(int64(i))
			if i > 40 {
				k = r.Scalar()
			}
			g, rx := r.Scalar(), r.Field()
			if i%4 == 0 {
				rx = oracle.G.Mul(r.ValidScalar()).X
			}
			ks, gs, xe, re := scalarOf(k), scalarOf(g), elem(x), elem(rx)
			if SumOfXVartime(new(group.Affine), &ks, &xe, -uint64(i&1), &gs) {
				t.Fatalf("no point has the x coordinate %x, but SumOfXVartime returns a sum", x)
			}
			for _, even := range []bool{false, true} {
				switch SumHasXVartime(&ks, &xe, -uint64(i&1), &gs, &re, even) {
				case Yes:
					t.Fatalf("no point has the x coordinate %x, but a sum with %x times such a point has the x coordinate %x", x, k, rx)
				case Unknown:
					unknown++
				}
			}
		}
	}
	t.Logf("%d of %d points of small order, %d sums unknown", small, len(xs), unknown)
}

// BenchmarkSumHasX measures two ways to check the x coordinate of a sum with a point that is given by x and the parity
// of y. One way computes y and then the sum, without comparing x coordinates, and the other is SumHasXVartime.
func BenchmarkSumHasX(b *testing.B) {
	g, k, p := random(b)
	in := make([]XQuestion, 256)
	for i := range in {
		var sum group.Jacobian
		var a group.Affine
		k.Add(&k, &g)
		g.Mul(&g, &k)
		a.ToAffine(&p)
		in[i].X, in[i].Odd = a.X, a.Y.IsOdd()
		DoubleScalarVartime(&sum, &k, &p, &g)
		a.ToAffine(&sum)
		if a.Y.IsOdd() != 0 {
			g.Negate(&g)
			k.Negate(&k)
		}
		in[i].R, in[i].K, in[i].G = a.X, k, g
		DoubleScalarVartime(&p, &k, &p, &g)
	}
	for _, even := range []bool{false, true} {
		name := ", ECDSA"
		if even {
			name = ", Schnorr"
		}
		b.Run("lifted"+name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				q := &in[i%len(in)]
				i++
				var lifted group.Affine
				lifted.LiftX(&q.X)
				lifted.Y.CondNegate(&lifted.Y, q.Odd)
				p.SetAffine(&lifted)
				DoubleScalarVartime(&p, &q.K, &p, &q.G)
				if even {
					lifted.ToAffineVartime(&p)
				}
			}
		})
		b.Run("rootless"+name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				q := &in[i%len(in)]
				i++
				if SumHasXVartime(&q.K, &q.X, q.Odd, &q.G, &q.R, even) != Yes {
					b.Fatal("no")
				}
			}
		})
	}
	b.Run("rootless, ECDSA, together", func(b *testing.B) {
		for b.Loop() {
			SumsHaveXVartime(in)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(len(in)*b.N), "ns/sum")
	})
}
