//go:build exhaustive

package exhaustive

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
)

// TestConstants ties the constants of the library to the group, and the group to where it comes from.
func TestConstants(t *testing.T) {
	if got := (oracle.Point{X: value(&group.Generator.X), Y: value(&group.Generator.Y)}); !got.Equal(generator) {
		t.Errorf("the generator is %x, want %x", got, generator)
	}
	if x3 := fp.Mul(fp.Mul(generator.X, generator.X), generator.X); fp.Mul(generator.Y, generator.Y).Cmp(fp.Add(x3, curveB)) != 0 {
		t.Errorf("the generator is not on the curve")
	}
	for k, p := range points {
		if k == 0 {
			continue
		}
		if !points[k*params.Lambda%n].Equal(p.Endo()) {
			t.Fatalf("λ·%d·G is not (β·x, y)", k)
		}
		if affines[k].IsOnCurve() == 0 {
			t.Fatalf("%d·G is not on the curve", k)
		}
		other := affines[k]
		if other.Y.Add(&other.Y, &affines[1].X); other.IsOnCurve() != 0 {
			t.Fatalf("%d·G with y + 1 is on the curve", k)
		}
		var lifted group.Affine
		x := affines[k].X
		if lifted.LiftX(&x) == 0 {
			t.Fatalf("no point has the x of %d·G", k)
		}
		want := k
		if odd[k] {
			want = n - k
		}
		if !isAffine(&lifted, &affines[1].X, want) { // the x of G is 1
			t.Fatalf("LiftX of the x of %d·G is not %d·G", k, want)
		}
	}
}

// TestAdditions adds every two points by every formula.
func TestAdditions(t *testing.T) {
	r := newRand(t)
	for _, c := range []struct {
		name string
		add  func(v *group.Jacobian, a, b int) // a + b
	}{
		{"Add", func(v *group.Jacobian, a, b int) {
			p, q := jacobian(r, a), jacobian(r, b)
			v.Add(&p, &q)
		}},
		{"Add in place of the first", func(v *group.Jacobian, a, b int) {
			*v = jacobian(r, a)
			q := jacobian(r, b)
			v.Add(v, &q)
		}},
		{"Add in place of the second", func(v *group.Jacobian, a, b int) {
			*v = jacobian(r, b)
			p := jacobian(r, a)
			v.Add(&p, v)
		}},
		{"AddVartime", func(v *group.Jacobian, a, b int) {
			p, q := jacobian(r, a), jacobian(r, b)
			v.AddVartime(&p, &q)
		}},
		{"AddVartime in place of the first", func(v *group.Jacobian, a, b int) {
			*v = jacobian(r, a)
			q := jacobian(r, b)
			v.AddVartime(v, &q)
		}},
		{"AddMixed", func(v *group.Jacobian, a, b int) {
			p := jacobian(r, a)
			v.AddMixed(&p, &affines[b])
		}},
		{"AddMixedVartime in place", func(v *group.Jacobian, a, b int) {
			*v = jacobian(r, a)
			v.AddMixedVartime(v, &affines[b].X, &affines[b].Y)
		}},
		{"DoubleAdd", func(v *group.Jacobian, a, b int) {
			p := jacobian(r, a*inverse[2]%n)
			v.DoubleAdd(&p, &affines[b])
		}},
		{"DoubleAddVartime in place", func(v *group.Jacobian, a, b int) {
			*v = jacobian(r, a*inverse[2]%n)
			v.DoubleAddVartime(v, &affines[b].X, &affines[b].Y)
		}},
		{"XYZZ.AddMixed", func(v *group.Jacobian, a, b int) {
			p := xyzz(r, a)
			var s group.XYZZ
			s.AddMixed(&p, &affines[b])
			setXYZZ(t, v, &s)
		}},
		{"XYZZ.AddMixedComplete in place", func(v *group.Jacobian, a, b int) {
			s := xyzz(r, a)
			s.AddMixedComplete(&s, &affines[b])
			setXYZZ(t, v, &s)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var how string
			sums, special := 0, 0
			for range rounds(t, n, n) {
				for v := range every(r, cases(t), &how, n, n) {
					a, b := v[0], v[1]
					var sum group.Jacobian
					if c.add(&sum, a, b); !is(&sum, mod(a+b)) {
						t.Fatalf("%d + %d is wrong", a, b)
					}
					sums++
					if a == 0 || b == 0 || a == b || a+b == n {
						special++
					}
				}
			}
			t.Logf("result: order %d: %s: %d sums (%s), %d of equal or opposite points or with infinity", n, c.name, sums, how, special)
		})
	}
}

