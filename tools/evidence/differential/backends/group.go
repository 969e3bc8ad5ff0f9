package main

import (
	"math/big"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// The formulas are polynomials, and half of their trials have coordinates that belong to no point of the curve. Any two points
// are on some curve, though, on which the rule of chord and tangent holds: that is what math/big has.

// Layouts of inputs: words from the left.

// drawJacobian takes a Jacobian point, which may be infinity.
func drawJacobian(t *trial) {
	p := t.affine()
	x, y, z := t.jacobian(p.x, p.y)
	if t.bits()&1 == 0 {
		x, y, z = t.value(), t.value(), t.value()
	}
	if t.one(16) {
		z = t.infinity()
	}
	t.takes(x, y, z)
}

// drawMixed takes a Jacobian point and an affine one, related to it or to its double.
func drawMixed(t *trial) {
	if t.bits()&1 == 0 {
		t.takes(t.value(), t.value(), t.value(), t.value(), t.value())
	} else {
		p := t.affine()
		x, y, z := t.jacobian(p.x, p.y)
		x2, y2 := t.other(p)
		t.takes(x, y, z, x2, y2)
	}
	if t.one(16) {
		t.in[2] = t.infinity()
	}
}

// drawTwo takes two Jacobian points, related to each other.
func drawTwo(t *trial) {
	if t.bits()&1 == 0 {
		for range 6 {
			t.takes(t.value())
		}
	} else {
		p := t.affine()
		x, y, z := t.jacobian(p.x, p.y)
		x2, y2 := t.other(p)
		x2, y2, z2 := t.jacobian(x2, y2)
		t.takes(x, y, z, x2, y2, z2)
	}
	for _, z := range []int{2, 5} {
		if t.one(16) {
			t.in[z] = t.infinity()
		}
	}
}

// drawAffine takes an affine point.
func drawAffine(t *trial) {
	if p := t.affine(); t.bits()&1 == 0 {
		t.takes(p.x, p.y)
	} else {
		t.takes(t.value(), t.value())
	}
}

func jacobian(w []word) group.Jacobian {
	return group.Jacobian{X: element(w[0]), Y: element(w[1]), Z: element(w[2])}
}

func affine(w []word) group.Affine { return group.Affine{X: element(w[0]), Y: element(w[1])} }

func reduced(e *field.Element) word { return residue(e.Limbs()) }

func residuesOf(t *trial, elements ...*field.Element) {
	for _, e := range elements {
		t.gives(reduced(e))
	}
}

func limbsOf(t *trial, elements ...*field.Element) {
	for _, e := range elements {
		t.gives(e.Limbs())
	}
}

// pointOf puts out a Jacobian point with the denominator 1, or three zeros.
func pointOf(t *trial, p *group.Jacobian) {
	var a group.Affine
	a.ToAffineVartime(p)
	z := word{1}
	if p.Z.IsZeroVartime() {
		z = word{}
	}
	t.gives(reduced(&a.X), reduced(&a.Y), z)
}

// keepsAffine and keepsJacobian make sure that a point is still as it came.
func (t *trial) keepsAffine(p *group.Affine, w []word) {
	t.keeps(p.X.Limbs() == w[0] && p.Y.Limbs() == w[1])
}

func (t *trial) keepsJacobian(p *group.Jacobian, w []word) {
	t.keeps(p.X.Limbs() == w[0] && p.Y.Limbs() == w[1] && p.Z.Limbs() == w[2])
}

// receiver returns the variable for a result, or the argument in its place.
func receiver[T any](t *trial, v, a *T) *T {
	if t.way&1 != 0 {
		return a
	}
	return v
}

// with adds a word to what is drawn.
func with(draw func(t *trial), more func(t *trial) word) func(t *trial) {
	return func(t *trial) {
		draw(t)
		t.takes(more(t))
	}
}

func drawDenominator(t *trial) word { return t.denominator() }
func drawMask(t *trial) word        { return word{t.mask()} }

// toJacobian is p = f(a), where p may be a.
func toJacobian(name string, often int, exact precision, draw func(*trial), f func(t *trial, p, a *group.Jacobian),
	want func(in []word, a oracle.Point) oracle.Point) *operation {
	var a, v group.Jacobian
	return &operation{
		name: name, often: often, exact: exact, draw: draw,
		do: func(t *trial) {
			a = jacobian(t.in)
			p := receiver(t, &v, &a)
			if f(t, p, &a); p != &a {
				t.keepsJacobian(&a, t.in)
			}
			switch exact {
			case points:
				pointOf(t, p)
			case residues:
				residuesOf(t, &p.X, &p.Y, &p.Z)
			default:
				limbsOf(t, &p.X, &p.Y, &p.Z)
			}
		},
		check: func(t *trial, _ *bigs) verdict { return verdictOf(isPoint(t.out, want(t.in, jacobianPoint(t.in)))) },
	}
}

// mixed is p = f(a, b) for a Jacobian and an affine point. The formulas that are not complete leave out a sum of equal points
// and one with infinity.
func mixed(name string, often int, exact precision, complete, doubles bool, f func(p, a *group.Jacobian, b *group.Affine)) *operation {
	var b group.Affine
	op := toJacobian(name, often, exact, drawMixed, func(t *trial, p, a *group.Jacobian) {
		b = affine(t.in[3:])
		f(p, a, &b)
		t.keepsAffine(&b, t.in[3:])
	}, nil)
	op.check = func(t *trial, _ *bigs) verdict {
		p, q := jacobianPoint(t.in), point(t.in[3], t.in[4])
		if doubles {
			if p = p.Double(); p.IsInfinity() && residue(t.in[2]) != (word{}) {
				return outside // with y = 0: there is no such point
			}
		}
		if !complete && (p.IsInfinity() || p.Equal(q)) {
			return outside
		}
		return verdictOf(isPoint(t.out, p.Add(q)))
	}
	return op
}

// sums is p = f(a, b) for two Jacobian points, of which p may be one, or which may be one.
func sums(name string, f func(p, a, b *group.Jacobian)) *operation {
	var b group.Jacobian
	op := toJacobian(name, medium, points, drawTwo, func(t *trial, p, a *group.Jacobian) {
		b = jacobian(t.in[3:])
		switch second := &b; {
		case t.way>>1&3 == 0: // p = b, which a may be as well
			if f(&b, a, &b); p != a {
				t.keepsJacobian(a, t.in)
			}
			*p = b
		case [3]word(t.in[:3]) == [3]word(t.in[3:]):
			f(p, a, a)
		default:
			f(p, a, second)
			t.keepsJacobian(second, t.in[3:])
		}
	}, nil)
	op.check = func(t *trial, _ *bigs) verdict {
		return verdictOf(isPoint(t.out, jacobianPoint(t.in).Add(jacobianPoint(t.in[3:]))))
	}
	return op
}

func groupOperations() []*operation {
	return []*operation{
		lift(),
		isOnCurve(),
		toJacobian("group Double", medium, points, drawJacobian, func(_ *trial, p, a *group.Jacobian) { p.Double(a) },
			func(_ []word, a oracle.Point) oracle.Point { return a.Double() }),
		doubleN(),
		mixed("group AddMixed", medium, residues, false, false, (*group.Jacobian).AddMixed),
		mixed("group AddMixedVartime", medium, points, true, false, func(p, a *group.Jacobian, b *group.Affine) {
			p.AddMixedVartime(a, &b.X, &b.Y)
		}),
		mixed("group DoubleAdd", medium, points, false, true, (*group.Jacobian).DoubleAdd),
		mixed("group DoubleAddVartime", medium, points, true, true, func(p, a *group.Jacobian, b *group.Affine) {
			p.DoubleAddVartime(a, &b.X, &b.Y)
		}),
		sums("group Add", (*group.Jacobian).Add),
		sums("group AddVartime", (*group.Jacobian).AddVartime),
		extended("group XYZZ AddMixed", false, (*group.XYZZ).AddMixed),
		extended("group XYZZ AddMixedComplete", true, (*group.XYZZ).AddMixedComplete),
		addCoZ(),
		addAffine(),
		rescale(),
		toJacobian("group Jacobian Rescale", quick, limbs, with(drawJacobian, drawDenominator), func(t *trial, p, a *group.Jacobian) {
			c := element(t.in[3])
			p.Rescale(a, &c)
		}, func(_ []word, a oracle.Point) oracle.Point { return a }),
		toJacobian("group Jacobian Negate", quick, limbs, drawJacobian, func(_ *trial, p, a *group.Jacobian) { p.Negate(a) },
			func(_ []word, a oracle.Point) oracle.Point { return a.Neg() }),
		toJacobian("group Jacobian CondNegate", quick, limbs, with(drawJacobian, drawMask), func(t *trial, p, a *group.Jacobian) { p.CondNegate(a, t.in[3][0]) }, func(in []word, a oracle.Point) oracle.Point {
			if in[3][0] != 0 {
				return a.Neg()
			}
			return a
		}),
		selects(),
		equal(),
		toAffine("group ToAffine", (*group.Affine).ToAffine),
		toAffine("group ToAffineVartime", (*group.Affine).ToAffineVartime),
		batch2affine(),
	}
}

// lift puts out whether there is a point with an x, and which.
func lift() *operation {
	var p group.Affine
	return &operation{
		name: "group LiftX", often: medium, exact: limbs,
		draw: func(t *trial) { t.takes(t.value()) },
		do: func(t *trial) {
			x := element(t.in[0])
			ok := p.LiftX(&x)
			t.keeps(x.Limbs() == t.in[0])
			if t.gives(word{ok}); ok != 0 {
				t.gives(p.X.Limbs(), reduced(&p.Y))
			}
		},
		check: func(t *trial, _ *bigs) verdict {
			want, ok := oracle.LiftX(oracle.Fp.Reduce(oracle.FromLimbs(t.in[0])))
			return verdictOf(t.out[0][0] == mask(ok) && (!ok || isAffine(t.out[1:], want)))
		},
	}
}

func isOnCurve() *operation {
	return &operation{
		name: "group IsOnCurve", often: quick, exact: limbs, draw: func(t *trial) {
			if drawAffine(t); t.one(4) { // off by a little
				t.in[t.below(2)][t.below(4)] ^= 1 << t.below(64)
			}
		},
		do: func(t *trial) {
			p := affine(t.in)
			t.gives(word{p.IsOnCurve()})
			t.keepsAffine(&p, t.in)
		},
		check: func(t *trial, _ *bigs) verdict {
			return verdictOf(t.out[0][0] == mask(point(t.in[0], t.in[1]).OnCurve()))
		},
	}
}

// doubleN doubles up to 6 times, and now and then as often as there are bits between two digits at most.
func doubleN() *operation {
	return toJacobian("group DoubleN", medium, points, with(drawJacobian, func(t *trial) word {
		if t.one(64) {
			return word{uint64(1 + t.below(130))}
		}
		return word{uint64(1 + t.below(6))}
	}), func(t *trial, p, a *group.Jacobian) { p.DoubleN(a, int(t.in[3][0])) }, func(in []word, a oracle.Point) oracle.Point {
		return a.Mul(new(big.Int).Lsh(one, uint(in[3][0])))
	})
}

// extended is an addition of an affine point to one in XYZZ coordinates, whose ZZ and ZZZ do not always belong together. Also
// SetXYZZ.
func extended(name string, complete bool, f func(p, a *group.XYZZ, b *group.Affine)) *operation {
	var a, v group.XYZZ
	return &operation{
		name: name, often: medium, exact: residues,
		draw: func(t *trial) {
			drawMixed(t)
			z, zz := t.in[2], t.value()
			zzz := t.value()
			if t.way&6 != 0 {
				zz = product(z, z)
				zzz = product(zz, z)
			}
			t.takes(zz, zzz)
		},
		do: func(t *trial) {
			a = group.XYZZ{X: element(t.in[0]), Y: element(t.in[1]), ZZ: element(t.in[5]), ZZZ: element(t.in[6])}
			b := affine(t.in[3:])
			p := receiver(t, &v, &a)
			f(p, &a, &b)
			t.keepsAffine(&b, t.in[3:])
			t.keeps(p == &a || a.X.Limbs() == t.in[0] && a.Y.Limbs() == t.in[1] && a.ZZ.Limbs() == t.in[5] && a.ZZZ.Limbs() == t.in[6])
			var j group.Jacobian
			j.SetXYZZ(p)
			residuesOf(t, &j.X, &j.Y, &j.Z, &p.X, &p.Y, &p.ZZ, &p.ZZZ)
		},
		check: func(t *trial, _ *bigs) verdict {
			p, q := jacobianPoint(t.in), point(t.in[3], t.in[4])
			zz := product(t.in[2], t.in[2])
			if p.IsInfinity() || !complete && p.Equal(q) || t.in[5] != zz || t.in[6] != product(zz, t.in[2]) {
				return outside
			}
			zz, zzz := t.out[5], t.out[6]
			together := product(product(zz, zz), zz) == product(zzz, zzz)
			return verdictOf(together && isPoint(t.out, p.Add(q)))
		},
	}
}

// addCoZ puts out the sum, the ratio of the denominators and what became of the first point.
func addCoZ() *operation {
	var p, a group.Affine
	var ratio field.Element
	return &operation{
		name: "group AddCoZ", often: medium, exact: residues,
		draw: func(t *trial) {
			drawMixed(t)
			t.in = append(t.in[:2], t.in[3:]...)
		},
		do: func(t *trial) {
			a = affine(t.in)
			b := affine(t.in[2:])
			p.AddCoZ(&a, &b, &ratio)
			t.keepsAffine(&b, t.in[2:])
			residuesOf(t, &p.X, &p.Y, &ratio, &a.X, &a.Y, &ratio)
		},
		check: func(t *trial, _ *bigs) verdict {
			p, q := point(t.in[0], t.in[1]), point(t.in[2], t.in[3])
			if p.X.Cmp(q.X) == 0 {
				return outside
			}
			return verdictOf(isPoint(t.out, p.Add(q)) && isPoint(t.out[3:], p))
		},
	}
}

// addAffine puts out the sum and the inverse that is left.
func addAffine() *operation {
	var a, v group.Affine
	return &operation{
		name: "group AddAffine", often: medium, exact: residues,
		draw: func(t *trial) {
			drawMixed(t)
			t.in = append(t.in[:2], t.in[3:]...)
			t.takes(t.denominator())
		},
		do: func(t *trial) {
			a = affine(t.in)
			b, before := affine(t.in[2:]), element(t.in[4])
			var inverse field.Element
			inverse.Sub(&b.X, &a.X).Mul(&inverse, &before).Invert(&inverse)
			p := receiver(t, &v, &a)
			p.AddAffine(&a, &b, &before, &inverse)
			t.keepsAffine(&b, t.in[2:])
			t.keeps(before.Limbs() == t.in[4])
			residuesOf(t, &p.X, &p.Y, &inverse)
		},
		check: func(t *trial, _ *bigs) verdict {
			p, q := point(t.in[0], t.in[1]), point(t.in[2], t.in[3])
			if p.X.Cmp(q.X) == 0 {
				return outside
			}
			return verdictOf(isPoint([]word{t.out[0], t.out[1], {1}}, p.Add(q)) && product(t.out[2], t.in[4]) == word{1})
		},
	}
}

func rescale() *operation {
	var a, v group.Affine
	return &operation{
		name: "group Affine Rescale", often: quick, exact: limbs,
		draw: with(drawAffine, drawDenominator),
		do: func(t *trial) {
			a = affine(t.in)
			c := element(t.in[2])
			p := receiver(t, &v, &a)
			if p.Rescale(&a, &c); p != &a {
				t.keepsAffine(&a, t.in)
			}
			t.keeps(c.Limbs() == t.in[2])
			limbsOf(t, &p.X, &p.Y)
		},
		check: func(t *trial, _ *bigs) verdict {
			return verdictOf(isPoint([]word{t.out[0], t.out[1], t.in[2]}, point(t.in[0], t.in[1])))
		},
	}
}

func selects() *operation {
	var b group.Jacobian
	op := toJacobian("group Jacobian Select", quick, limbs, with(drawTwo, drawMask), func(t *trial, p, a *group.Jacobian) {
		b = jacobian(t.in[3:])
		p.Select(a, &b, t.in[6][0])
		t.keepsJacobian(&b, t.in[3:])
	}, nil)
	op.check = func(t *trial, _ *bigs) verdict {
		from := 3
		if t.in[6][0] != 0 {
			from = 0
		}
		return verdictOf([3]word(t.out) == [3]word(t.in[from:]))
	}
	return op
}

func equal() *operation {
	return &operation{
		name: "group Equal, IsInfinity", often: quick, exact: limbs, draw: drawTwo,
		do: func(t *trial) {
			a, b := jacobian(t.in), jacobian(t.in[3:])
			t.gives(word{a.Equal(&b), b.Equal(&a), a.IsInfinity()})
		},
		check: func(t *trial, _ *bigs) verdict {
			p, q := jacobianPoint(t.in), jacobianPoint(t.in[3:])
			return verdictOf(t.out[0] == word{mask(p.Equal(q)), mask(p.Equal(q)), mask(p.IsInfinity())})
		},
	}
}

func toAffine(name string, f func(p *group.Affine, a *group.Jacobian)) *operation {
	var p group.Affine
	return &operation{
		name: name, often: medium, exact: limbs, draw: drawJacobian,
		do: func(t *trial) {
			a := jacobian(t.in)
			f(&p, &a)
			t.keepsJacobian(&a, t.in)
			limbsOf(t, &p.X, &p.Y)
		},
		check: func(t *trial, _ *bigs) verdict { return verdictOf(isAffine(t.out, jacobianPoint(t.in))) },
	}
}

// batch2affine brings up to 8 finite points to affine coordinates at once.
func batch2affine() *operation {
	var dst [8]group.Affine
	return &operation{
		name: "group BatchToAffineVartime", often: slow, exact: limbs,
		draw: func(t *trial) {
			for range 1 + t.below(len(dst)) {
				drawJacobian(t)
				if z := &t.in[len(t.in)-1]; *z == (word{}) || *z == t.pool.field.modulus {
					*z = t.denominator()
				}
			}
		},
		do: func(t *trial) {
			src := make([]group.Jacobian, len(t.in)/3)
			for i := range src {
				src[i] = jacobian(t.in[3*i:])
			}
			group.BatchToAffineVartime(dst[:], src)
			for i := range src {
				t.keepsJacobian(&src[i], t.in[3*i:])
				limbsOf(t, &dst[i].X, &dst[i].Y)
			}
		},
		check: func(t *trial, _ *bigs) verdict {
			for i := range len(t.in) / 3 {
				if !isAffine(t.out[2*i:], jacobianPoint(t.in[3*i:])) {
					return wrong
				}
			}
			return right
		},
	}
}
