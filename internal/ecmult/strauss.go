package ecmult

import (
	"math/bits"
	"sync"

	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/scalar"
)

const (
	pointWidth   = 5 // of the digits of scalars of arbitrary points
	pointEntries = 1 << (pointWidth - 2)

	generatorWidth   = 15 // of the digits of the generator's scalar
	generatorEntries = 1 << (generatorWidth - 2)
)

// generatorTable holds (2j+1)·G and (2j+1)·2¹²⁸·G: 1 MiB, made when first used,
// and on the heap, where so large an object begins with a page: each entry is
// then one cache line.
var (
	generatorTable     *[2][generatorEntries]group.Affine
	generatorTableOnce sync.Once
)

func buildGeneratorTable() {
	const block = 256
	var odd [block]group.Jacobian
	var base group.Jacobian
	base.SetAffine(&group.Generator)
	generatorTable = new([2][generatorEntries]group.Affine)
	for i := range generatorTable {
		var twice [1]group.Affine
		odd[0].Double(&base)
		group.BatchToAffineVartime(twice[:], odd[:1])
		next := base
		for j := 0; j < generatorEntries; j += block {
			for l := range odd {
				odd[l].Set(&next)
				next.AddMixed(&next, &twice[0]) // never 2·base itself
			}
			group.BatchToAffineVartime(generatorTable[i][j:j+block], odd[:])
		}
		for range 128 {
			base.Double(&base)
		}
	}
}

// Term is one product of a sum, Scalar·Point, with room for what the algorithm
// keeps of it.
type Term struct {
	Scalar scalar.Scalar
	Point  group.Jacobian

	// 1, 3, … times the point, (table[i].X, table[i].Y); the x coordinates of λ
	// times these; and what negative digits take for y.
	table         [pointEntries]group.Affine
	endo, negated [pointEntries]field.Element
	ratio         [pointEntries]field.Element
	naf1, naf2    naf // Scalar = naf1 + naf2·λ
}

// DoubleVartime sets p = g·G + k·a, for every a.
func DoubleVartime(p *group.Jacobian, g, k *scalar.Scalar, a *group.Jacobian) {
	var terms [1]Term
	terms[0].Scalar = *k
	terms[0].Point.Set(a)
	SumVartime(p, g, terms[:])
}

// SumVartime sets p = g·G plus the sum of the terms, whose scratch fields must
// be zero: E. G. Straus's interleaving, with the scalars split by the
// endomorphism (R. Gallant, R. Lambert, S. Vanstone, CRYPTO 2001) and that of G
// in its upper and lower half.
func SumVartime(p *group.Jacobian, g *scalar.Scalar, terms []Term) {
	generatorTableOnce.Do(buildGeneratorTable)

	var lower, upper generatorTerm
	k := g.Limbs()
	lower.setVartime(k[0], k[1], &generatorTable[0])
	upper.setVartime(k[2], k[3], &generatorTable[1])

	// The tables of all points have one z, and so do then all sums: s is a
	// point of the curve isomorphic by z until the end.
	z := buildTablesVartime(terms)
	lower.gather(&z)
	upper.gather(&z)

	// The places of the digits that are not zero, from above.
	var places [3]uint64
	lower.naf.mark(&places)
	upper.naf.mark(&places)
	for i := range terms {
		terms[i].naf1.mark(&places)
		terms[i].naf2.mark(&places)
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
				if d := t.naf1.digit[at]; d != 0 {
					j, y := t.signed(d)
					s.addVartime(&t.table[j].X, y)
				}
				if d := t.naf2.digit[at]; d != 0 {
					j, y := t.signed(d)
					s.addVartime(&t.endo[j], y)
				}
			}
			if lower.naf.digit[at] != 0 {
				a := lower.next()
				s.addVartime(&a.X, &a.Y)
			}
			if upper.naf.digit[at] != 0 {
				a := upper.next()
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
			continue
		}
		oddMultiples(t.table[:], t.ratio[:], before, &t.Point)
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
		t.naf1.setVartime(k1, pointWidth)
		t.naf2.setVartime(k2, pointWidth)
	}
	z.SetUint64(1)
	for i := len(terms) - 1; i >= 0; i-- {
		t := &terms[i]
		if t.Point.Z.IsZeroVartime() {
			continue
		}
		z = commonDenominator(t.table[:], t.ratio[:], after)
		after = &z
		for j := range t.endo {
			t.endo[j].Mul(&t.table[j].X, &group.Beta)
			t.negated[j].Negate(&t.table[j].Y)
		}
	}
	return z
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

// index returns the place of |digit|·a in a table of odd multiples of a.
func index(digit int16) int {
	sign := digit >> 15
	return int((digit^sign)-sign) / 2
}

// signed returns the place of |digit|·t.Point in the table, and the y coordinate
// with the sign of the digit.
func (t *Term) signed(digit int16) (i int, y *field.Element) {
	i = index(digit)
	if digit < 0 {
		return i, &t.negated[i]
	}
	return i, &t.table[i].Y
}

// generatorTerm is one half of the scalar of G with the multiples of G that its
// digits stand for, from the lowest. They are asked for long before their use,
// since the table is too large for the faster caches.
type generatorTerm struct {
	naf      naf
	table    *[generatorEntries]group.Affine
	multiple [(128 + generatorWidth) / generatorWidth]group.Affine
	left     int
}

// setVartime sets t, which must be zero, to hi·2⁶⁴ + lo times the point that the
// table is of.
func (t *generatorTerm) setVartime(lo, hi uint64, table *[generatorEntries]group.Affine) {
	t.table = table
	t.naf.setVartime(scalar.Half{Lo: lo, Hi: hi}, generatorWidth)
	for word, places := range t.naf.places {
		for ; places != 0; places &= places - 1 {
			prefetch(&table[index(t.naf.digit[word*64+bits.TrailingZeros64(places)])])
		}
	}
}

// gather fetches the multiples, on the curve isomorphic by z.
func (t *generatorTerm) gather(z *field.Element) {
	var zz, zzz field.Element
	zz.Square(z)
	zzz.Mul(&zz, z)
	for word, places := range t.naf.places {
		for ; places != 0; places &= places - 1 {
			digit := t.naf.digit[word*64+bits.TrailingZeros64(places)]
			a, m := &t.table[index(digit)], &t.multiple[t.left]
			m.X.Mul(&a.X, &zz)
			m.Y.Mul(&a.Y, &zzz)
			m.Y.CondNegate(&m.Y, uint64(digit>>15))
			t.left++
		}
	}
}

// next returns the multiple for the highest digit that is left.
func (t *generatorTerm) next() *group.Affine {
	t.left--
	return &t.multiple[t.left]
}
