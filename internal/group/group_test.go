package group

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
)

var (
	fp     = oracle.Fp
	one    = big.NewInt(1)
	two256 = new(big.Int).Lsh(one, 256)
)

func mask(cond bool) uint64 {
	if cond {
		return ^uint64(0)
	}
	return 0
}

// elem returns the element x. Half of the time it represents x by x + p, if x + p is below 2²⁵⁶.
func elem(r *oracle.Rand, x *big.Int) field.Element {
	if other := new(big.Int).Add(x, oracle.P); other.Cmp(two256) < 0 && r.IntN(2) == 0 {
		x = other
	}
	l := oracle.Limbs(x)
	return field.FromLimbs(l[0], l[1], l[2], l[3])
}

func value(e *field.Element) *big.Int { return fp.Reduce(oracle.FromLimbs(e.Limbs())) }

func affine(r *oracle.Rand, p oracle.Point) Affine {
	return Affine{elem(r, p.X), elem(r, p.Y)}
}

// denominator returns a z ≠ 0 for the point p = (X/z², Y/z³). Often z or X is small, because small elements have two
// representations.
func denominator(r *oracle.Rand, p oracle.Point) *big.Int {
	switch r.IntN(8) {
	case 0, 1:
		return one
	case 2:
		return big.NewInt(r.Int64N(1000) + 1)
	case 3:
		return fp.Neg(one)
	case 4, 5:
		for {
			if z, ok := oracle.Sqrt(fp.Mul(big.NewInt(r.Int64N(1000)+1), fp.Inv(p.X))); ok {
				return z
			}
		}
	default:
		for {
			if z := r.Field(); z.Sign() != 0 {
				return z
			}
		}
	}
}

// jacobian returns p with a random Z. Infinity is represented by the zero value, or by random X and Y with Z = 0 or Z =
// p.
func jacobian(r *oracle.Rand, p oracle.Point) Jacobian {
	if p.IsInfinity() {
		if r.IntN(3) == 0 {
			return Jacobian{}
		}
		return Jacobian{elem(r, r.Field()), elem(r, r.Field()), elem(r, new(big.Int))}
	}
	z := denominator(r, p)
	z2 := fp.Mul(z, z)
	return Jacobian{elem(r, fp.Mul(p.X, z2)), elem(r, fp.Mul(p.Y, fp.Mul(z2, z))), elem(r, z)}
}

// xyzz returns p with random denominators z² and z³.
func xyzz(r *oracle.Rand, p oracle.Point) XYZZ {
	if p.IsInfinity() {
		return XYZZ{elem(r, r.Field()), elem(r, r.Field()), elem(r, new(big.Int)), elem(r, new(big.Int))}
	}
	z := denominator(r, p)
	z2 := fp.Mul(z, z)
	z3 := fp.Mul(z2, z)
	return XYZZ{elem(r, fp.Mul(p.X, z2)), elem(r, fp.Mul(p.Y, z3)), elem(r, z2), elem(r, z3)}
}

// is reports whether j is the point p, without a field division.
func (j *Jacobian) is(p oracle.Point) bool {
	z := value(&j.Z)
	if p.IsInfinity() || z.Sign() == 0 {
		return p.IsInfinity() && z.Sign() == 0
	}
	z2 := fp.Mul(z, z)
	return value(&j.X).Cmp(fp.Mul(p.X, z2)) == 0 && value(&j.Y).Cmp(fp.Mul(p.Y, fp.Mul(z2, z))) == 0
}

// point returns j in affine coordinates, for messages.
func (j *Jacobian) point() oracle.Point {
	if value(&j.Z).Sign() == 0 {
		return oracle.Point{}
	}
	i := fp.Inv(value(&j.Z))
	ii := fp.Mul(i, i)
	return oracle.Point{X: fp.Mul(value(&j.X), ii), Y: fp.Mul(value(&j.Y), fp.Mul(ii, i))}
}

func (a *Affine) is(p oracle.Point) bool {
	return value(&a.X).Cmp(p.X) == 0 && value(&a.Y).Cmp(p.Y) == 0
}

