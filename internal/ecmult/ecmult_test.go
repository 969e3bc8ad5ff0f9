package ecmult

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
)

var (
	fn  = oracle.Fn
	one = big.NewInt(1)
)

func pow2(i uint) *big.Int { return new(big.Int).Lsh(one, i) }

func scalarOf(x *big.Int) scalar.Scalar {
	l := oracle.Limbs(fn.Reduce(x))
	return scalar.FromLimbs(l[0], l[1], l[2], l[3])
}

func elem(x *big.Int) field.Element {
	l := oracle.Limbs(x)
	return field.FromLimbs(l[0], l[1], l[2], l[3])
}

// jacobian returns p with a random Z or with Z = 1. Infinity is represented by the zero value, or by random X and Y
// with Z = 0 or Z = p.
func jacobian(r *oracle.Rand, p oracle.Point) group.Jacobian {
	if p.IsInfinity() {
		if r.IntN(3) == 0 {
			return group.Jacobian{}
		}
		z := new(big.Int).Mul(oracle.P, big.NewInt(r.Int64N(2)))
		return group.Jacobian{X: elem(r.Field()), Y: elem(r.Field()), Z: elem(z)}
	}
	j := group.Jacobian{X: elem(p.X), Y: elem(p.Y), Z: elem(one)}
	if z := elem(r.Field()); z.IsZero() == 0 && r.IntN(2) == 0 {
		j.Rescale(&j, &z)
	}
	return j
}

// point returns j in affine coordinates.
func point(j *group.Jacobian) oracle.Point {
	if j.IsInfinity() != 0 {
		return oracle.Point{}
	}
	var a group.Affine
	a.ToAffineVartime(j)
	a.X.Normalize(&a.X)
	a.Y.Normalize(&a.Y)
	return oracle.Point{X: oracle.FromLimbs(a.X.Limbs()), Y: oracle.FromLimbs(a.Y.Limbs())}
}

// constantTime lists the multiplications k·p in constant time. If base is true, p is G.
var constantTime = []struct {
	name string
	mul  func(v *group.Jacobian, k *scalar.Scalar, p *group.Jacobian)
	base bool
}{
	{"Base", func(v *group.Jacobian, k *scalar.Scalar, _ *group.Jacobian) { Base(v, k) }, true},
	{"base", func(v *group.Jacobian, k *scalar.Scalar, _ *group.Jacobian) { base(v, k) }, true},
	{"Variable", Variable, false},
}

func TestMultiplication(t *testing.T) {
	for _, c := range constantTime {
		t.Run(c.name, func(t *testing.T) {
			r := oracle.New(t)
			check := func(k *big.Int, p oracle.Point) {
				t.Helper()
				if c.base {
					p = oracle.G
				}
				var v group.Jacobian
				s, a := scalarOf(k), jacobian(r, p)
				c.mul(&v, &s, &a)
				if !point(&v).Equal(p.Mul(fn.Reduce(k))) {
					t.Fatalf("%x · %x = %x", k, p, point(&v))
				}
			}
			for _, edges := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges(), oracle.RangeEdges()} {
				for i, k := range edges {
					if !testing.Short() || i%16 == 0 {
						check(oracle.Int(k[:]), r.Point())
					}
				}
			}
			for i, p := range oracle.EdgePoints() {
				if !testing.Short() || i%16 < 2 {
					check(r.Scalar(), p)
				}
			}
			for range oracle.Cases(100) {
				check(r.Scalar(), r.Point())
			}
			for range oracle.Cases(100) {
				check(r.Scalar(), oracle.Point{})
			}
			t.Logf("result: %d cases of %s with math/big", oracle.Cases(100), c.name)
		})
	}
}

