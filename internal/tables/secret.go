package tables

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
)

// This file makes the tables for secret scalars.

// Set sets e to the limbs of a.
func (e *Entry) Set(a *group.Affine) {
	e.X, e.Y = a.X.Limbs(), a.Y.Limbs()
}

// words returns the limbs of x, and then those of y.
func words(a *group.Affine) [8]uint64 {
	x, y := a.X.Limbs(), a.Y.Limbs()
	return [8]uint64{x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]}
}

func buildBase() {
	base = new([recode.BaseDigits][recode.BaseEntries]Entry)
	for i, row := range OddMultiplesVartime(recode.BaseDigits, recode.BaseEntries) {
		for j := range row {
			base[i][j].Set(&row[j])
		}
	}
}

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

// OddMultiplesVartime returns (2j+1)·(2·entries)ⁱ·G in entry j of row i, for rows that have
// the odd multiples below 2·entries.
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
		// The last odd multiple is one less.
		base.AddVartime(&odd[entries-1], &base)
	}
	return table
}
