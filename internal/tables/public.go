package tables

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
)

// This file makes the tables for public scalars.

// buildGeneratorVartime makes the multiples that 2 does not divide.
func buildGeneratorVartime() {
	const row = recode.GeneratorRow
	generator = new(Generator)

	var first, next, twice group.Jacobian
	var oneStep, lambdaStep group.Affine // 2·G and 2·λ·G
	first.SetAffine(&group.Generator)
	twice.Double(&first)
	oneStep.ToAffineVartime(&twice)
	lambdaStep.Set(&oneStep)
	lambdaStep.X.Mul(&lambdaStep.X, &group.Beta)
	lambdaStep.Negate(&lambdaStep)
	for range row / 2 { // to (1 − row·λ)·G
		first.AddMixedVartime(&first, &lambdaStep.X, &lambdaStep.Y)
	}
	lambdaStep.Negate(&lambdaStep)
	var multiples [row]group.Jacobian
	for a := range recode.GeneratorRows {
		next.Set(&first)
		for b := -row / 2; b < row/2; b++ {
			multiples[b&(row-1)].Set(&next)
			next.AddMixedVartime(&next, &lambdaStep.X, &lambdaStep.Y)
		}
		group.BatchToAffineVartime(generator[a*row:], multiples[:])
		first.AddMixedVartime(&first, &oneStep.X, &oneStep.Y)
	}
}

// buildRegularGeneratorVartime makes the multiples by 2ᵛ, by doubling those by 2ᵛ⁻¹ which are
// there for one bit less.
func buildRegularGeneratorVartime() {
	generatorOnce.Do(buildGeneratorVartime)
	var doubled [recode.GeneratorRow]group.Jacobian
	n := 0
	flush := func(end int) {
		group.BatchToAffineVartime(generator[end-n:end], doubled[:n])
		n = 0
	}
	for v := 1; v < recode.GeneratorWidth; v++ {
		at, end := recode.RegularGeneratorRow(v), recode.RegularGeneratorRow(v+1)
		for i := at; i < end; i++ {
			if n == len(doubled) {
				flush(i)
			}
			a, b := recode.RegularGeneratorMultiple(i)
			half := recode.RegularGeneratorClass(uint64(a/2), uint64(b/2))
			doubled[n].SetAffine(&generator[half.Entry])
			doubled[n].Double(&doubled[n])
			n++
		}
		flush(end)
	}
}

func buildPrecomputedVartime() {
	form := &recode.PrecomputedGenerator
	precomputed = make([]group.Affine, form.Table)
	FillPrecomputedVartime(precomputed, &group.Generator, form)
}

// FillPrecomputedVartime sets the table to the multiples of a for the digits of the form: (u + v·ω)·2ʷⁱ
// for the pairs of recode.WindowsOf(w), all of place i before those of place i + 1.
func FillPrecomputedVartime(table []group.Affine, a *group.Affine, form *recode.PrecomputedForm) {
	windows := recode.WindowsOf(form.Width)
	entries := len(windows.U)
	// The multiples of a place, and 2ʷ times the point for the next.
	var multiples [recode.MaxPrecomputedEntries + 1]group.Jacobian
	var affine [len(multiples)]group.Affine
	affine[entries] = *a
	for len(table) > 0 {
		base := affine[entries]
		omega := base // −λ² times that
		omega.X.Mul(&omega.X, &group.Beta)
		omega.X.Mul(&omega.X, &group.Beta)
		omega.Negate(&omega)
		row := 0
		multiples[0].SetAffine(&base)
		for i := 1; i < entries; i++ {
			if windows.V[i] == 0 {
				multiples[i].AddMixedVartime(&multiples[row], &base.X, &base.Y)
				row = i
			} else {
				multiples[i].AddMixedVartime(&multiples[i-1], &omega.X, &omega.Y)
			}
		}
		multiples[entries].Double(&multiples[entries-1]) // of 2ʷ⁻¹
		group.BatchToAffineVartime(affine[:], multiples[:entries+1])
		table = table[copy(table, affine[:entries]):]
	}
}
