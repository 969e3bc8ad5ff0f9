package ecmult

import (
	"math/bits"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// A sum of products is computed with digits from ℤ[λ] at few places (docs/digits.md): each scalar is
// Σ dᵢ·2ⁱ, where most dᵢ are 0, and the others are a unit, ±1, ±λ or ±λ², times a small number. The
// tables hold the points times these numbers. All points share the doublings: from the highest place
// down, the sum is doubled once a place, and the multiples for the digits at that place are added.
//
// The tables of all points are on one isomorphic curve (odd.go), and the multiples of G are mapped to it. So every
// addition is a mixed one. All values are public, so the additions may branch, and they handle every case: sums that
// become infinity, and equal or opposite points.

// Term is one product of a sum, Scalar·Point, and the memory in which SumVartime works on it.
type Term struct {
	Scalar scalar.Scalar
	Point  group.Jacobian

	table   [recode.PointEntries]group.Affine     // the multiples that recode.PointMultiple names
	turned  [2][recode.PointEntries]field.Element // the x coordinates of λ and λ² times the multiples in table: β·x and β²·x
	negated [recode.PointEntries]field.Element    // the negated y coordinates of table, for negative digits
	ratio   [recode.PointEntries]field.Element    // quotients of denominators, as in oddMultiples
	digits  recode.Digits                         // of Scalar
}

// DoubleScalarVartime sets p = k·a + g·G, for every k, a and g.
func DoubleScalarVartime(p *group.Jacobian, k *scalar.Scalar, a *group.Jacobian, g *scalar.Scalar) {
	var terms [1]Term
	terms[0].Scalar = *k
	terms[0].Point.Set(a)
	SumVartime(p, g, terms[:])
}

// SumVartime sets p = g·G + Σ terms[i].Scalar·terms[i].Point, without g·G if g is nil. Points may be
// infinity. The interleaving is E. G. Straus's, "Addition chains of vectors" (1964), and the scalars
// are split by the endomorphism (R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001).
func SumVartime(p *group.Jacobian, g *scalar.Scalar, terms []Term) {
	var ofG generatorTerm
	if g != nil {
		ofG.setVartime(g)
	}

	// All tables, the multiples of G and the sum s are on the curve isomorphic by z.
	z := buildTablesVartime(terms)
	ofG.gatherVartime(&z)

	// The bits of places say at which places there are digits. The places are visited from above, and
	// the digits of each scalar are consumed from the end, so a scalar has a digit at a place exactly
	// if its last digit is there.
	//
	// After a place, s is the sum of digit·2^(place of digit − place)·point over all digits up to
	// there, and no doublings are due: s.behind is 0, since at least one digit was added.
	var places [3]uint64
	ofG.digits.Mark(&places)
	for i := range terms {
		terms[i].digits.Mark(&places)
	}
	var s sum
	last := -1 // the place visited before, or none
	for word := len(places) - 1; word >= 0; word-- {
		for places[word] != 0 {
			bit := bits.Len64(places[word]) - 1
			places[word] ^= 1 << bit
			at := word*64 + bit
			if last >= 0 {
				s.behind = last - at // doublings, which addVartime does
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
	if last > 0 { // from the lowest place with a digit to place 0
		s.r.DoubleN(&s.r, last)
	}
	s.r.Z.Mul(&s.r.Z, &z) // back to the curve E
	p.Set(&s.r)
}

// buildTablesVartime writes the scalars of the terms in digits, and fills the tables of the finite
// points. All entries are on one isomorphic curve, by the element z that it returns, which is 1 if no
// point is finite. A point that is infinity gets no digits, and no table.
//
// The tables are one chain. Forwards, each table begins on the curve on which the table before it
// ends, so that before, the product of all ratios so far, is the u of that curve. Backwards,
// commonDenominator takes each table to the end of the chain, where after is the product of the
// ratios of all later tables.
func buildTablesVartime(terms []Term) (z field.Element) {
	var product field.Element
	var before, after *field.Element // products of ratios, nil for 1
	for i := range terms {
		term := &terms[i]
		if term.Point.Z.IsZeroVartime() {
			term.digits.N = 0
			continue
		}
		term.fillTableVartime(before)
		if i < len(terms)-1 { // the product is for a next table only
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
			// 1 + β + β² = 0, so β²·x = −(x + β·x), which saves a product.
			term.turned[0][j].Mul(&term.table[j].X, &group.Beta)
			term.turned[1][j].Add(&term.table[j].X, &term.turned[0][j])
			term.turned[1][j].Negate(&term.turned[1][j])
			term.negated[j].Negate(&term.table[j].Y)
		}
	}
	return z
}

// fillTableVartime fills the table by a walk: entry 0 is the point, and each entry is the one before
// it plus a unit, −λ or −λ², times the point. As in oddMultiples every entry is on a curve of its own,
// by the product of before and the ratios up to its own. before is nil, for 1, in the first table.
//
// AddCoZ needs points that are not equal or opposite. The entry before is w·P and the unit is u·P, for
// numbers w and u of ℤ[λ], and the norms of w + u and w − u are from 1 to 21 (S9). A multiple v·P is
// infinity only if n divides the norm of v, so neither the sum nor the difference is infinity.
func (t *Term) fillTableVartime(before *field.Element) {
	first := &t.table[0]
	first.X.Set(&t.Point.X)
	first.Y.Set(&t.Point.Y)
	if before != nil {
		first.Rescale(first, before)
	}
	t.ratio[0].Set(&t.Point.Z)
	// unit is −λ to the power, times the point: (βᵖᵒʷᵉʳ·x, −y). It begins with power 0, and AddCoZ
	// takes it to the curve of each new entry. A step from λ² to λ passes through 1, since β³ = 1.
	var unit group.Affine
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

// sum is the point 2ⁿ·r, where n = behind is the number of doublings that are due. The doublings are delayed until the
// next addition, so that the last doubling can be combined with it.
type sum struct {
	r      group.Jacobian
	behind int
}

// addVartime adds (x, y) to the sum, after the doublings that are due. (x, y) may be equal or opposite to
// the sum.
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

// multipleVartime returns the coordinates of d times t.Point: of ±λ to the power times an entry, which
// is (βᵖᵒʷᵉʳ·x, ±y). It points into the tables, where all six units have been prepared.
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

// generatorTerm holds the digits of the scalar of G, and for each digit its multiple of G. The table of
// G has 512 KiB, too many for the fastest cache, so setVartime asks for the entries, and gatherVartime
// reads them after the tables of the other points have been filled.
type generatorTerm struct {
	digits   recode.Digits
	multiple [recode.MaxGeneratorDigits]group.Affine
}

// setVartime sets t to the digits of k, and brings their entries into the cache.
func (t *generatorTerm) setVartime(k *scalar.Scalar) {
	table := tables.GeneratorVartime()
	t.digits.SetGeneratorVartime(k)
	for i := range t.digits.Digit[:t.digits.N] {
		prefetch(&table[t.digits.Digit[i].Entry])
	}
}

// gatherVartime sets the multiples to the digits times G, on the curve isomorphic by z: for a digit
// ±λ to a power times the entry (x, y), it is (x·z²·βᵖᵒʷᵉʳ, ±y·z³).
func (t *generatorTerm) gatherVartime(z *field.Element) {
	table := tables.GeneratorVartime()
	var x [3]field.Element // z²·βⁱ
	var y field.Element    // z³
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