// TestConstants derives β and checks that it belongs to λ. Tests of the oracle check G and λ.
func TestConstants(t *testing.T) {
	if !Generator.is(oracle.G) || value(&b).Cmp(oracle.B) != 0 {
		t.Error("Generator or b is wrong")
	}
	beta := value(&Beta)
	third := new(big.Int).Div(oracle.P, big.NewInt(3))
	root := fp.Exp(big.NewInt(3), third) // 3 is not a cube mod p
	if root.Cmp(one) == 0 || (beta.Cmp(root) != 0 && beta.Cmp(fp.Mul(root, root)) != 0) {
		t.Error("Beta is not a primitive cube root of 1")
	}
	if lambdaG := oracle.G.Mul(oracle.Lambda); fp.Mul(beta, oracle.G.X).Cmp(lambdaG.X) != 0 || lambdaG.Y.Cmp(oracle.G.Y) != 0 {
		t.Error("λ·(x, y) ≠ (β·x, y)")
	}
}

func TestLiftX(t *testing.T) {
	r := oracle.New(t)
	present, absent := 0, 0
	var last Affine // the point of the previous call
	var both [2]field.Element
	masks := [2]uint64{}
	check := func(x *big.Int) {
		t.Helper()
		want, ok := oracle.LiftX(fp.Reduce(x))
		var p Affine
		l := oracle.Limbs(x)
		e := field.FromLimbs(l[0], l[1], l[2], l[3])
		defer func() {
			both, masks = [2]field.Element{both[1], e}, [2]uint64{masks[1], mask(ok)}
			var pair [2]Affine
			if got := LiftXPair(&pair, &both); got != masks || both[0].Limbs() != last.X.Limbs() ||
				(pair[0].Y.Limbs() != last.Y.Limbs() && masks[0] != 0) || pair[1].X.Limbs() != e.Limbs() || pair[1].Y.Limbs() != p.Y.Limbs() {
				t.Fatalf("LiftXPair(%x, %x) = %v, masks %x", both[0].Limbs(), both[1].Limbs(), pair, got)
			}
			last = p
		}()
		if got := p.LiftX(&e); got != mask(ok) || (ok && !p.is(want)) {
			t.Fatalf("LiftX(%x) = %x, %x, mask %x", x, p.X.Limbs(), p.Y.Limbs(), got)
		}
		if !ok {
			absent++
			return
		}
		present++
		if p.Y.IsOdd() != 0 || p.IsOnCurve() != mask(true) {
			t.Fatalf("LiftX(%x) has an odd y or is not on the curve", x)
		}
	}
	for _, p := range oracle.EdgePoints() {
		check(p.X)
	}
	for _, edges := range [][][32]byte{oracle.BadX(), oracle.FieldEdges()} { // p and more among them
		for _, x := range edges {
			check(oracle.Int(x[:]))
		}
	}
	for range oracle.Cases(2000) {
		check(oracle.FromLimbs(r.Limbs()))
	}
	if present < 100 || absent < 100 {
		t.Errorf("%d points, %d not", present, absent)
	}
	t.Logf("result: %d cases of LiftX with math/big", oracle.Cases(2000))
}

func TestIsOnCurve(t *testing.T) {
	r := oracle.New(t)
	onCurve := func(x, y *big.Int) uint64 {
		p := Affine{elem(r, x), elem(r, y)}
		return p.IsOnCurve()
	}
	for range oracle.Cases(2000) {
		p := r.Point()
		if onCurve(p.X, p.Y) != mask(true) {
			t.Fatalf("%x is not on the curve", p)
		}
		// (x, y+1) is on another curve y² = x³ + b. Additions and doublings work on this other curve, but IsOnCurve
		// must reject the point.
		q := oracle.Point{X: p.X, Y: fp.Add(p.Y, one)}
		flipped := oracle.Point{X: fp.Reduce(new(big.Int).Xor(p.X, new(big.Int).Lsh(one, uint(r.IntN(256))))), Y: p.Y}
		if onCurve(flipped.X, p.Y) != mask(flipped.OnCurve()) {
			t.Fatalf("%x is on the curve", flipped)
		}
		if onCurve(q.X, q.Y) != mask(q.OnCurve()) || onCurve(p.Y, p.X) != mask(oracle.Point{X: p.Y, Y: p.X}.OnCurve()) {
			t.Fatalf("%x is on the curve", q)
		}
	}
	if onCurve(new(big.Int), new(big.Int)) != 0 || onCurve(new(big.Int), one) != 0 {
		t.Error("(0, 0) or (0, 1) is on the curve")
	}
}

