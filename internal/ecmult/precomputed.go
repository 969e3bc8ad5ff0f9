package ecmult

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/lanes"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/scalar"
	"p256k1.mleku.dev/v2/internal/tables"
)

// If a table holds multiples of a point for every place, no doublings are needed: a product is the sum of one entry for
// each digit that is not 0. All values are public, so the additions may branch, and they handle every exceptional case.

// precomputedTerm is a product of a scalar, in digits, and a point with a table.
type precomputedTerm struct {
	table  []group.Affine
	digits recode.PrecomputedDigits
}

// setVartime sets t to k times the point of the table, and brings the entries that the sum will read into the cache.
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

// sumPrecomputedVartime sets p to the sum of the terms. If there are many entries and the processor has AVX-512 IFMA,
// package lanes adds them eight at a time. Otherwise, or if package lanes fails, sumPrecomputedVartime adds one entry
// after the other.
func sumPrecomputedVartime(p *group.XYZZ, terms []precomputedTerm) {
	if platform.TermsInLanes(termsOf(terms)) && sumInLanesVartime(p, terms) {
		return
	}
	// A digit stands for a unit, which is ±λᵏ, times an entry. The entries are sorted by their units, so that one
	// multiplication by a unit serves all entries with that unit. Let Σₖ be the sum of the entries with the unit ±λᵏ,
	// with their signs but without the factor λᵏ. Then the result is λ·(λ·Σ₂ + Σ₁) + Σ₀, which takes two products by β
	// for all digits.
	//
	// Signs are treated in the same way. For each power k, the sum is negated and the entries with a minus sign are
	// added. Then the sum is negated again and the entries with a plus sign are added.
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
		p.X.Mul(&p.X, &group.Beta) // λ·(x, y) = (β·x, y)
	}
}

// termsOf returns the number of entries to be added, which is the number of digits that are not 0.
func termsOf(terms []precomputedTerm) (n int) {
	for i := range terms {
		for _, ofUnit := range terms[i].digits.N {
			n += int(ofUnit)
		}
	}
	return n
}

// sumInLanesVartime sets p to the sum of at most two terms, which package lanes adds up in eight lanes. It reports
// false, and leaves p undefined, if the sum is infinity or if an addition met points that its formula excludes. In both
// cases ZZ = 0 in the end.
func sumInLanesVartime(p *group.XYZZ, terms []precomputedTerm) bool {
	var points [2 * recode.MaxPrecomputedPlaces]*group.Affine
	var ends [6]int // the entries of unit i end before points[ends[i]]
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

// DoubleScalarPrecomputedVartime sets p = k·a + g·G, where t holds the multiples of a.
func DoubleScalarPrecomputedVartime(p *group.Jacobian, k *scalar.Scalar, t *tables.Precomputed, g *scalar.Scalar) {
	var terms [2]precomputedTerm
	terms[0].setVartime(t[:], k, &recode.PrecomputedKey)
	terms[1].setGeneratorVartime(g)
	var s group.XYZZ
	sumPrecomputedVartime(&s, terms[:])
	p.SetXYZZ(&s)
}