// setXYZZ sets p = a, of which it checks that the denominators belong together.
func setXYZZ(t *testing.T, p *group.Jacobian, a *group.XYZZ) {
	zz, zzz := value(&a.ZZ), value(&a.ZZZ)
	if fp.Mul(fp.Mul(zz, zz), zz).Cmp(fp.Mul(zzz, zzz)) != 0 {
		t.Fatalf("ZZ = %x and ZZZ = %x", zz, zzz)
	}
	p.SetXYZZ(a)
}

// TestAddCoZ adds every two points of one denominator.
func TestAddCoZ(t *testing.T) {
	r := newRand(t)
	var how string
	sums := 0
	for range rounds(t, n, n) {
		for v := range every(r, cases(t), &how, n-1, n) {
			a, b := v[0]+1, v[1] // a is finite
			z := denominator(r)
			p, q := affines[a], affines[b]
			p.Rescale(&p, &z)
			q.Rescale(&q, &z)
			var sum group.Affine
			var ratio field.Element
			sum.AddCoZ(&p, &q, &ratio)
			z.Mul(&z, &ratio)
			if !isAffine(&sum, &z, mod(a+b)) || !isAffine(&p, &z, a) {
				t.Fatalf("%d + %d is wrong, or the first point thereafter", a, b)
			}
			sums++
		}
	}
	t.Logf("result: order %d: AddCoZ: %d sums (%s)", n, sums, how)
}

// TestUnary does everything else to every point.
func TestUnary(t *testing.T) {
	r := newRand(t)
	checked := 0
	for range rounds(t, n) {
		for k := range n {
			check := func(name string, p *group.Jacobian, want int) {
				t.Helper()
				if !is(p, mod(want)) {
					t.Fatalf("%s of %d is wrong", name, k)
				}
				checked++
			}
			a := jacobian(r, k)
			var p group.Jacobian
			p.Double(&a)
			check("Double", &p, 2*k)
			for i, want := 1, 2*k; i <= 10; i, want = i+1, 2*want%n {
				p.DoubleN(&a, i)
				check("DoubleN", &p, want)
			}
			p.Negate(&a)
			check("Negate", &p, -k)
			p.CondNegate(&a, ^uint64(0))
			check("CondNegate", &p, -k)
			p.CondNegate(&a, 0)
			check("CondNegate", &p, k)
			p.SetAffine(&affines[k])
			check("SetAffine", &p, k)
			var s group.XYZZ
			s.SetAffine(&affines[k])
			setXYZZ(t, &p, &s)
			check("SetAffine of XYZZ", &p, k)
			one := affines[1].X
			var b, c group.Affine
			if b.ToAffine(&a); !isAffine(&b, &one, k) {
				t.Fatalf("ToAffine of %d is wrong", k)
			}
			if c.ToAffineVartime(&a); !isAffine(&c, &one, k) {
				t.Fatalf("ToAffineVartime of %d is wrong", k)
			}
			for i := range 20 {
				other := []int{k, n - k, k * params.Lambda, n - k*params.Lambda%n, r.IntN(n)}[i%5] % n
				q := jacobian(r, other)
				if got := a.Equal(&q) != 0; got != (k == other) {
					t.Fatalf("Equal of %d and %d: %v", k, other, got)
				}
				checked++
			}
			if got := a.IsInfinity() != 0; got != (k == 0) {
				t.Fatalf("IsInfinity of %d: %v", k, got)
			}
		}
		all, affine := make([]group.Jacobian, n), make([]group.Affine, n)
		for k := range all {
			all[k] = jacobian(r, k)
		}
		group.BatchToAffineVartime(affine, all)
		for k := range affine {
			if value(&affine[k].X).Cmp(value(&affines[k].X)) != 0 || value(&affine[k].Y).Cmp(value(&affines[k].Y)) != 0 {
				t.Fatalf("BatchToAffineVartime: %d is wrong", k)
			}
			checked++
		}
	}
	t.Logf("result: order %d: doublings, conversions, comparisons of every point: %d results", n, checked)
}
