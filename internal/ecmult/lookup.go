package ecmult

import (
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
)

// entry is an affine point in a table that is read in constant time: the limbs
// of x, then those of y.
type entry [8]uint64

func (e *entry) set(p *group.Affine) {
	x, y := p.X.Limbs(), p.Y.Limbs()
	*e = entry{x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3]}
}

// lookup sets p to the point of a table for a signed odd digit. The table holds
// 1, 3, …, 2ʷ − 1 times a point; the window, w bits b of the scalar, stands for
// the digit 2b − (2ʷ − 1). It reads every entry.
func lookup(p *group.Affine, table []entry, window uint64, w int) {
	// Digits of windows with a clear top bit are negative, and complementing
	// the other bits gives the index of their absolute value.
	negative := window>>(w-1) - 1
	index := (window ^ negative) & (1<<(w-1) - 1)
	// One coordinate at a time: eight accumulators and a mask would not stay in
	// registers.
	var l0, l1, l2, l3 uint64
	for i := range table {
		e := &table[i]
		m := uint64(int64((uint64(i)^index)-1) >> 63)
		l0 |= m & e[0]
		l1 |= m & e[1]
		l2 |= m & e[2]
		l3 |= m & e[3]
	}
	p.X = field.FromLimbs(l0, l1, l2, l3)
	l0, l1, l2, l3 = 0, 0, 0, 0
	for i := range table {
		e := &table[i]
		m := uint64(int64((uint64(i)^index)-1) >> 63)
		l0 |= m & e[4]
		l1 |= m & e[5]
		l2 |= m & e[6]
		l3 |= m & e[7]
	}
	p.Y = field.FromLimbs(l0, l1, l2, l3)
	p.Y.CondNegate(&p.Y, negative)
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
