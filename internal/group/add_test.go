package group

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// anywhere returns a finite point with random coordinates, mostly not on secp256k1. The formulas for chords, and for
// tangents of curves y² = x³ + b, do not depend on the curve.
func anywhere(r *oracle.Rand) oracle.Point {
	if x, y := r.Field(), r.Field(); x.Sign() != 0 && y.Sign() != 0 {
		return oracle.Point{X: x, Y: y}
	}
	return r.Point()
}

// TestAdd compares additions with the oracle, for random pairs of points. They include equal and opposite points and
// infinity, except those that the domain of an addition leaves out.
func TestAdd(t *testing.T) {
	const (
		mixed = 1 << iota
		finite
		distinct // neither equal nor opposite
		half     // the operation doubles the first point before it adds
	)
	for _, c := range []struct {
		name   string
		domain int
		add    func(r *oracle.Rand, v *Jacobian, p, q oracle.Point)
	}{
		{"Add", 0, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := jacobian(r, p), jacobian(r, q)
			v.Add(&a, &b)
		}},
		{"AddVartime", 0, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := jacobian(r, p), jacobian(r, q)
			v.AddVartime(&a, &b)
		}},
		{"AddMixed", mixed | finite | distinct, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := jacobian(r, p), affine(r, q)
			v.AddMixed(&a, &b)
		}},
		{"AddMixedVartime", mixed, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := jacobian(r, p), affine(r, q)
			v.AddMixedVartime(&a, &b.X, &b.Y)
		}},
		{"DoubleAdd", mixed | finite | distinct | half, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := jacobian(r, p), affine(r, q)
			v.DoubleAdd(&a, &b)
		}},
		{"DoubleAddVartime", mixed | half, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := jacobian(r, p), affine(r, q)
			v.DoubleAddVartime(&a, &b.X, &b.Y)
		}},
		{"XYZZ.Add", mixed | finite | distinct, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := xyzz(r, p), xyzz(r, q)
			var s XYZZ
			s.Add(&a, &b)
			s.consistent(t)
			v.SetXYZZ(&s)
		}},
		{"Affine.AddAffine", mixed | finite | distinct, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b, other := affine(r, p), affine(r, q), denominator(r, q)
			before, inverse := elem(r, other), elem(r, fp.Inv(fp.Mul(other, fp.Sub(q.X, p.X))))
			a.AddAffine(&a, &b, &before, &inverse)
			if want := elem(r, fp.Inv(other)); inverse.Equal(&want) == 0 {
				t.Fatalf("%x + %x: the inverse that is left is wrong", p, q)
			}
			v.SetAffine(&a)
		}},
		{"XYZZ.AddMixed", mixed | finite | distinct, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := xyzz(r, p), affine(r, q)
			var s XYZZ
			s.AddMixed(&a, &b)
			s.consistent(t)
			v.SetXYZZ(&s)
		}},
		{"XYZZ.AddMixedComplete", mixed | finite, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := xyzz(r, p), affine(r, q)
			var s XYZZ
			s.AddMixedComplete(&a, &b)
			s.consistent(t)
			v.SetXYZZ(&s)
		}},
		{"XYZZ.AddMixedVartime", mixed, func(r *oracle.Rand, v *Jacobian, p, q oracle.Point) {
			a, b := xyzz(r, p), affine(r, q)
			var s XYZZ
			s.AddMixedVartime(&a, &b)
			s.consistent(t)
			v.SetXYZZ(&s)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := oracle.New(t)
			ran, doubled, vanished := 0, 0, 0
			for range oracle.Cases(1000) {
				p, q := r.PointPair()
				if r.IntN(4) == 0 {
					p, q = anywhere(r), anywhere(r)
				}
				first := p
				if c.domain&half != 0 {
					first = p.Double()
				}
				want := first.Add(q)
				switch {
				case c.domain&mixed != 0 && q.IsInfinity(), c.domain&finite != 0 && p.IsInfinity(),
					c.domain&distinct != 0 && (first.Equal(q) || want.IsInfinity()):
					continue
				case first.Equal(q):
					doubled++
				case want.IsInfinity():
					vanished++
				}
				ran++
				var v Jacobian
				c.add(r, &v, p, q)
				if !v.is(want) {
					t.Fatalf("%x + %x = %x, want %x", p, q, v.point(), want)
				}
			}
			if ran < oracle.Cases(200) || (c.domain&distinct == 0 && (doubled < oracle.Cases(20) || vanished < oracle.Cases(20))) {
				t.Errorf("only %d sums, %d of equal and %d of opposite points", ran, doubled, vanished)
			}
			t.Logf("result: %d cases of %s with math/big", ran, c.name)
		})
	}
}

