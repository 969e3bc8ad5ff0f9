package lanes

import (
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

// This file holds the twins in Go of the routines that write digits and look up points in tables. Look-ups for secret
// digits read whole rows, as the assembly does, and select entries by masks.

// baseIndex decodes an odd digit, for rows of n = 2ʷ⁻¹ entries. The low w bits b of window stand for the digit d = 2·b
// − (2ʷ − 1), so that |d| is one of 1, 3, …, 2ʷ − 1. It returns the index (|d| − 1)/2 of the multiple |d|, and all ones
// if d is negative or zero if d is positive.
func baseIndex(window, n uint64) (index, negative uint64) {
	negative = uint64(int64(window&n-1) >> 63)
	return (window ^ negative) & (n - 1), negative
}

// pick returns words[index]. It reads all words, because the index is secret.
func pick(words []uint64, index uint64) (w uint64) {
	for j, word := range words {
		w |= uint64(int64(uint64(j)^index-1)>>63) & word // all ones if j = index
	}
	return w
}

// or sets e to e | a if mask is all ones, and leaves e unchanged if mask is zero.
func (e *Element) or(a *Element, mask uint64) {
	for k := range e {
		for i := range e[k] {
			e[k][i] |= mask & a[k][i]
		}
	}
}

// baseLookupGeneric sets x and y to multiples of G from the row of a window. Lane i becomes |d| times the point whose
// odd multiples the row holds, where d is the digit from bit shift on in lane i of words. minus is the set of the lanes
// with a negative digit.
func baseLookupGeneric(x, y *Element, minus *uint8, row *baseRow, words *baseWords, shift int) {
	*minus = 0
	for i := range N {
		bits := words[0][i]>>shift | words[1][i]<<1<<(63-shift)
		index, negative := baseIndex(bits, recode.LanesEntries)
		var w [8]uint64
		for k := range w {
			w[k] = pick(row[k][:], index)
		}
		x.setLane(i, (*[4]uint64)(w[:4]))
		y.setLane(i, (*[4]uint64)(w[4:]))
		*minus |= uint8(negative) & (1 << i)
	}
}

// baseLookupOneGeneric sets x and y to multiples of G from n ≤ 4 rows. windows holds the digits of the eight lanes, one
// after the other. Lanes i and i + 4 use row i, and are 0 if i ≥ n. minus is the set of the lanes with a negative
// digit.
func baseLookupOneGeneric(x, y *Element, minus *uint8, rows *baseOneRows, windows uint64, n int) {
	*x, *y, *minus = Element{}, Element{}, 0
	for i := range N {
		index, negative := baseIndex(windows>>(recode.VariableWidth*i), recode.VariableEntries)
		*minus |= uint8(negative) & (1 << i)
		if i%(N/2) >= n {
			continue
		}
		var w [8]uint64
		for k := range w {
			w[k] = pick(rows[i%(N/2)][k][:], index)
		}
		x.setLane(i, (*[4]uint64)(w[:4]))
		y.setLane(i, (*[4]uint64)(w[4:]))
	}
}

// variableLookupGeneric sets x and y to entry index of the table. It reads all entries, because index is secret.
func variableLookupGeneric(x, y *Element, table *variableTable, index uint64) {
	*x, *y = Element{}, Element{}
	for j := range table {
		here := uint64(int64((uint64(j)^index)%uint64(len(table))-1) >> 63)
		x.or(&table[j].X, here)
		y.or(&table[j].Y, here)
	}
}

// recodePointVartimeGeneric sets d to the digits of the scalars k for multiples of a point. Digits at odd places are
// negated.
func recodePointVartimeGeneric(d *pointDigits, k *halves, _ *classes) {
	var digits [recode.RegularPointDigits]recode.RegularDigit
	for lane := range N {
		k1, k2 := k.get(lane)
		setBit(&d.fits, lane, recode.RegularPointVartime(&digits, k1, k2))
		for i := range digits {
			g := &digits[i]
			row, y := entryRows*uint64(g.Entry), uint64(rowMinus)
			if g.Minus != (i&1 != 0) {
				y = rowPlus
			}
			d.x[i][lane] = (row+uint64(rowX[g.Power]))*rowBytes + 8*uint64(lane)
			d.y[i][lane] = (row+y)*rowBytes + 8*uint64(lane)
			setBit(&d.nonzero[i], lane, !g.IsZero())
		}
	}
}

// recodeGeneratorVartimeGeneric sets d to the digits of the scalars k for multiples of G.
func recodeGeneratorVartimeGeneric(d *generatorDigits, k *halves, _ *classes) {
	var digits [recode.RegularGeneratorDigits]recode.RegularDigit
	for lane := range N {
		k1, k2 := k.get(lane)
		setBit(&d.fits, lane, recode.RegularGeneratorVartime(&digits, k1, k2))
		for i := range digits {
			g := &digits[i]
			d.offset[i][lane] = 64 * uint64(g.Entry)
			setBit(&d.nonzero[i], lane, !g.IsZero())
			setBit(&d.minus[i], lane, g.Minus)
			setBit(&d.power[0][i], lane, g.Power == 1)
			setBit(&d.power[1][i], lane, g.Power == 2)
		}
	}
}

// prefetchVartimeGeneric does nothing.
//
//lint:ignore U1000 on x86-64, only the assembly of prefetchVartime calls it
func prefetchVartimeGeneric(*tables.Generator, *generatorDigits) {}

// gatherPointVartimeGeneric sets x and ny to x and −2y of the multiples that digit i stands for, in each lane from its
// own table.
func gatherPointVartimeGeneric(x, ny *Element, table *multiples, d *pointDigits, i int) {
	for lane := range N {
		a, b := d.x[i][lane]/rowBytes, d.y[i][lane]/rowBytes
		for k := range x {
			x[k][lane] = table[a/entryRows].row(a % entryRows)[k][lane]
			ny[k][lane] = table[b/entryRows].row(b % entryRows)[k][lane]
		}
	}
}

// gatherGeneratorVartimeGeneric sets x and ny to x and −2y of the multiples of G that digit i stands for, mapped by the
// isomorphism f to the curve of the table of points.
func gatherGeneratorVartimeGeneric(x, ny *Element, table *tables.Generator, d *generatorDigits, i int, f *isomorphism) {
	for lane := range N {
		power, minus := 0, 0
		switch {
		case has(d.power[0][i], lane):
			power = 1
		case has(d.power[1][i], lane):
			power = 2
		}
		if has(d.minus[i], lane) {
			minus = 1
		}
		p, byX, byY := table[d.offset[i][lane]/64], f.x[power].get(lane), f.y[minus].get(lane)
		x.set(lane, p.X.Mul(&p.X, &byX))
		ny.set(lane, p.Y.Mul(&p.Y, &byY))
	}
}

// set sets lane i of m to the coordinates of the entry for p, and changes p.
func (m *multiple) set(i int, p *group.Affine) {
	bx, bbx := p.X, p.X
	bx.Mul(&bx, &group.Beta)
	bbx.Mul(&bx, &group.Beta)
	p.Y.Add(&p.Y, &p.Y)
	m.Affine.set(i, p)
	m.turned[0].set(i, &bx)
	m.turned[1].set(i, &bbx)
	p.Y.Negate(&p.Y)
	m.minus.set(i, &p.Y)
}

// completeGeneric sets m to x, 2y, β·x, β²·x and −2y of the point (x, y) that it holds.
func completeGeneric(m *multiple) {
	for i := range N {
		p := m.Affine.get(i)
		m.set(i, &p)
	}
}

// completeRescaledGeneric sets z = z·ratio, multiplies x by z² and y by z³, and completes m.
func completeRescaledGeneric(m *multiple, z, ratio *Element) {
	for i := range N {
		a, b, p := z.get(i), ratio.get(i), m.Affine.get(i)
		z.set(i, a.Mul(&a, &b))
		p.Rescale(&p, &a)
		m.set(i, &p)
	}
}
