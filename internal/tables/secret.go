package tables

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
)

// This file builds the tables for secret scalars. The points are public, so they are computed in variable time.

// Set sets e to the limbs of a.
func (e *Entry) Set(a *group.Affine) {
	e.X, e.Y = a.X.Limbs(), a.Y.Limbs()
}

// words returns the limbs of a.X followed by the limbs of a.Y.
func words(a *group.Affine) [8]uint64 {
	x, y := a.X.Limbs(), a.Y.Limbs()
	return [8]uint64{x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]}
}

// buildBase fills base: row i has the odd multiples of 2⁶ⁱ·G.
func buildBase() {
	base = new([recode.BaseDigits][recode.BaseEntries]Entry)
	for i, row := range OddMultiplesVartime(recode.BaseDigits, recode.BaseEntries) {
		for j := range row {
			base[i][j].Set(&row[j])
		}
	}
}

// buildBaseLanes fills baseLanes: row i has the odd multiples of 2⁷ⁱ·G, in the layout of LanesRow.
func buildBaseLanes() {
	baseLanes = new([recode.LanesDigits]LanesRow)
	for i, row := range OddMultiplesVartime(recode.LanesDigits, recode.LanesEntries) {
		for j := range row {
			for k, word := range words(&row[j]) {
				baseLanes[i][k][j] = word
			}
		}
	}
}

// buildBaseLanesOne fills baseLanesOne: row i has the odd multiples of 2⁵ⁱ·G, in the layout of LanesRow.
func buildBaseLanesOne() {
	baseLanesOne = new([lanesOneRows]LanesOneRow)
	for i, row := range OddMultiplesVartime(recode.VariableDigits, recode.VariableEntries) {
		for j := range row {
			for k, word := range words(&row[j]) {
				baseLanesOne[i][k][j] = word
			}
		}
	}
}

// OddMultiplesVartime returns a table of rows × entries points, where entry j of row i is (2j+1)·(2·entries)ⁱ·G.
func OddMultiplesVartime(rows, entries int) [][]group.Affine {
	var base, twice group.Jacobian
	base.SetAffine(&group.Generator)
	odd, table := make([]group.Jacobian, entries), make([][]group.Affine, rows)
	for i := range table {
		twice.Double(&base)
		odd[0].Set(&base)
		for j := 1; j < entries; j++ {
			odd[j].AddVartime(&odd[j-1], &twice)
		}
		table[i] = make([]group.Affine, entries)
		group.BatchToAffineVartime(table[i], odd)
		// The last odd multiple is 2·entries − 1 times base. Adding base gives 2·entries times base, the base of the
		// next row.
		base.AddVartime(&odd[entries-1], &base)
	}
	return table
}
