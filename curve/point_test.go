package curve

import (
	"fmt"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
)

var (
	fp  = oracle.Fp
	fn  = oracle.Fn
	one = big.NewInt(1)
)

// truth returns 1 for true and 0 for false, as IsInfinity and Equal do.
func truth(cond bool) int {
	if cond {
		return 1
	}
	return 0
}

func elem(x *big.Int) field.Element {
	l := oracle.Limbs(x)
	return field.FromLimbs(l[0], l[1], l[2], l[3])
}

func scalarOf(x *big.Int) *Scalar {
	b := oracle.Bytes(fn.Reduce(x))
	return new(Scalar).SetBytesReduced(&b)
}

// jacobian returns p with a random Z. Infinity is the zero value, or random X and Y with Z = 0 or Z = p.
func jacobian(r *oracle.Rand, p oracle.Point) group.Jacobian {
	if p.IsInfinity() {
		if r.IntN(3) == 0 {
			return group.Jacobian{}
		}
		return group.Jacobian{X: elem(r.Field()), Y: elem(r.Field()), Z: elem(new(big.Int).Mul(oracle.P, big.NewInt(r.Int64N(2))))}
	}
	j := group.Jacobian{X: elem(p.X), Y: elem(p.Y), Z: elem(one)}
	if z := elem(r.Field()); z.IsZero() == 0 {
		j.Rescale(&j, &z)
	}
	return j
}

// withZ returns j as a Point, without changing its representation.
func withZ(j group.Jacobian) *Point {
	p := new(Point)
	p.p().Set(&j)
	return p
}

// newPoint returns p in a random representation, sometimes with a table.
func newPoint(r *oracle.Rand, p oracle.Point) *Point {
	if r.IntN(100) == 0 {
		return withZ(jacobian(r, p)).PrecomputeVartime()
	}
	if !p.IsInfinity() && r.IntN(2) == 0 {
		return new(Point).setAffine(&group.Affine{X: elem(p.X), Y: elem(p.Y)})
	}
	return withZ(jacobian(r, p))
}

// is compares the encodings of p and want, and checks the flags that p stores about its representation.
func (p *Point) is(want oracle.Point) bool {
	if p.IsPrecomputed() {
		var q Point
		q.DoubleScalarBaseMultVartime(scalarOf(big.NewInt(1)), p, new(Scalar))
		if q.Equal(p) != 1 {
			return false
		}
	}
	if p.known().Normalized && (p.p().IsInfinity() != 0 || p.p().Z.Limbs() != [4]uint64{1}) {
		return false
	}
	return string(p.BytesUncompressed()) == string(want.Uncompressed())
}

