// Package tables holds multiples of G for public scalars, which are made at first use.
package tables

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
)

// Generator holds the multiples of G that recode.RegularGeneratorMultiple names. It is on
// the heap, where so large an object begins with a page: each entry is then one cache
// line.
type Generator [recode.RegularGeneratorEntries]group.Affine

var (
	generator   *Generator
	oddOnce     sync.Once
	regularOnce sync.Once
)

// GeneratorVartime returns the multiples of G that recode.GeneratorMultiple names. These
// 512 KiB are made when first used.
func GeneratorVartime() []group.Affine {
	oddOnce.Do(buildOddVartime)
	return generator[:recode.GeneratorEntries]
}

// RegularGeneratorVartime returns the multiples of G that recode.RegularGeneratorMultiple
// names: those of GeneratorVartime, and 171 KiB behind them that are made when first used.
func RegularGeneratorVartime() *Generator {
	regularOnce.Do(buildEvenVartime)
	return generator
}

// buildOddVartime makes the multiples that 2 does not divide.
func buildOddVartime() {
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

// buildEvenVartime makes the multiples by 2ᵛ, by doubling those by 2ᵛ⁻¹ which are
// there for one bit less.
func buildEvenVartime() {
	oddOnce.Do(buildOddVartime)
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
