package ecmult

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Precomputed holds the multiples of a point, (a + b·λ)·2ʷⁱ times it, that stand for
// the digits of recode.PrecomputedKey: 86 KiB. On the heap so large an object begins
// with a page: each entry is then one cache line.
type Precomputed struct {
	table [recode.PrecomputedKeyTable]group.Affine
}

// NewPrecomputedVartime returns the multiples of a.
func NewPrecomputedVartime(a *group.Affine) *Precomputed {
	t := new(Precomputed)
	tables.FillPrecomputedVartime(t.table[:], a, &recode.PrecomputedKey)
	return t
}

// precomputedTerm is a product of a point that has multiples.
type precomputedTerm struct {
	table  []group.Affine
	digits recode.PrecomputedDigits
}

// setVartime sets t to k times the point of the table, and asks for what it will read.
func (t *precomputedTerm) setVartime(table []group.Affine, k *scalar.Scalar, form *recode.PrecomputedForm) {
	t.table = table
	t.digits.SetVartime(k, form)
	for unit := range t.digits.Entry {
		for _, entry := range t.digits.Entry[unit][:t.digits.N[unit]] {
			prefetch(&table[entry])
		}
	}
}

// setGeneratorVartime sets t to k·G.
func (t *precomputedTerm) setGeneratorVartime(k *scalar.Scalar) {
	t.setVartime(tables.PrecomputedVartime(), k, &recode.PrecomputedGenerator)
}

// sumPrecomputedVartime sets p to the sum of the terms.
func sumPrecomputedVartime(p *group.XYZZ, terms []precomputedTerm) {
	if platform.TermsInLanes(termsOf(terms)) && sumInLanesVartime(p, terms) {
		return
	}
	// First the digits with λ², then those with λ: λ·(λ·Σ₂ + Σ₁) + Σ₀. What has a minus
	// is added to the negative.
	*p = group.XYZZ{}
	for power := 2; ; power-- {
		for minus := 1; minus >= 0; minus-- {
			unit := 2*power + minus
			p.Y.Negate(&p.Y)
			for i := range terms {
				t := &terms[i]
				for _, entry := range t.digits.Entry[unit][:t.digits.N[unit]] {
					p.AddMixedVartime(p, &t.table[entry])
				}
			}
		}
		if power == 0 {
			break
		}
		p.X.Mul(&p.X, &group.Beta)
	}
}

// termsOf returns how many multiples the digits of the terms name.
func termsOf(terms []precomputedTerm) (n int) {
	for i := range terms {
		for _, ofUnit := range terms[i].digits.N {
			n += int(ofUnit)
		}
	}
	return n
}

// sumInLanesVartime is sumPrecomputedVartime with eight lanes. It reports false if the
// sum is infinity or not known.
func sumInLanesVartime(p *group.XYZZ, terms []precomputedTerm) bool {
	var points [2 * recode.MaxPrecomputedPlaces]*group.Affine
	var ends [6]int
	n := 0
	for unit := range ends {
		for i := range terms {
			t := &terms[i]
			for _, entry := range t.digits.Entry[unit][:t.digits.N[unit]] {
				points[n] = &t.table[entry]
				n++
			}
		}
		ends[unit] = n
	}
	lanes.AddUpVartime(p, points[:n], &ends)
	return !p.ZZ.IsZeroVartime()
}

// DoubleScalarPrecomputedVartime sets p = k·a + g·G, where t is of a.
func DoubleScalarPrecomputedVartime(p *group.Jacobian, k *scalar.Scalar, t *Precomputed, g *scalar.Scalar) {
	var terms [2]precomputedTerm
	terms[0].setVartime(t.table[:], k, &recode.PrecomputedKey)
	terms[1].setGeneratorVartime(g)
	var s group.XYZZ
	sumPrecomputedVartime(&s, terms[:])
	p.SetXYZZ(&s)
}
