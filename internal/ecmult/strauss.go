package ecmult

import (
	"math/bits"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Term is one product of a sum, Scalar·Point, with room for what the algorithm
// keeps of it.
type Term struct {
	Scalar scalar.Scalar
	Point  group.Jacobian

	// The multiples that recode.PointMultiple names, (table[i].X, table[i].Y); the
	// x coordinates of λ and λ² times these; and what negative digits take for y.
	table   [recode.PointEntries]group.Affine
	turned  [2][recode.PointEntries]field.Element
	negated [recode.PointEntries]field.Element
	ratio   [recode.PointEntries]field.Element
	digits  recode.Digits
}

// DoubleScalarVartime sets p = k·a + g·G, for every a.
func DoubleScalarVartime(p *group.Jacobian, k *scalar.Scalar, a *group.Jacobian, g *scalar.Scalar) {
	var terms [1]Term
	terms[0].Scalar = *k
	terms[0].Point.Set(a)
	SumVartime(p, g, terms[:])
}

// SumVartime sets p = g·G plus the sum of the terms, without g·G if g is nil: E. G.
// Straus's interleaving, with the scalars split by the endomorphism (R. Gallant, R.
// Lambert, S. Vanstone, CRYPTO 2001).
func SumVartime(p *group.Jacobian, g *scalar.Scalar, terms []Term) {
	var ofG generatorTerm
	if g != nil {
		ofG.setVartime(g)
	}

	// The tables of all points have one z, and so do then all sums: s is a
	// point of the curve isomorphic by z until the end.
	z := buildTablesVartime(terms)
	ofG.gatherVartime(&z)

	// The places of the digits, from above.
	var places [3]uint64
	ofG.digits.Mark(&places)
	for i := range terms {
		terms[i].digits.Mark(&places)
	}
	var s sum
	last := -1 // the place before
	for word := len(places) - 1; word >= 0; word-- {
		for places[word] != 0 {
			bit := bits.Len64(places[word]) - 1
			places[word] ^= 1 << bit
			at := word*64 + bit
			if last >= 0 {
				s.behind = last - at
			}
			last = at
			for i := range terms {
				t := &terms[i]
				if d, ok := t.digits.Last(at); ok {
					t.digits.N--
					s.addVartime(t.multipleVartime(d))
				}
			}
			if _, ok := ofG.digits.Last(at); ok {
				ofG.digits.N--
				a := &ofG.multiple[ofG.digits.N]
				s.addVartime(&a.X, &a.Y)
			}
		}
	}
	if last > 0 {
		s.r.DoubleN(&s.r, last)
	}
	s.r.Z.Mul(&s.r.Z, &z)
	p.Set(&s.r)
}

// buildTablesVartime splits the scalars of the terms and fills the tables of the
// finite points, whose entries have one denominator: it returns that, 1 if there
// is no such point.
func buildTablesVartime(terms []Term) (z field.Element) {
	var product field.Element
	var before, after *field.Element // products of ratios, nil for none
	for i := range terms {
		term := &terms[i]
		if term.Point.Z.IsZeroVartime() {
			term.digits.N = 0
			continue
		}
		term.fillTableVartime(before)
		if i < len(terms)-1 {
			if before == nil {
				before = &product
				product.SetUint64(1)
			}
			for j := range term.ratio {
				product.Mul(&product, &term.ratio[j])
			}
		}
		term.digits.SetPointVartime(&term.Scalar)
	}
	z.SetUint64(1)
	for i := len(terms) - 1; i >= 0; i-- {
		term := &terms[i]
		if term.Point.Z.IsZeroVartime() {
			continue
		}
		z = commonDenominator(term.table[:], term.ratio[:], after)
		after = &z
		for j := range term.table {
			// 1 + β + β² = 0.
			term.turned[0][j].Mul(&term.table[j].X, &group.Beta)
			term.turned[1][j].Add(&term.table[j].X, &term.turned[0][j])
			term.turned[1][j].Negate(&term.turned[1][j])
			term.negated[j].Negate(&term.table[j].Y)
		}
	}
	return z
}

// fillTableVartime fills the table with points (x/z², y/z³) with a z for each, as
// oddMultiples does: each entry is the one before it plus a unit times the point, of
// one denominator, and never equal or opposite to it (S9).
//
// The tables of all terms share their z: before is that of the last entry of the
// table before, nil if this is the first.
func (t *Term) fillTableVartime(before *field.Element) {
	first := &t.table[0]
	first.X.Set(&t.Point.X)
	first.Y.Set(&t.Point.Y)
	if before != nil {
		first.Rescale(first, before)
	}
	t.ratio[0].Set(&t.Point.Z)
	var unit group.Affine // −λ to a power, times the point
	unit.X.Set(&first.X)
	unit.Y.Negate(&first.Y)
	power := uint8(0)
	for i := 1; i < len(t.table); i++ {
		for ; power != recode.PointSteps[i]; power = (power + 1) % 3 {
			unit.X.Mul(&unit.X, &group.Beta)
		}
		t.table[i].AddCoZ(&unit, &t.table[i-1], &t.ratio[i])
	}
}

// sum is 2ⁿ·r for n = behind.
type sum struct {
	r      group.Jacobian
	behind int
}

// addVartime adds (x, y).
func (s *sum) addVartime(x, y *field.Element) {
	switch {
	case s.behind == 0:
		s.r.AddMixedVartime(&s.r, x, y)
		return
	case s.behind > 1:
		s.r.DoubleN(&s.r, s.behind-1)
	}
	s.r.DoubleAddVartime(&s.r, x, y)
	s.behind = 0
}

// multipleVartime returns the coordinates of the multiple of t.Point for a digit.
func (t *Term) multipleVartime(d *recode.Digit) (x, y *field.Element) {
	x, y = &t.table[d.Entry].X, &t.table[d.Entry].Y
	if d.Power > 0 {
		x = &t.turned[d.Power-1][d.Entry]
	}
	if d.Sign != 0 {
		y = &t.negated[d.Entry]
	}
	return x, y
}

// generatorTerm is the scalar of G with the multiples of G that its digits stand
// for. They are asked for long before their use, since the table is too large for
// the fastest cache.
type generatorTerm struct {
	digits   recode.Digits
	multiple [recode.MaxGeneratorDigits]group.Affine
}

// setVartime sets t to k·G.
func (t *generatorTerm) setVartime(k *scalar.Scalar) {
	table := tables.GeneratorVartime()
	t.digits.SetGeneratorVartime(k)
	for i := range t.digits.Digit[:t.digits.N] {
		prefetch(&table[t.digits.Digit[i].Entry])
	}
}

// gatherVartime fetches the multiples, on the curve isomorphic by z.
func (t *generatorTerm) gatherVartime(z *field.Element) {
	table := tables.GeneratorVartime()
	var x [3]field.Element // z²·βⁱ
	var y field.Element
	x[0].Square(z)
	y.Mul(&x[0], z)
	x[1].Mul(&x[0], &group.Beta)
	x[2].Mul(&x[1], &group.Beta)
	for i := range t.digits.Digit[:t.digits.N] {
		d := &t.digits.Digit[i]
		a, m := &table[d.Entry], &t.multiple[i]
		m.X.Mul(&a.X, &x[d.Power])
		m.Y.Mul(&a.Y, &y)
		m.Y.CondNegate(&m.Y, d.Sign)
	}
}
