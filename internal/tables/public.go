package tables

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
)

// This file builds the tables for public scalars.

// buildGeneratorVartime fills the entries of generator for odd classes: (a + b·λ)·G for odd a from 1 to 127 and even b
// from −128 to 126, with a row for each a. The row of a has b in the order 0, 2, …, 126, −128, …, −2, so that b modulo
// 256 is twice the index. Each step adds 2·G or ±2·λ·G.
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
	// first is (a − row·λ)·G, the entry with the lowest b of a row. For a = 1 it is reached from G by 64 steps of
	// −2·λ·G.
	for range row / 2 {
		first.AddMixedVartime(&first, &lambdaStep.X, &lambdaStep.Y)
	}
	lambdaStep.Negate(&lambdaStep)
	var multiples [row]group.Jacobian
	for a := range recode.GeneratorRows {
		next.Set(&first)
		for b := -row / 2; b < row/2; b++ { // the entry has the coefficient 2·b
			multiples[b&(row-1)].Set(&next)
			next.AddMixedVartime(&next, &lambdaStep.X, &lambdaStep.Y)
		}
		group.BatchToAffineVartime(generator[a*row:], multiples[:])
		first.AddMixedVartime(&first, &oneStep.X, &oneStep.Y)
	}
}

// buildRegularGeneratorVartime fills the other entries of generator, which are for even classes, in the order of the
// powers 2ᵛ. If 2 does not divide z, the entry of 2ᵛ·z is twice the entry of 2ᵛ⁻¹·z, which the table already has.
func buildRegularGeneratorVartime() {
	generatorOnce.Do(buildGeneratorVartime)
	var doubled [recode.GeneratorRow]group.Jacobian
	// The doubled points are collected, so that one inversion makes many of them affine.
	n := 0
	flush := func(end int) {
		group.BatchToAffineVartime(generator[end-n:end], doubled[:n])
		n = 0
	}
	for v := 1; v < recode.GeneratorWidth; v++ {
		begin, end := recode.RegularGeneratorRow(v), recode.RegularGeneratorRow(v+1)
		for i := begin; i < end; i++ {
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

// Precomputed holds multiples of a point for the digits of recode.PrecomputedKey: (a + b·λ)·2⁴ⁱ times the point for
// each place i. It takes 86 KiB. An object of this size begins at a page of the heap, so each entry of 64 bytes is one
// cache line.
type Precomputed [recode.PrecomputedKeyTable]group.Affine

// NewPrecomputedVartime returns the multiples of a.
func NewPrecomputedVartime(a *group.Affine) *Precomputed {
	t := new(Precomputed)
	FillPrecomputedVartime(t[:], a, &recode.PrecomputedKey)
	return t
}

// Table is a table of multiples of a point. A point without a table has nil Multiples.
type Table struct {
	Multiples *Precomputed
	Minus     uint64 // all ones if the table holds multiples of the opposite point, else zero
}

// buildPrecomputedVartime fills precomputed with the multiples of G.
func buildPrecomputedVartime() {
	form := &recode.PrecomputedGenerator
	precomputed = make([]group.Affine, form.Table)
	FillPrecomputedVartime(precomputed, &group.Generator, form)
}

// FillPrecomputedVartime sets the table to the multiples of a for the digits that form describes: (u + v·ω)·2ʷⁱ·a for
// the pairs (u, v) of recode.WindowsOf(w). All multiples of place i come before the multiples of place i + 1.
func FillPrecomputedVartime(table []group.Affine, a *group.Affine, form *recode.PrecomputedForm) {
	windows := recode.WindowsOf(form.Width)
	entries := len(windows.U)
	// multiples holds the multiples of one place and, after them, 2ʷ times the point of this place, which is the point
	// of the next place. One inversion makes all of them affine.
	var multiples [recode.MaxPrecomputedEntries + 1]group.Jacobian
	var affine [len(multiples)]group.Affine
	affine[entries] = *a
	for len(table) > 0 {
		base := affine[entries]
		omega := base // ω = −λ² times base, which is (β²·x, −y)
		omega.X.Mul(&omega.X, &group.Beta)
		omega.X.Mul(&omega.X, &group.Beta)
		omega.Negate(&omega)
		// The pairs (u, v) are in rows with the same u and v = 0, 1, 2, … So the first entry of a row is the first
		// entry of the previous row plus base, and every other entry is the previous entry plus omega.
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
		multiples[entries].Double(&multiples[entries-1]) // the last pair is (2ʷ⁻¹, 0)
		group.BatchToAffineVartime(affine[:], multiples[:entries+1])
		table = table[copy(table, affine[:entries]):]
	}
}
