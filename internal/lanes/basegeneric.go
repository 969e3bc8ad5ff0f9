package lanes

import "p256k1.mleku.dev/v2/internal/recode"

// The twins of the routines in base.go and variable.go. They read whole rows, as the assembly does.

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

// baseIndex returns where the absolute value of the digit is that a window in the lowest bits stands
// for, of a row of n entries, and all ones if the digit is negative (see lookup in package ecmult).
func baseIndex(window, n uint64) (index, negative uint64) {
	negative = uint64(int64(window&n-1) >> 63)
	return (window ^ negative) & (n - 1), negative
}

// or sets e to the bits of either e or a, of which those of a mask count.
func (e *Element) or(a *Element, mask uint64) {
	for k := range e {
		for i := range e[k] {
			e[k][i] |= mask & a[k][i]
		}
	}
}

// pick returns the word at an index.
func pick(words []uint64, index uint64) (w uint64) {
	for j, word := range words {
		w |= uint64(int64(uint64(j)^index-1)>>63) & word
	}
	return w
}

func variableLookupGeneric(x, y *Element, table *variableTable, index uint64) {
	*x, *y = Element{}, Element{}
	for j := range table {
		here := uint64(int64((uint64(j)^index)%uint64(len(table))-1) >> 63)
		x.or(&table[j].X, here)
		y.or(&table[j].Y, here)
	}
}

func turnGeneric(q, p *XYZZ, n int) {
	for _, e := range [][2]*Element{{&q.X, &p.X}, {&q.Y, &p.Y}, {&q.ZZ, &p.ZZ}, {&q.ZZZ, &p.ZZZ}} {
		for k := range e[0] {
			for i := range N {
				e[0][k][i] = e[1][k][(i+n)%N]
			}
		}
	}
}
