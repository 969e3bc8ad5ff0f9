package ecmult

import (
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

// generatorTable holds (2j+1)·G and (2j+1)·2¹²⁸·G: 1 MiB, built when first used.
var (
	generatorTable     [2][generatorEntries]group.Affine
	generatorTableOnce sync.Once
)

func buildGeneratorTable() {
	const block = 256
	var odd [block]group.Jacobian
	var base group.Jacobian
	base.SetAffine(&group.Generator)
	for i := range generatorTable {
		var twice [1]group.Affine
		odd[0].Double(&base)
		group.BatchToAffineVartime(twice[:], odd[:1])
		next := base
		for j := 0; j < generatorEntries; j += block {
			for l := range odd {
				odd[l].Set(&next)
				next.AddMixedVartime(&next, &twice[0])
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

	table      [pointEntries]group.Affine  // 1, 3, … times the point
	endo       [pointEntries]field.Element // the x coordinates of λ times these
	ratio      [pointEntries]field.Element
	naf1, naf2 naf // Scalar = naf1 + naf2·λ
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

	// The tables of all points have one z, and so do then all sums: r is a
	// point of the curve isomorphic by z until the end.
	var z, after field.Element
	z.SetUint64(1)
	length := 0
	for i := range terms {
		t := &terms[i]
		if t.Point.IsInfinity() != 0 {
			continue
		}
		oddMultiples(t.table[:], t.ratio[:], &z, &t.Point)
		k1, k2 := t.Scalar.Split()
		t.naf1.setVartime(k1, pointWidth)
		t.naf2.setVartime(k2, pointWidth)
		length = max(length, t.naf1.length, t.naf2.length)
	}
	after.SetUint64(1)
	for i := len(terms) - 1; i >= 0; i-- {
		t := &terms[i]
		if t.Point.IsInfinity() != 0 {
			continue
		}
		commonDenominator(t.table[:], t.ratio[:], &after)
		for j := range t.endo {
			t.endo[j].Mul(&t.table[j].X, &group.Beta)
		}
	}

	var lower, upper naf
	k := g.Limbs()
	lower.setVartime(scalar.Half{Lo: k[0], Hi: k[1]}, generatorWidth)
	upper.setVartime(scalar.Half{Lo: k[2], Hi: k[3]}, generatorWidth)
	length = max(length, lower.length, upper.length)

	var r group.Jacobian
	var a group.Affine
	doublings := 0 // that r is behind
	for i := length - 1; i >= 0; i-- {
		doublings++
		for j := range terms {
			t := &terms[j]
			if d := t.naf1.digit[i]; d != 0 {
				e := &t.table[index(d)]
				setSigned(&a, &e.X, &e.Y, d)
				catchUp(&r, &doublings)
				r.AddMixedVartime(&r, &a)
			}
			if d := t.naf2.digit[i]; d != 0 {
				e := index(d)
				setSigned(&a, &t.endo[e], &t.table[e].Y, d)
				catchUp(&r, &doublings)
				r.AddMixedVartime(&r, &a)
			}
		}
		if d := lower.digit[i]; d != 0 {
			e := &generatorTable[0][index(d)]
			setSigned(&a, &e.X, &e.Y, d)
			catchUp(&r, &doublings)
			r.AddMixedScaledVartime(&r, &a, &z)
		}
		if d := upper.digit[i]; d != 0 {
			e := &generatorTable[1][index(d)]
			setSigned(&a, &e.X, &e.Y, d)
			catchUp(&r, &doublings)
			r.AddMixedScaledVartime(&r, &a, &z)
		}
	}
	catchUp(&r, &doublings)
	r.Z.Mul(&r.Z, &z)
	p.Set(&r)
}

// catchUp doubles r n times and sets n to 0.
func catchUp(r *group.Jacobian, n *int) {
	if *n > 0 {
		r.DoubleN(r, *n)
		*n = 0
	}
}

// index returns the place of |digit|·a in a table of odd multiples of a.
func index(digit int16) int {
	sign := digit >> 15
	return int((digit^sign)-sign) / 2
}

// setSigned sets p = (x, y) or, for a negative digit, (x, −y).
func setSigned(p *group.Affine, x, y *field.Element, digit int16) {
	p.X.Set(x)
	p.Y.CondNegate(y, uint64(digit>>15))
}