// TestAddCoZ adds points with a common denominator, and checks that this denominator times ratio is the denominator of
// the sum.
func TestAddCoZ(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(3000) {
		p, q := r.PointPair()
		want := p.Add(q)
		if p.IsInfinity() || q.IsInfinity() || p.Equal(q) || want.IsInfinity() {
			continue
		}
		z := denominator(r, p)
		scaled := func(p oracle.Point) Affine {
			zz := fp.Mul(z, z)
			return affine(r, oracle.Point{X: fp.Mul(p.X, zz), Y: fp.Mul(p.Y, fp.Mul(zz, z))})
		}
		a, b := scaled(p), scaled(q)
		var sum Affine
		var ratio field.Element
		sum.AddCoZ(&a, &b, &ratio)
		denominator := elem(r, fp.Mul(z, value(&ratio)))
		for _, c := range []struct {
			got  *Affine
			want oracle.Point
		}{{&sum, want}, {&a, p}} {
			j := Jacobian{c.got.X, c.got.Y, denominator}
			if !j.is(c.want) {
				t.Fatalf("%x + %x: %x, want %x", p, q, j.point(), c.want)
			}
		}
	}
}

// TestAddAffine adds pairs of points that share an inversion. In some additions the sum overwrites the first point.
func TestAddAffine(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(3000) {
		p, q := r.PointPair()
		want := p.Add(q)
		if p.IsInfinity() || q.IsInfinity() || p.Equal(q) || want.IsInfinity() {
			continue
		}
		before := r.Field()
		if fp.Reduce(before).Sign() == 0 {
			continue
		}
		product := fp.Mul(before, fp.Sub(q.X, p.X))
		a, b := affine(r, p), affine(r, q)
		c, inverse := elem(r, before), elem(r, fp.Inv(product))
		sum := &a
		if r.IntN(2) == 0 {
			sum = new(Affine)
		}
		sum.AddAffine(&a, &b, &c, &inverse)
		j := Jacobian{sum.X, sum.Y, elem(r, big.NewInt(1))}
		if !j.is(want) || fp.Mul(value(&inverse), before).Cmp(big.NewInt(1)) != 0 {
			t.Fatalf("%x + %x: %x, want %x; inverse %x of %x", p, q, j.point(), want, value(&inverse), before)
		}
	}
}

// consistent checks that ZZ³ = ZZZ².
func (p *XYZZ) consistent(t *testing.T) {
	t.Helper()
	zz, zzz := value(&p.ZZ), value(&p.ZZZ)
	if fp.Mul(fp.Mul(zz, zz), zz).Cmp(fp.Mul(zzz, zzz)) != 0 {
		t.Fatalf("ZZ³ ≠ ZZZ² for ZZ = %x and ZZZ = %x", zz, zzz)
	}
}

// TestDoubleNPanics checks that counts below 1 panic, because the assembly counts down to 0 and would never end.
func TestDoubleNPanics(t *testing.T) {
	for _, n := range []int{0, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("DoubleN of %d does not panic", n)
				}
			}()
			new(Jacobian).DoubleN(new(Jacobian), n)
		}()
	}
}

func TestDouble(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(3000) {
		p, _ := r.PointPair()
		a := jacobian(r, p)
		var v Jacobian
		v.Double(&a)
		if !v.is(p.Double()) {
			t.Fatalf("2·%x = %x, want %x", p, v.point(), p.Double())
		}
	}
	for _, p := range oracle.EdgePoints() {
		a := jacobian(r, p)
		a.Double(&a)
		if !a.is(p.Double()) {
			t.Fatalf("2·%x = %x, want %x", p, a.point(), p.Double())
		}
	}
}

// TestDoubleN doubles up to 20 times, also in place.
func TestDoubleN(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(100) {
		p, _ := r.PointPair()
		a := jacobian(r, p)
		want := p
		for n := 1; n <= 20; n++ {
			v, w := jacobian(r, oracle.G), a
			v.DoubleN(&a, n)
			w.DoubleN(&w, n)
			if want = want.Double(); !v.is(want) || !w.is(want) || !a.is(p) {
				t.Fatalf("2^%d·%x = %x, in place %x, want %x", n, p, v.point(), w.point(), want)
			}
		}
	}
	t.Logf("result: %d cases of repeated doublings with math/big", 20*oracle.Cases(100))
}

// TestChain adds and doubles many times, so that the coordinates have the same distribution as in multiplications.
func TestChain(t *testing.T) {
	r := oracle.New(t)
	want := r.Point()
	v := jacobian(r, want)
	for range oracle.Cases(2000) {
		q := r.Point()
		b := affine(r, q)
		want = want.Add(q)
		if r.IntN(2) == 0 {
			v.AddMixedVartime(&v, &b.X, &b.Y)
		} else {
			w := jacobian(r, q)
			v.Add(&v, &w)
		}
		v.Double(&v)
		if want = want.Double(); !v.is(want) {
			t.Fatalf("%x, want %x", v.point(), want)
		}
	}
}
