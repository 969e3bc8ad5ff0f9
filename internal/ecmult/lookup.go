package ecmult

import (
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
)

// quad is the limbs of four field elements.
type quad [4][4]uint64

// set puts a into place j.
func (q *quad) set(j int, a *field.Element) {
	q[j] = a.Limbs()
}

// lookup sets p to the point of a table for a signed odd digit. The table holds
// the coordinates x and y of 1, 3, …, 2ʷ − 1 times a point; the window, w bits b
// of the scalar, stands for the digit 2b − (2ʷ − 1). It reads every entry.
func lookup(p *group.Affine, x, y []quad, window uint64, w int) {
	// Digits of windows with a clear top bit are negative, and complementing
	// the other bits gives the index of their absolute value.
	negative := window>>(w-1) - 1
	index := (window ^ negative) & (1<<(w-1) - 1)
	p.X = field.FromLimbs(scan(x, index))
	p.Y = field.FromLimbs(scan(y, index))
	p.Y.CondNegate(&p.Y, negative)
}

// scan returns the element at index, after reading all.
func scan(table []quad, index uint64) (l0, l1, l2, l3 uint64) {
	// Four entries at a time and one coordinate in all: with more
	// accumulators they leave the registers. One entry at a time took 12 %
	// longer, both coordinates at once 25 %.
	for i := range table {
		q := &table[i]
		j := index ^ uint64(i)<<2
		m0 := uint64(int64(j-1) >> 63)
		m1 := uint64(int64(j^1-1) >> 63)
		m2 := uint64(int64(j^2-1) >> 63)
		m3 := uint64(int64(j^3-1) >> 63)
		l0 |= m0&q[0][0] | m1&q[1][0] | m2&q[2][0] | m3&q[3][0]
		l1 |= m0&q[0][1] | m1&q[1][1] | m2&q[2][1] | m3&q[3][1]
		l2 |= m0&q[0][2] | m1&q[1][2] | m2&q[2][2] | m3&q[3][2]
		l3 |= m0&q[0][3] | m1&q[1][3] | m2&q[2][3] | m3&q[3][3]
	}
	return l0, l1, l2, l3
}

// window returns the width bits of x from bit at on. Bits above x are zero.
func window(x *[4]uint64, at, width int) uint64 {
	i, shift := at/64, at%64
	w := x[i] >> shift
	if i+1 < len(x) {
		w |= x[i+1] << (64 - shift)
	}
	return w & (1<<width - 1)
}