// TestPoint checks methods that neither add nor double points.
func TestPoint(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(2000) {
		p, q := r.PointPair()
		expect := func(operation string, got interface{ is(oracle.Point) bool }, want oracle.Point) {
			t.Helper()
			if !got.is(want) {
				t.Fatalf("%s(%x) is wrong; the other point is %x", operation, p, q)
			}
		}
		a, b := jacobian(r, p), jacobian(r, q)
		if a.IsInfinity() != mask(p.IsInfinity()) || a.Equal(&b) != mask(p.Equal(q)) || b.Equal(&a) != mask(p.Equal(q)) {
			t.Fatalf("IsInfinity(%x) = %x, Equal(%x, %x) = %x", p, a.IsInfinity(), p, q, a.Equal(&b))
		}
		if again := jacobian(r, p); a.Equal(&again) != mask(true) {
			t.Fatalf("%x is not equal to itself with another Z", p)
		}
		// The receivers hold arbitrary values before the call.
		garbage := affine(r, oracle.Point{X: r.Field(), Y: r.Field()})
		dirty := Jacobian{garbage.X, garbage.Y, elem(r, r.Field())}
		v := dirty
		v.Set(&a)
		expect("Set", &v, p)
		v = dirty
		v.Negate(&a)
		expect("Negate", &v, p.Neg())
		v = dirty
		v.CondNegate(&a, mask(true))
		expect("CondNegate 1", &v, p.Neg())
		v = dirty
		v.CondNegate(&a, mask(false))
		expect("CondNegate 0", &v, p)
		v = dirty
		v.Select(&a, &b, mask(true))
		expect("Select 1", &v, p)
		v = dirty
		v.Select(&a, &b, mask(false))
		expect("Select 0", &v, q)

		v = dirty
		x := denominator(r, oracle.G)
		c := elem(r, x)
		v.Rescale(&a, &c)
		if value(&v.Z).Cmp(fp.Mul(value(&a.Z), x)) != 0 {
			t.Fatalf("Rescale(%x, %x) has Z = %x", p, x, v.Z.Limbs())
		}
		expect("Rescale", &v, p)

		s, u := garbage, garbage
		s.ToAffine(&a)
		u.ToAffineVartime(&a)
		if p.IsInfinity() {
			expect("ToAffine", &s, oracle.Point{X: new(big.Int), Y: new(big.Int)})
			expect("ToAffineVartime", &u, oracle.Point{X: new(big.Int), Y: new(big.Int)})
			continue
		}
		expect("ToAffine", &s, p)
		expect("ToAffineVartime", &u, p)
		u = affine(r, p)
		s = garbage
		s.Set(&u)
		expect("Affine.Set", &s, p)
		s = garbage
		s.Negate(&u)
		expect("Affine.Negate", &s, p.Neg())
		s = garbage
		s.Rescale(&u, &c)
		xx := fp.Mul(x, x)
		expect("Affine.Rescale", &s, oracle.Point{X: fp.Mul(p.X, xx), Y: fp.Mul(p.Y, fp.Mul(xx, x))})
		v = dirty
		v.SetAffine(&u)
		expect("SetAffine", &v, p)
		w := XYZZ{dirty.X, dirty.Y, dirty.Z, dirty.Z}
		w.SetAffine(&u)
		v = dirty
		v.SetXYZZ(&w)
		expect("XYZZ.SetAffine", &v, p)
	}
	t.Logf("result: %d cases of each operation on one point with math/big", oracle.Cases(2000))
}

func TestSetXYZZ(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(1000) {
		p, _ := r.PointPair()
		a := xyzz(r, p)
		var v Jacobian
		v.SetXYZZ(&a)
		if !v.is(p) {
			t.Fatalf("SetXYZZ(%x) = %x", p, v.point())
		}
	}
}

func TestBatchToAffineVartime(t *testing.T) {
	r := oracle.New(t)
	for i := range oracle.Cases(100) {
		n := i % 100
		points, src, dst := make([]oracle.Point, n), make([]Jacobian, n), make([]Affine, n+1)
		for i := range points {
			points[i] = r.Point()
			src[i] = jacobian(r, points[i])
		}
		last := affine(r, oracle.G)
		dst[n].Set(&last)
		BatchToAffineVartime(dst, src)
		for i := range points {
			if !dst[i].is(points[i]) || !src[i].is(points[i]) {
				t.Fatalf("of %d points, number %d, %x, became %x", n, i, points[i], dst[i].X.Limbs())
			}
		}
		if !dst[n].is(oracle.G) {
			t.Fatalf("with %d points, one more was written", n)
		}
	}
}
