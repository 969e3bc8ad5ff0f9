// Package tables holds the multiples of G that all multiplications share. It builds each table when the table is first
// used, which takes 0.4 to 3 ms, and keeps the table. So programs that only sign do not build the tables for verifying.
//
// For secret scalars, which are written in odd digits, entry j of row i is (2j+1)·2ʷⁱ·G. A look-up reads a whole row,
// whose layout suits the look-up:
//
//	table              rows × entries, w   KiB   digits            read by
//	Base                     43 × 32, 6     86   recode.Base       ecmult.Base
//	BaseLanes                37 × 64, 7    148   recode.Lanes      lanes.Base, eight scalars at a time
//	BaseLanesOne             26 × 16, 5     32   recode.Variable   lanes.BaseOne, one scalar in eight lanes
//
// For public scalars, whose digits are in ℤ[λ], a look-up reads one entry, which is a multiple a + b·λ of G, or of
// 2ʷⁱ·G:
//
//	table                      entries   KiB   digits                        read by
//	GeneratorVartime              8192   512   recode.Digits                 sums of products, ecmult.SumVartime
//	RegularGeneratorVartime   + 2731   + 171   recode.RegularGenerator…      such sums in lanes, eight at a time
//	PrecomputedVartime            4446   278   recode.PrecomputedGenerator   sums without doublings
//
// RegularGeneratorVartime begins with GeneratorVartime, so the two are one table. FillPrecomputedVartime also fills
// tables of other points, for keys that verify often.
//
// Every table is on the heap, where objects as large as the tables begin at a page. So each entry of 64 bytes is one
// cache line, and every row of words begins at a cache line.
package tables

import (
	"sync"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
)

var (
	base         *[recode.BaseDigits][recode.BaseEntries]Entry
	baseLanes    *[recode.LanesDigits]LanesRow
	baseLanesOne *[lanesOneRows]LanesOneRow
	generator    *Generator
	precomputed  []group.Affine

	baseOnce, baseLanesOnce, baseLanesOneOnce   sync.Once
	generatorOnce, regularOnce, precomputedOnce sync.Once
)

// Entry is a point, as the limbs of its coordinates.
type Entry struct{ X, Y [4]uint64 }

// LanesRow is a row in which equal words of all entries are side by side: row[k][j] is word k of entry j, where words 0
// to 3 are x and words 4 to 7 are y.
type LanesRow [8][recode.LanesEntries]uint64

// LanesOneRow is a row of BaseLanesOne, in the layout of LanesRow.
type LanesOneRow [8][recode.VariableEntries]uint64

// lanesOneRows is the number of rows of BaseLanesOne: recode.VariableDigits rows, and six rows of zeros. The rows of
// zeros are needed because four rows are read at a time, and because an object of this size begins at a page.
const lanesOneRows = 32

// Generator holds the multiples of G that recode.RegularGeneratorMultiple names.
type Generator [recode.RegularGeneratorEntries]group.Affine

// Base returns the table for one secret scalar.
func Base() *[recode.BaseDigits][recode.BaseEntries]Entry {
	baseOnce.Do(buildBase)
	return base
}

// BaseLanes returns the table for eight secret scalars at a time.
func BaseLanes() *[recode.LanesDigits]LanesRow {
	baseLanesOnce.Do(buildBaseLanes)
	return baseLanes
}

// BaseLanesOne returns the table for one secret scalar whose digits are spread over eight lanes.
func BaseLanesOne() *[lanesOneRows]LanesOneRow {
	baseLanesOneOnce.Do(buildBaseLanesOne)
	return baseLanesOne
}

// GeneratorVartime returns the multiples of G that recode.GeneratorMultiple names.
func GeneratorVartime() []group.Affine {
	generatorOnce.Do(buildGeneratorVartime)
	return generator[:recode.GeneratorEntries]
}

// RegularGeneratorVartime returns the multiples of G that recode.RegularGeneratorMultiple names.
func RegularGeneratorVartime() *Generator {
	regularOnce.Do(buildRegularGeneratorVartime)
	return generator
}

// PrecomputedVartime returns the multiples of G for the digits of recode.PrecomputedGenerator.
func PrecomputedVartime() []group.Affine {
	precomputedOnce.Do(buildPrecomputedVartime)
	return precomputed
}
