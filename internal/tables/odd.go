package tables

import "p256k1.mleku.dev/v2/internal/group"

// OddMultiplesVartime returns (2j+1)·(2·entries)ⁱ·G in entry j of row i, for rows that have
// the odd multiples below 2·entries. Multiplications by secret scalars add these, and
// keep them in forms of their own for their look-ups.
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
