package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/tables"
)

// entry is a point in a table for secret digits.
type entry = tables.Entry

// lookupGeneric sets p to a signed odd digit times the point of a table. The table holds 1, 3, …, 2ʷ − 1 times the
// point, which are 2ʷ⁻¹ entries. It has at least four entries. A window b of w bits of the scalar stands for the digit
// 2b − (2ʷ − 1). The function reads every entry, so that neither branches nor addresses depend on the window.
func lookupGeneric(p *group.Affine, table []entry, window uint64) {
	// The table has n = 2ʷ⁻¹ entries, and entry i is 2i + 1 times the point.
	//
	//	b ≥ n: the digit is 2(b − n) + 1, so its index is b − n, the bits of b below the top one.
	//	b < n: the digit is −(2(n − 1 − b) + 1), so its index is n − 1 − b, the complement of b.
	n := uint64(len(table))
	negative := uint64(int64(window-n) >> 63)
	index := (window ^ negative) & (n - 1)

	// A round reads four entries, because rounds of one entry take 15 % longer. The entries of a round are i to i+3,
	// where i is a multiple of 4, so i+k = index if and only if index ^ i ^ k is 0. Only then is index ^ i ^ k − 1
	// negative, and its mask all ones. Exactly one of all masks is all ones, so the OR of all masked entries is the
	// entry at index.
	var found entry
	for i := uint64(0); len(table) >= 4; i += 4 {
		j := index ^ i
		m0 := uint64(int64(j-1) >> 63)
		m1 := uint64(int64(j^1-1) >> 63)
		m2 := uint64(int64(j^2-1) >> 63)
		m3 := uint64(int64(j^3-1) >> 63)
		t0, t1, t2, t3 := &table[0], &table[1], &table[2], &table[3]
		for k := range 4 {
			found.X[k] |= m0&t0.X[k] | m1&t1.X[k] | m2&t2.X[k] | m3&t3.X[k]
			found.Y[k] |= m0&t0.Y[k] | m1&t1.Y[k] | m2&t2.Y[k] | m3&t3.Y[k]
		}
		table = table[4:]
	}
	p.X = field.FromLimbs(found.X[0], found.X[1], found.X[2], found.X[3])
	p.Y = field.FromLimbs(found.Y[0], found.Y[1], found.Y[2], found.Y[3])
	p.Y.CondNegate(&p.Y, negative)
}