// operations lists all operations that compute points from points and scalars, each with its definition.
var operations = []struct {
	name string
	do   func(v, a, b *Point, k, g *Scalar) *Point
	want func(a, b oracle.Point, k, g *big.Int) oracle.Point
}{
	{"Set", func(v, a, _ *Point, _, _ *Scalar) *Point { return v.Set(a) },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a }},
	{"SetGenerator", func(v, _, _ *Point, _, _ *Scalar) *Point { return v.SetGenerator() },
		func(_, _ oracle.Point, _, _ *big.Int) oracle.Point { return oracle.G }},
	{"Zero", func(v, a, _ *Point, _, _ *Scalar) *Point { v.Set(a).Zero(); return v },
		func(_, _ oracle.Point, _, _ *big.Int) oracle.Point { return oracle.Point{} }},
	{"Normalize", func(v, a, _ *Point, _, _ *Scalar) *Point { return v.Set(a).Normalize() },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a }},
	{"NormalizeVartime", func(v, a, _ *Point, _, _ *Scalar) *Point { return v.Set(a).NormalizeVartime() },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a }},
	{"PrecomputeVartime", func(v, a, _ *Point, _, _ *Scalar) *Point {
		v.Set(a)
		if a.IsPrecomputed() {
			v.PrecomputeVartime()
		}
		return v
	}, func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a }},
	{"Add", func(v, a, b *Point, _, _ *Scalar) *Point { return v.Add(a, b) },
		func(a, b oracle.Point, _, _ *big.Int) oracle.Point { return a.Add(b) }},
	{"Sub", func(v, a, b *Point, _, _ *Scalar) *Point { return v.Sub(a, b) },
		func(a, b oracle.Point, _, _ *big.Int) oracle.Point { return a.Add(b.Neg()) }},
	{"Double", func(v, a, _ *Point, _, _ *Scalar) *Point { return v.Double(a) },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a.Double() }},
	{"Negate", func(v, a, _ *Point, _, _ *Scalar) *Point { return v.Negate(a) },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a.Neg() }},
	{"CondNegate 1", func(v, a, _ *Point, _, _ *Scalar) *Point { return v.CondNegate(a, 1) },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a.Neg() }},
	{"CondNegate 0", func(v, a, _ *Point, _, _ *Scalar) *Point { return v.CondNegate(a, 0) },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a }},
	{"Select 1", func(v, a, b *Point, _, _ *Scalar) *Point { return v.Select(a, b, 1) },
		func(a, _ oracle.Point, _, _ *big.Int) oracle.Point { return a }},
	{"Select 0", func(v, a, b *Point, _, _ *Scalar) *Point { return v.Select(a, b, 0) },
		func(_, b oracle.Point, _, _ *big.Int) oracle.Point { return b }},
	{"ScalarBaseMult", func(v, _, _ *Point, k, _ *Scalar) *Point { return v.ScalarBaseMult(k) },
		func(_, _ oracle.Point, k, _ *big.Int) oracle.Point { return oracle.G.Mul(k) }},
	{"ScalarMult", func(v, a, _ *Point, k, _ *Scalar) *Point { return v.ScalarMult(k, a) },
		func(a, _ oracle.Point, k, _ *big.Int) oracle.Point { return a.Mul(k) }},
	{"DoubleScalarBaseMultVartime", func(v, a, _ *Point, k, g *Scalar) *Point { return v.DoubleScalarBaseMultVartime(k, a, g) },
		func(a, _ oracle.Point, k, g *big.Int) oracle.Point { return a.Mul(k).Add(oracle.G.Mul(g)) }},
	{"MultiScalarMultVartime", func(v, a, b *Point, k, g *Scalar) *Point {
		return v.MultiScalarMultVartime([]*Scalar{k, g}, []*Point{a, b})
	}, func(a, b oracle.Point, k, g *big.Int) oracle.Point { return a.Mul(k).Add(b.Mul(g)) }},
}

func TestPoint(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(200) {
		p, q := r.PointPair()
		k, g := r.Scalar(), r.Scalar()
		a, b, s, u := newPoint(r, p), newPoint(r, q), scalarOf(k), scalarOf(g)
		for _, op := range operations {
			v := *b // must be overwritten
			if op.name == "MultiScalarMultVartime" || r.IntN(4) > 0 {
				v = Point{}
			}
			op.do(&v, a, b, s, u)
			if !v.is(op.want(p, q, k, g)) {
				t.Fatalf("%s(%x, %x, %x, %x) = %x", op.name, p, q, k, g, v.BytesUncompressed())
			}
		}
		if a.Equal(b) != truth(p.Equal(q)) || b.Equal(a) != truth(p.Equal(q)) {
			t.Fatalf("Equal(%x, %x) = %d", p, q, a.Equal(b))
		}
		if a.IsInfinity() != truth(p.IsInfinity()) {
			t.Fatalf("IsInfinity(%x) = %d", p, a.IsInfinity())
		}
		for _, n := range []*Point{new(Point).Set(a).Normalize(), new(Point).Set(a).NormalizeVartime()} {
			if n.known().Normalized == p.IsInfinity() || n.Equal(a) != 1 {
				t.Fatalf("Normalize(%x) = %x, normalized: %v", p, n.BytesUncompressed(), n.known().Normalized)
			}
		}
	}
}

