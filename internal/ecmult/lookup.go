package ecmult

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// entry is the limbs of a point in a table for secret digits.
type entry struct{ x, y [4]uint64 }

// set sets t = a.
func (t *entry) set(a *group.Affine) {
	t.x, t.y = a.X.Limbs(), a.Y.Limbs()
}

// lookupGeneric sets p to the point of a table for a signed odd digit. The table
// holds 1, 3, …, 2ʷ − 1 times a point, that is 2ʷ⁻¹ entries, at least four; the
// window, w bits b of the scalar, stands for the digit 2b − (2ʷ − 1). It reads
// every entry.
func lookupGeneric(p *group.Affine, table []entry, window uint64) {
	// Digits of windows with a clear top bit are negative, and complementing
	// the other bits gives the index of their absolute value.
	n := uint64(len(table))
	negative := uint64(int64(window-n) >> 63)
	index := (window ^ negative) & (n - 1)

	// Four at a time: one takes 15 % longer.
	var s entry
	for i := uint64(0); len(table) >= 4; i += 4 {
		j := index ^ i
		m0 := uint64(int64(j-1) >> 63)
		m1 := uint64(int64(j^1-1) >> 63)
		m2 := uint64(int64(j^2-1) >> 63)
		m3 := uint64(int64(j^3-1) >> 63)
		t0, t1, t2, t3 := &table[0], &table[1], &table[2], &table[3]
		for k := range 4 {
			s.x[k] |= m0&t0.x[k] | m1&t1.x[k] | m2&t2.x[k] | m3&t3.x[k]
			s.y[k] |= m0&t0.y[k] | m1&t1.y[k] | m2&t2.y[k] | m3&t3.y[k]
		}
		table = table[4:]
	}
	p.X = field.FromLimbs(s.x[0], s.x[1], s.x[2], s.x[3])
	p.Y = field.FromLimbs(s.y[0], s.y[1], s.y[2], s.y[3])
	p.Y.CondNegate(&p.Y, negative)
}