// TestSmall runs each multiplication on k and n − k for all k from 0 to 2ʷ⁺¹ + 64, where w is the given width (under
// -short, for some of these k), because incomplete additions failed for such scalars in other libraries. It compares
// the products with repeated additions.
func TestSmall(t *testing.T) {
	r := oracle.New(t)
	p := r.Point()
	var zero scalar.Scalar
	for _, c := range []struct {
		name  string
		width int
		p     oracle.Point
		mul   func(v *group.Jacobian, k *scalar.Scalar, p *group.Jacobian)
	}{
		{"Base", recode.BaseWidth, oracle.G, constantTime[0].mul},
		{"base", recode.BaseWidth, oracle.G, constantTime[1].mul},
		{"Variable", recode.VariableWidth, oracle.G, Variable},
		{"Variable", recode.VariableWidth, p, Variable},
		{"DoubleScalarVartime, the point", 2 * recode.PointWidth, oracle.G, func(v *group.Jacobian, k *scalar.Scalar, p *group.Jacobian) {
			DoubleScalarVartime(v, k, p, &zero)
		}},
		{"DoubleScalarVartime, the generator", 2 * recode.GeneratorWidth, oracle.G, func(v *group.Jacobian, k *scalar.Scalar, p *group.Jacobian) {
			DoubleScalarVartime(v, &zero, p, k)
		}},
	} {
		a := jacobian(r, c.p)
		var sum, neg, v, w group.Jacobian
		var s scalar.Scalar
		for k := range uint64(1<<(c.width+1) + 65) {
			if k < 200 || !testing.Short() || k%16 == 0 {
				c.mul(&v, s.SetUint64(k), &a)
				c.mul(&w, s.Negate(&s), &a)
				neg.Negate(&sum)
				if v.Equal(&sum) == 0 || w.Equal(&neg) == 0 {
					t.Fatalf("%s: %d or −%d times %x is wrong", c.name, k, k, c.p)
				}
			}
			sum.AddVartime(&sum, &a)
		}
	}
}

// logarithms returns points with their discrete logarithms: infinity, ±G, ±λG, ±λ²G, ±2ⁱ·G and others.
func logarithms(r *oracle.Rand) (points []oracle.Point, logs []*big.Int) {
	add := func(d *big.Int, p oracle.Point) {
		points, logs = append(points, p, p.Neg()), append(logs, fn.Reduce(d), fn.Neg(d))
	}
	add(new(big.Int), oracle.Point{})
	add(oracle.Lambda, oracle.G.Endo())
	add(fn.Mul(oracle.Lambda, oracle.Lambda), oracle.G.Endo().Endo())
	for p, i := oracle.G, uint(0); i < 256; i++ {
		add(pow2(i), p)
		p = p.Double()
	}
	for range 20 {
		d := r.Scalar()
		add(d, oracle.G.Mul(d))
	}
	return points, logs
}

func TestDoubleScalarVartime(t *testing.T) {
	r := oracle.New(t)
	points, logs := logarithms(r)
	infinite := 0
	for i := range oracle.Cases(2000) {
		i %= len(points)
		k := r.Scalar()
		if r.IntN(4) == 0 {
			k = new(big.Int)
		}
		g := r.Scalar()
		switch r.IntN(8) {
		case 0:
			g = new(big.Int)
		case 1: // the sum is infinity
			g = fn.Neg(fn.Mul(k, logs[i]))
		case 2: // the two products are equal
			g = fn.Mul(k, logs[i])
		case 3:
			g = k
		case 4:
			g = fn.Mul(k, oracle.Lambda)
		}
		want := oracle.G.Mul(fn.Add(g, fn.Mul(k, logs[i])))
		if want.IsInfinity() {
			infinite++
		}
		var v group.Jacobian
		gs, ks, a := scalarOf(g), scalarOf(k), jacobian(r, points[i])
		DoubleScalarVartime(&v, &ks, &a, &gs)
		if !point(&v).Equal(want) {
			t.Fatalf("%x·G + %x·%x = %x, want %x", g, k, points[i], point(&v), want)
		}
	}
	if infinite < oracle.Cases(100) {
		t.Errorf("only %d sums were infinity", infinite)
	}
	t.Logf("result: %d cases of DoubleScalarVartime with math/big", oracle.Cases(2000))
}

