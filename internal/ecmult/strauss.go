package ecmult

import (
	"math/bits"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// A sum of products is computed with digits from ℤ[λ] at few places (docs/digits.md). Each scalar is Σ dᵢ·2ⁱ, where
// most dᵢ are 0. Every other dᵢ is a unit, ±1, ±λ or ±λ², times a small number, and the tables hold the points times
// these small numbers. All points share the doublings: from the highest place down, the sum is doubled once for each
// place, and the multiples for the digits at that place are added.
//
// The tables of all points are on one isomorphic curve (odd.go), and the multiples of G are mapped to this curve. So
// every addition is a mixed addition. All values are public, so the additions may branch, and they handle every
// exceptional case: sums that become infinity, and equal or opposite points.

// Term is one product of a sum, Scalar·Point, and the memory that SumVartime needs to compute it.
type Term struct {
	Scalar scalar.Scalar
	Point  group.Jacobian

	table   [recode.PointEntries]group.Affine     // the multiples that recode.PointMultiple names
	turned  [2][recode.PointEntries]field.Element // β·x and β²·x for the multiples in table
	negated [recode.PointEntries]field.Element    // the negated y coordinates of table, for negative digits
	ratio   [recode.PointEntries]field.Element    // quotients of the denominators of neighbouring entries, as in oddMultiples
	digits  recode.Digits                         // the digits of Scalar
}

// DoubleScalarVartime sets p = k·a + g·G, for every k, a and g.
func DoubleScalarVartime(p *group.Jacobian, k *scalar.Scalar, a *group.Jacobian, g *scalar.Scalar) {
	var terms [1]Term
	terms[0].Scalar = *k
	terms[0].Point.Set(a)
	SumVartime(p, g, terms[:])
}

// SumVartime sets p = g·G + Σ terms[i].Scalar·terms[i].Point, without g·G if g is nil. Points may be infinity. The
// products are interleaved as in E. G. Straus, "Addition chains of vectors" (1964), and the scalars are split by the
// endomorphism (R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001).
func SumVartime(p *group.Jacobian, g *scalar.Scalar, terms []Term) {
	var ofG generatorTerm
	if g != nil {
		ofG.setVartime(g)
	}

	// All tables, the multiples of G and the sum s are on the curve E_z of odd.go.
	z := buildTablesVartime(terms)
	ofG.gatherVartime(&z)

	// The bits of the variable places say at which places any scalar has a digit. The places are visited from the
	// highest down, and the digits of each scalar are consumed from the end, so a scalar has a digit at a place exactly
	// if its last remaining digit is at this place.
	//
	// After a place has been visited, s is the sum of digit·2^(place of digit − place)·point over all digits at this
	// place and above. No doublings are due then: s.behind is 0, since at least one digit was added.
	var places [3]uint64
	ofG.digits.Mark(&places)
	for i := range terms {
		terms[i].digits.Mark(&places)
	}
	var s sum
	last := -1 // the place visited before, or −1 at the first place
	for word := len(places) - 1; word >= 0; word-- {
		for places[word] != 0 {
			bit := bits.Len64(places[word]) - 1
			places[word] ^= 1 << bit
			place := word*64 + bit
			if last >= 0 {
				s.behind = last - place // the number of doublings that addVartime makes
			}
			last = place
			for i := range terms {
				t := &terms[i]
				if d, ok := t.digits.Last(place); ok {
					t.digits.N--
					s.addVartime(t.multipleVartime(d))
				}
			}
			if _, ok := ofG.digits.Last(place); ok {
				ofG.digits.N--
				a := &ofG.multiple[ofG.digits.N]
				s.addVartime(&a.X, &a.Y)
			}
		}
	}
	if last > 0 { // doublings from the lowest place with a digit to place 0
		s.r.DoubleN(&s.r, last)
	}
	s.r.Z.Mul(&s.r.Z, &z) // back to the curve E
	p.Set(&s.r)
}

// buildTablesVartime writes the scalars of the terms in digits, and fills the tables of the finite points. All entries
// are then on one curve E_z (odd.go). buildTablesVartime returns z, which is 1 if no point is finite. A point that is
// infinity has no digits and no table.
//
// The tables form a chain. The first loop fills the tables, and each table begins on the curve on which the previous
// table ends. The variable before, the product of all ratios so far, is the u of that curve. In the second loop, which
// runs backwards, commonDenominator maps each table to the curve at the end of the chain, and the variable after is the
// product of the ratios of all later tables.
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
		if i < len(terms)-1 { // the product is needed only if another table follows
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

// fillTableVartime fills the table step by step: entry 0 is the point, and each further entry is the previous entry
// plus a unit, −λ or −λ², times the point. As in oddMultiples each entry is on another curve, whose u is the product of
// before and the ratios up to the ratio of the entry. For the first table before is nil, which stands for 1.
//
// AddCoZ needs points that are not equal or opposite. The previous entry is w·P and the point to be added is u·P, for
// numbers w and u of ℤ[λ], and the norms of w + u and w − u are from 1 to 21 (S9). A multiple v·P is infinity only if n
// divides the norm of v, so neither the sum nor the difference is infinity.
func (t *Term) fillTableVartime(before *field.Element) {
	first := &t.table[0]
	first.X.Set(&t.Point.X)
	first.Y.Set(&t.Point.Y)
	if before != nil {
		first.Rescale(first, before)
	}
	t.ratio[0].Set(&t.Point.Z)
	// unit is −λᵖᵒʷᵉʳ times the point: (βᵖᵒʷᵉʳ·x, −y). The power is 0 at first, and AddCoZ takes unit to the curve of
	// each new entry. To go from λ² to λ, unit is multiplied by λ twice, since λ⁴ = λ.
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

// addVartime adds (x, y) to the sum, after the doublings that are due. (x, y) may be equal or opposite to the sum.
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

// multipleVartime returns the coordinates of d times t.Point, that is ±λᵖᵒʷᵉʳ times the entry (x, y), which is
// (βᵖᵒʷᵉʳ·x, ±y). The results point into the tables, which hold the coordinates for all six units.
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

// generatorTerm holds the digits of the scalar of G, and for each digit the multiple of G. The table of G has 512 KiB,
// which is too large for the fastest cache. So setVartime prefetches the entries, and gatherVartime reads them after
// the tables of the other points have been filled.
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

// gatherVartime sets the multiples to the digits times G, on the curve E_z of odd.go. If a digit stands for ±λᵖᵒʷᵉʳ
// times the entry (x, y), the multiple is (x·z²·βᵖᵒʷᵉʳ, ±y·z³).
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
