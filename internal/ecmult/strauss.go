package ecmult

import (
	"math/bits"
	"sync"

	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/scalar"
)

const (
	pointWidth   = 3 // of the form of scalars of arbitrary points
	pointEntries = 1 << (2*pointWidth - 3)

	generatorWidth = 8 // of the form of the generator's scalar
)

// generatorTable holds the multiples a + b·λ of G that digits stand for up to units
// (digit.setGenerator), at a/2, rounded down, times 2ʷ⁻¹ plus b/2 mod 2ʷ⁻¹. The 512 KiB
// are made when first used, and on the heap, where so large an object begins with a
// page: each entry is then one cache line.
var (
	generatorTable []group.Affine
	vartimeOnce    sync.Once
)

// buildVartimeTables makes what SumVartime reads.
func buildVartimeTables() {
	buildPointClasses()
	const half = 1 << (generatorWidth - 1)
	generatorTable = make([]group.Affine, half/2*half)

	var first, next, twice group.Jacobian
	var oneStep, lambdaStep group.Affine // 2·G and 2·λ·G
	first.SetAffine(&group.Generator)
	twice.Double(&first)
	oneStep.ToAffineVartime(&twice)
	lambdaStep.Set(&oneStep)
	lambdaStep.X.Mul(&lambdaStep.X, &group.Beta)
	lambdaStep.Negate(&lambdaStep)
	for range half / 2 { // to (1 − 2ʷ⁻¹·λ)·G
		first.AddMixedVartime(&first, &lambdaStep.X, &lambdaStep.Y)
	}
	lambdaStep.Negate(&lambdaStep)
	var row [half]group.Jacobian
	for a := range half / 2 {
		next.Set(&first)
		for b := -half / 2; b < half/2; b++ {
			row[b&(half-1)].Set(&next)
			next.AddMixedVartime(&next, &lambdaStep.X, &lambdaStep.Y)
		}
		group.BatchToAffineVartime(generatorTable[a*half:], row[:])
		first.AddMixedVartime(&first, &oneStep.X, &oneStep.Y)
	}
}

// Term is one product of a sum, Scalar·Point, with room for what the algorithm
// keeps of it.
type Term struct {
	Scalar scalar.Scalar
	Point  group.Jacobian

	// The multiples of pointMultiples, (table[i].X, table[i].Y); the x
	// coordinates of λ and λ² times these; and what negative digits take for y.
	table   [pointEntries]group.Affine
	turned  [2][pointEntries]field.Element
	negated [pointEntries]field.Element
	ratio   [pointEntries]field.Element
	digits  digits
}

// DoubleVartime sets p = g·G + k·a, for every a.
func DoubleVartime(p *group.Jacobian, g, k *scalar.Scalar, a *group.Jacobian) {
	var terms [1]Term
	terms[0].Scalar = *k
	terms[0].Point.Set(a)
	SumVartime(p, g, terms[:])
}

// SumVartime sets p = g·G plus the sum of the terms: E. G. Straus's interleaving, with the scalars split by the
// endomorphism (R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001).
func SumVartime(p *group.Jacobian, g *scalar.Scalar, terms []Term) {
	vartimeOnce.Do(buildVartimeTables)

	var ofG generatorTerm
	ofG.setVartime(g)

	// The tables of all points have one z, and so do then all sums: s is a
	// point of the curve isomorphic by z until the end.
	z := buildTablesVartime(terms)
	ofG.gatherVartime(&z)

	// The places of the digits, from above.
	var places [3]uint64
	ofG.digits.mark(&places)
	for i := range terms {
		terms[i].digits.mark(&places)
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
				if d, ok := t.digits.last(at); ok {
					t.digits.n--
					s.addVartime(t.multipleVartime(d))
				}
			}
			if _, ok := ofG.digits.last(at); ok {
				ofG.digits.n--
				a := &ofG.multiple[ofG.digits.n]
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
		t := &terms[i]
		if t.Point.Z.IsZeroVartime() {
			t.digits.n = 0
			continue
		}
		t.fillTableVartime(before)
		if i < len(terms)-1 {
			if before == nil {
				before = &product
				product.SetUint64(1)
			}
			for j := range t.ratio {
				product.Mul(&product, &t.ratio[j])
			}
		}
		k1, k2 := t.Scalar.Split()
		t.digits.setVartime(k1, k2, false)
	}
	z.SetUint64(1)
	for i := len(terms) - 1; i >= 0; i-- {
		t := &terms[i]
		if t.Point.Z.IsZeroVartime() {
			continue
		}
		z = commonDenominator(t.table[:], t.ratio[:], after)
		after = &z
		for j := range t.table {
			// 1 + β + β² = 0.
			t.turned[0][j].Mul(&t.table[j].X, &group.Beta)
			t.turned[1][j].Add(&t.table[j].X, &t.turned[0][j])
			t.turned[1][j].Negate(&t.turned[1][j])
			t.negated[j].Negate(&t.table[j].Y)
		}
	}
	return z
}

// fillTableVartime fills the table with points (x/z², y/z³) with a z for each, as
// oddMultiples does: each entry is the one before it plus a unit times the point, of
// one denominator. Their sums and differences are small multiples from ℤ[λ], of norm 49
// at most, and those that take a point to infinity have norms that n divides.
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
	var unit group.Affine // −λ² times the point, from the third step on −λ, for the last −λ² again
	unit.X.Mul(&first.X, &group.Beta)
	unit.X.Mul(&unit.X, &group.Beta)
	unit.Y.Negate(&first.Y)
	for i := 1; i < len(t.table); i++ {
		switch i {
		case 3:
			unit.X.Mul(&unit.X, &group.Beta)
			unit.X.Mul(&unit.X, &group.Beta)
		case 7:
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
func (t *Term) multipleVartime(d *digit) (x, y *field.Element) {
	x, y = &t.table[d.entry].X, &t.table[d.entry].Y
	if d.power > 0 {
		x = &t.turned[d.power-1][d.entry]
	}
	if d.sign != 0 {
		y = &t.negated[d.entry]
	}
	return x, y
}

// generatorTerm is the scalar of G with the multiples of G that its digits stand
// for. They are asked for long before their use, since the table is too large for
// the fastest cache.
type generatorTerm struct {
	digits   digits
	multiple [maxPlace/generatorWidth + 1]group.Affine
}

// setVartime sets t to k·G.
func (t *generatorTerm) setVartime(k *scalar.Scalar) {
	k1, k2 := k.Split()
	t.digits.setVartime(k1, k2, true)
	for i := range t.digits.digit[:t.digits.n] {
		prefetch(&generatorTable[t.digits.digit[i].entry])
	}
}

// gatherVartime fetches the multiples, on the curve isomorphic by z.
func (t *generatorTerm) gatherVartime(z *field.Element) {
	var x [3]field.Element // z²·βⁱ
	var y field.Element
	x[0].Square(z)
	y.Mul(&x[0], z)
	x[1].Mul(&x[0], &group.Beta)
	x[2].Mul(&x[1], &group.Beta)
	for i := range t.digits.digit[:t.digits.n] {
		d := &t.digits.digit[i]
		a, m := &generatorTable[d.entry], &t.multiple[i]
		m.X.Mul(&a.X, &x[d.power])
		m.Y.Mul(&a.Y, &y)
		m.Y.CondNegate(&m.Y, d.sign)
	}
}
