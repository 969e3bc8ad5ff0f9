//go:build exhaustive

package exhaustive

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
)

// TestConstants checks that the library has the generator of the group, and that λ·(x, y) = (β·x, y) for every point.
func TestConstants(t *testing.T) {
	got := oracle.Point{X: value(&group.Generator.X), Y: value(&group.Generator.Y)}
	failIf(t, !got.Equal(generator), "the generator is %x, want %x", got, generator)
	x3 := fp.Mul(fp.Mul(generator.X, generator.X), generator.X)
	failIf(t, fp.Mul(generator.Y, generator.Y).Cmp(fp.Add(x3, curveB)) != 0, "the generator is not on the curve")
	for k, p := range points[1:] {
		failIf(t, !points[(k+1)*params.Lambda%n].Equal(p.Endo()), "λ·%d·G is not (β·x, y)", k+1)
	}
}

// TestAdditions adds every pair of points by every formula. The result is stored in another variable and in the
// variable of either argument.
func TestAdditions(t *testing.T) {
	for _, f := range []struct {
		name    string
		doubles bool // whether add computes 2p + b, and not p + b
		add     func(v, p, q *group.Jacobian, b *group.Affine)
	}{
		{"Add", false, func(v, p, q *group.Jacobian, _ *group.Affine) { v.Add(p, q) }},
		{"AddVartime", false, func(v, p, q *group.Jacobian, _ *group.Affine) { v.AddVartime(p, q) }},
		{"AddMixed", false, func(v, p, _ *group.Jacobian, b *group.Affine) { v.AddMixed(p, b) }},
		{"AddMixedVartime", false, func(v, p, _ *group.Jacobian, b *group.Affine) { v.AddMixedVartime(p, &b.X, &b.Y) }},
		{"DoubleAdd", true, func(v, p, _ *group.Jacobian, b *group.Affine) { v.DoubleAdd(p, b) }},
		{"DoubleAddVartime", true, func(v, p, _ *group.Jacobian, b *group.Affine) { v.DoubleAddVartime(p, &b.X, &b.Y) }},
		{"XYZZ.AddMixed", false, func(v, p, _ *group.Jacobian, b *group.Affine) {
			var sum group.XYZZ
			s := xyzz(p)
			sum.AddMixed(&s, b)
			setXYZZ(t, v, &sum)
		}},
		{"XYZZ.AddMixedComplete in place", false, func(v, p, _ *group.Jacobian, b *group.Affine) {
			s := xyzz(p)
			s.AddMixedComplete(&s, b)
			setXYZZ(t, v, &s)
		}},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := newCount(t, f.name)
			for range rounds(t, n, n) {
				for v := range c.every(cases(t), n, n) {
					a, b := v[0], v[1]
					first := choose(f.doubles, a*inverse[2]%n, a)
					for place := range 3 {
						var sum group.Jacobian
						p, q := jacobian(c.Rand, first), jacobian(c.Rand, b)
						result := []*group.Jacobian{&sum, &p, &q}[place]
						f.add(result, &p, &q, &affines[b])
						failIf(t, !is(result, mod(a+b)), "%d + %d is wrong, in place %d", a, b, place)
						c.add("sums")
						c.addIf(a == 0 || b == 0 || a == b || a+b == n, "of equal or opposite points or with infinity")
					}
				}
			}
		})
	}
}

// setXYZZ sets p = a and checks that ZZ³ = ZZZ².
func setXYZZ(t *testing.T, p *group.Jacobian, a *group.XYZZ) {
	zz, zzz := value(&a.ZZ), value(&a.ZZZ)
	failIf(t, fp.Mul(fp.Mul(zz, zz), zz).Cmp(fp.Mul(zzz, zzz)) != 0, "ZZ = %x and ZZZ = %x", zz, zzz)
	p.SetXYZZ(a)
}

// TestAddCoZ brings every pair of points to a common denominator and adds them.
func TestAddCoZ(t *testing.T) {
	c := newCount(t, "AddCoZ")
	for range rounds(t, n, n) {
		for v := range c.every(cases(t), n-1, n) {
			a, b := v[0]+1, v[1] // a is finite
			z := denominator(c.Rand)
			p, q := affines[a], affines[b]
			p.Rescale(&p, &z)
			q.Rescale(&q, &z)
			var sum group.Affine
			var ratio field.Element
			sum.AddCoZ(&p, &q, &ratio)
			z.Mul(&z, &ratio)
			failIf(t, !isAffine(&sum, &z, mod(a+b)) || !isAffine(&p, &z, a),
				"%d + %d is wrong, or AddCoZ changes the first point to another", a, b)
			c.add("sums")
		}
	}
}

// TestUnary calls the functions of one point, with every point in all representations.
func TestUnary(t *testing.T) {
	c := newCount(t, "doublings, conversions, comparisons of every point")
	for range rounds(t, n) {
		for k := range n {
			check := func(name string, p *group.Jacobian, want int) {
				failIf(t, !is(p, mod(want)), "%s of %d is wrong", name, k)
				c.add("results")
			}
			a := jacobian(c.Rand, k)
			var p group.Jacobian
			p.Double(&a)
			check("Double", &p, 2*k)
			for i, want := 1, 2*k; i <= 10; i, want = i+1, 2*want%n {
				p.DoubleN(&a, i)
				check("DoubleN", &p, want)
			}
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
			var b, vartime group.Affine
			b.ToAffine(&a)
			failIf(t, !isAffine(&b, &one, k), "ToAffine of %d is wrong", k)
			vartime.ToAffineVartime(&a)
			failIf(t, !isAffine(&vartime, &one, k), "ToAffineVartime of %d is wrong", k)
			for i := range 20 {
				other := []int{k, n - k, k * params.Lambda, n - k*params.Lambda%n, c.IntN(n)}[i%5] % n
				q := jacobian(c.Rand, other)
				same(t, a.Equal(&q) != 0, k == other, "Equal of %d and %d", k, other)
				c.add("results")
			}
			same(t, a.IsInfinity() != 0, k == 0, "IsInfinity of %d", k)
		}
		all, affine := make([]group.Jacobian, n), make([]group.Affine, n)
		for k := range all {
			all[k] = jacobian(c.Rand, k)
		}
		group.BatchToAffineVartime(affine, all)
		for k := range affine {
			got, want := affine[k], affines[k]
			same(t, value(&got.X).String(), value(&want.X).String(), "x of %d after BatchToAffineVartime", k)
			same(t, value(&got.Y).String(), value(&want.Y).String(), "y of %d after BatchToAffineVartime", k)
			c.add("results")
		}
	}
}