// TestConditions passes conditions that are neither 0 nor 1. Only the lowest bit of a condition may count, because a
// mix of two values would be invalid.
func TestConditions(t *testing.T) {
	r := oracle.New(t)
	p, q := r.Point(), r.Point()
	a, b, k, g := newPoint(r, p), newPoint(r, q), scalarOf(one), scalarOf(oracle.Lambda)
	for _, cond := range []int{0, 1, 2, 3, 254, 255, 1 << 30, -1, -2} {
		selected, negated, s, m := q, p, oracle.Lambda, one
		if cond&1 == 1 {
			selected, negated, s, m = p, p.Neg(), one, fn.Neg(one)
		}
		if !new(Point).Select(a, b, cond).is(selected) || !new(Point).CondNegate(a, cond).is(negated) ||
			new(Scalar).Select(k, g, cond).integer().Cmp(s) != 0 || new(Scalar).CondNegate(k, cond).integer().Cmp(m) != 0 {
			t.Errorf("condition %d", cond)
		}
	}
}

// TestMultiScalarMultVartime computes sums of one and of several groups of products. The discrete logarithms of the
// points are known, so that the oracle needs one multiplication for the result.
func TestMultiScalarMultVartime(t *testing.T) {
	r := oracle.New(t)
	pool, logs := make([]oracle.Point, 40), make([]*big.Int, 40)
	for i := range pool {
		logs[i] = r.Scalar()
		pool[i] = oracle.G.Mul(logs[i])
	}
	for _, n := range []int{0, 1, 2, 31, 32, 33, 63, 64, 65, 100} {
		for _, fate := range []string{"random", "zero", "infinity", "the same"} {
			scalars, points, sum := make([]*Scalar, n), make([]*Point, n), new(big.Int)
			for i := range points {
				j, k := r.IntN(len(pool)), r.Scalar()
				p, d := pool[j], logs[j]
				switch {
				case fate == "zero" && i%3 == 0:
					k = new(big.Int)
				case fate == "infinity" && i%3 == 0:
					p, d = oracle.Point{}, new(big.Int)
				case fate == "infinity" && i == n-1: // the sum
					k = fn.Neg(fn.Mul(sum, fn.Inv(d)))
				case fate == "the same":
					p, d = oracle.G, one
				}
				scalars[i], points[i] = scalarOf(k), newPoint(r, p)
				sum = fn.Add(sum, fn.Mul(d, k))
			}
			v := newPoint(r, oracle.G)
			v.MultiScalarMultVartime(scalars, points)
			if !v.is(oracle.G.Mul(sum)) {
				t.Errorf("%d terms, %s: %x, want %x·G", n, fate, v.Bytes(), sum)
			}
		}
	}
}

func TestMultiScalarMultVartimeAlias(t *testing.T) {
	r := oracle.New(t)
	for n := 1; n <= 40; n++ {
		a, k := newPoint(r, r.Point()), scalarOf(r.Scalar())
		v, other, kept := new(Point).Set(a), new(Point).Set(a), *k
		scalars, points, copies := make([]*Scalar, n), make([]*Point, n), make([]*Point, n)
		for i := range points {
			scalars[i], points[i], copies[i] = k, v, other
		}
		want := new(Point).MultiScalarMultVartime(scalars, copies)
		v.MultiScalarMultVartime(scalars, points)
		for i, got := range v.p().X.Limbs() {
			if got != want.p().X.Limbs()[i] {
				t.Fatalf("%d times the receiver: %x, want %x", n, v.Bytes(), want.Bytes())
			}
		}
		if v.Equal(want) != 1 || other.Equal(a) != 1 || k.Equal(&kept) != 1 {
			t.Fatalf("%d times the receiver: %x, want %x; or an argument was changed", n, v.Bytes(), want.Bytes())
		}
	}
}

func TestMultiScalarMultVartimePanic(t *testing.T) {
	defer func() {
		if got, want := fmt.Sprint(recover()), "curve: MultiScalarMultVartime of slices of 1 and 2"; got != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}()
	new(Point).MultiScalarMultVartime(make([]*Scalar, 1), make([]*Point, 2))
}
