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

// recodePointVartimeGeneric sets d to the digits of the scalars k for multiples of a point, in the way of
// recode.RegularPointVartime. Digits at odd places are negated. It computes a digit of all lanes before the next digit,
// so that the processor works on several lanes at a time.
func recodePointVartimeGeneric(d *pointDigits, k *halves, c *classes) {
	const last, width = recode.RegularPointDigits - 1, recode.PointWidth
	var x, y [N]int64 // what remains of the bits below the place, as in recode
	for i := range last {
		word, shift := i*width/64, uint(i*width%64)
		nonzero := uint8(0)
		for lane := range N {
			x[lane] += int64((k.k1[word][lane]>>shift | k.k1[word+1][lane]<<1<<(63-shift)) % (1 << width))
			y[lane] += int64((k.k2[word][lane]>>shift | k.k2[word+1][lane]<<1<<(63-shift)) % (1 << width))
			class := (x[lane] & 7) | (y[lane]&7)<<3
			d.x[i][lane] = uint64(c.x[class])*rowBytes + 8*uint64(lane)
			d.y[i][lane] = uint64(c.y[i&1][class])*rowBytes + 8*uint64(lane)
			x[lane] = (x[lane] - int64(c.u[class]) + 8) >> width
			y[lane] = (y[lane] - int64(c.v[class]) + 8) >> width
			if class != 0 {
				nonzero |= 1 << lane
			}
		}
		d.nonzero[i] = nonzero
	}
	d.nonzero[last], d.fits = 0, 0
	for lane := range N {
		// What remains must be the last digit, or its opposite: 4 times a unit is in the class of −4 times this unit.
		x, y := x[lane]+topBits(&k.k1, lane), y[lane]+topBits(&k.k2, lane)
		class := x&7 | y&7<<3
		u, v, sign := int64(c.u[class])-8, int64(c.v[class])-8, last&1
		fits := x == u && y == v
		if !fits && x == -u && y == -v {
			fits, sign = true, 1-sign
		}
		d.x[last][lane] = uint64(c.x[class])*rowBytes + 8*uint64(lane)
		d.y[last][lane] = uint64(c.y[sign][class])*rowBytes + 8*uint64(lane)
		setBit(&d.fits, lane, fits)
		setBit(&d.nonzero[last], lane, class != 0)
	}
}

// topBits returns lane i of k, in two's complement, divided by 2¹²⁶ and rounded down.
func topBits(k *[3][N]uint64, i int) int64 { return int64(k[1][i]>>62 | k[2][i]<<2) }

// recodeGeneratorVartimeGeneric sets d to the digits of the scalars k for multiples of G, in the way of
// recode.RegularGeneratorVartime.
func recodeGeneratorVartimeGeneric(d *generatorDigits, k *halves, _ *classes) {
	const last, width = recode.RegularGeneratorDigits - 1, recode.GeneratorWidth
	var x, y [N]int64 // what remains of the bits below the place
	for i := range last {
		word, shift := i*width/64, uint(i*width%64)
		d.clear(i)
		for lane := range N {
			x[lane] += int64(k.k1[word][lane] >> shift % (1 << width))
			y[lane] += int64(k.k2[word][lane] >> shift % (1 << width))
			g := recode.RegularGeneratorClass(uint64(x[lane]), uint64(y[lane]))
			d.set(i, lane, &g)
			x[lane], y[lane] = (x[lane]-int64(g.A))>>width, (y[lane]-int64(g.B))>>width
		}
	}
	d.clear(last)
	d.fits = 0
	for lane := range N {
		// The last digit is 4 times what remains, because its place is two below.
		x, y := 4*(x[lane]+int64(k.k1[2][lane])), 4*(y[lane]+int64(k.k2[2][lane]))
		g := recode.RegularGeneratorClass(uint64(x), uint64(y))
		d.set(last, lane, &g)
		setBit(&d.fits, lane, x == int64(g.A) && y == int64(g.B))
	}
}

// clear makes digit i 0 in all lanes.
func (d *generatorDigits) clear(i int) {
	d.nonzero[i], d.minus[i], d.power[0][i], d.power[1][i] = 0, 0, 0, 0
}

// set sets digit i of a lane in which it is 0.
func (d *generatorDigits) set(i, lane int, g *recode.RegularDigit) {
	d.offset[i][lane] = 64 * uint64(g.Entry)
	one := uint8(1) << lane
	if !g.IsZero() {
		d.nonzero[i] |= one
	}
	if g.Minus {
		d.minus[i] |= one
	}
	if g.Power > 0 {
		d.power[g.Power-1][i] |= one
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