// TestSumVartime sums 0 to 40 terms. The points include infinity and equal and opposite points; some scalars are 0 or
// make the sum infinity.
func TestSumVartime(t *testing.T) {
	r := oracle.New(t)
	points, logs := logarithms(r)
	for n := range 41 {
		for range oracle.Cases(20) {
			terms := make([]Term, n)
			g := r.Scalar()
			if r.IntN(4) == 0 {
				g = new(big.Int)
			}
			sum, last := g, r.IntN(len(points))
			for i := range terms {
				j := r.IntN(len(points))
				switch r.IntN(8) {
				case 0:
					j = last
				case 1:
					j = last ^ 1 // the negative of the previous point
				case 2:
					j = r.IntN(2) // infinity
				}
				last = j
				k := r.Scalar()
				switch r.IntN(8) {
				case 0:
					k = new(big.Int)
				case 1: // the sum so far becomes infinity
					k = fn.Neg(fn.Mul(sum, fn.Inv(logs[j])))
				case 2: // the sum so far is doubled
					k = fn.Mul(sum, fn.Inv(logs[j]))
				}
				sum = fn.Add(sum, fn.Mul(k, logs[j]))
				terms[i].Scalar, terms[i].Point = scalarOf(k), jacobian(r, points[j])
			}
			var v group.Jacobian
			gs := scalarOf(g)
			SumVartime(&v, &gs, terms)
			if !point(&v).Equal(oracle.G.Mul(sum)) {
				t.Fatalf("%d terms: %x, want %x·G", n, point(&v), sum)
			}
		}
	}
	t.Logf("result: %d cases of SumVartime with math/big", 41*oracle.Cases(20))
}

// TestAlias calls Base, Variable, DoubleScalarVartime and SumVartime with a result that holds another point, with a
// result that is also an argument, and with one variable as two arguments, as far as they have such arguments.
func TestAlias(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(200) {
		k, p := scalarOf(r.Scalar()), jacobian(r, r.Point())
		k1, k2, p1 := k, k, p // arguments that must not change
		same := func(name string, got, want *group.Jacobian) {
			t.Helper()
			if got.X.Limbs() != want.X.Limbs() || got.Y.Limbs() != want.Y.Limbs() || got.Z.Limbs() != want.Z.Limbs() {
				t.Fatalf("%s: %x, want %x", name, point(got), point(want))
			}
		}
		var want group.Jacobian
		v := jacobian(r, r.Point())

		Base(&want, &k1)
		Base(&v, &k1)
		same("Base", &v, &want)
		base(&want, &k1)
		base(&v, &k1)
		same("base", &v, &want)

		Variable(&want, &k1, &p1)
		Variable(&v, &k1, &p1)
		same("Variable", &v, &want)
		v = p
		Variable(&v, &k1, &v)
		same("Variable, p = a", &v, &want)

		DoubleScalarVartime(&want, &k2, &p1, &k1)
		DoubleScalarVartime(&v, &k2, &p1, &k1)
		same("DoubleScalarVartime", &v, &want)
		v = p
		DoubleScalarVartime(&v, &k1, &v, &k1)
		same("DoubleScalarVartime, p = a and g = k", &v, &want)

		sum := func(p *group.Jacobian, g *scalar.Scalar, terms []Term) {
			for i := range terms {
				terms[i] = Term{Scalar: k, Point: p1}
			}
			SumVartime(p, g, terms)
		}
		var terms [2]Term
		sum(&want, &k1, terms[:])
		for i := range terms {
			same("SumVartime, a point", &terms[i].Point, &p)
			if terms[i].Scalar != k {
				t.Fatal("SumVartime changed a scalar")
			}
		}
		sum(&v, &k1, terms[:])
		same("SumVartime", &v, &want)
		sum(&terms[1].Point, &terms[0].Scalar, terms[:])
		same("SumVartime, p and g in the terms", &terms[1].Point, &want)

		same("a point", &p1, &p)
		if k1 != k || k2 != k {
			t.Fatal("a scalar was changed")
		}
	}
}

// TestBaseInLanes compares the products that package lanes computes, in assembly or by its twin in Go, with the results
// of base.
func TestBaseInLanes(t *testing.T) {
	r := oracle.New(t)
	const n = 3 * lanes.N
	var k [n]scalar.Scalar
	var p [n]group.Jacobian
	var want group.Jacobian
	for range oracle.Cases(1000) {
		var to []*group.Jacobian
		var scalars []*scalar.Scalar
		for i := range 1 + r.IntN(n) {
			k[i] = scalarOf(r.Scalar())
			to, scalars = append(to, &p[i]), append(scalars, &k[i])
		}
		lanes.Base(to, scalars)
		for i := range to {
			base(&want, &k[i])
			if p[i].Equal(&want) == 0 {
				t.Fatalf("%x·G, item %d of %d, is %x, want %x", k[i].Limbs(), i, len(to), point(&p[i]), point(&want))
			}
			lanes.BaseOne(&p[i], &k[i])
			if p[i].Equal(&want) == 0 {
				t.Fatalf("%x·G is %x, want %x", k[i].Limbs(), point(&p[i]), point(&want))
			}
		}
	}
}
