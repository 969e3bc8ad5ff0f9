package recode

import (
	"math/bits"
	"sync"

	"p256k1.mleku.dev/v2/internal/scalar"
)

// The widths of the forms, and how many multiples the tables hold (S2).
const (
	PointWidth   = 3 // for any point
	PointEntries = 1 << (2*PointWidth - 3)

	GeneratorWidth   = 8 // for G
	GeneratorEntries = 1 << (2*GeneratorWidth - 3)
)

// MaxPlace bounds the places of digits, for all halves below 2¹²⁸ (S7).
const MaxPlace = 130

// The numbers of digits that a scalar has at most.
const (
	MaxPointDigits     = MaxPlace/PointWidth + 1
	MaxGeneratorDigits = MaxPlace/GeneratorWidth + 1
)

// Digit is ±λ to a power times the multiple in an entry of a table, at a place of
// the sum.
type Digit struct {
	At    uint8  // the power of 2
	Power uint8  // of λ
	Entry uint16 // in the table
	Sign  uint64 // all ones for minus, else zero
}

// Digits is a scalar as digits with rising places, at least the width apart.
type Digits struct {
	Digit [MaxPointDigits]Digit
	N     int
}

// Mark adds the places of the digits to a set of bits.
func (d *Digits) Mark(places *[3]uint64) {
	for i := range d.Digit[:d.N] {
		at := d.Digit[i].At
		places[at/64] |= 1 << (at % 64)
	}
}

// Last returns the digit with the highest place, if that is at.
func (d *Digits) Last(at int) (last *Digit, ok bool) {
	if d.N == 0 || int(d.Digit[d.N-1].At) != at {
		return nil, false
	}
	return &d.Digit[d.N-1], true
}

// SetPointVartime sets d to k with digits for the table of a point.
func (d *Digits) SetPointVartime(k *scalar.Scalar) {
	pointOnce.Do(buildPointClasses)
	k1, k2 := k.Split()
	d.setVartime(k1, k2, false)
}

// SetGeneratorVartime sets d to k with digits for the table of G.
func (d *Digits) SetGeneratorVartime(k *scalar.Scalar) {
	k1, k2 := k.Split()
	d.setVartime(k1, k2, true)
}

// setVartime sets d to k1 + k2·λ: the algorithm of S3.
func (d *Digits) setVartime(k1, k2 scalar.Signed128, generator bool) {
	// What is left is x + y·λ + 2ⁿ·(the pieces from next on), for n = ahead, which
	// is enough for the digit after up to 15 zeros. A sixth piece would be needed from
	// place 137 on, but beyond MaxPlace nothing is left.
	a, b := pieces(k1), pieces(k2)
	var x, y int64
	next, ahead := 0, uint(0)
	n, at := 0, uint(0)
	for {
		if ahead < 24 {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		zeros := uint(bits.TrailingZeros64(uint64(x|y) | 1<<15))
		x >>= zeros & 63
		y >>= zeros & 63
		at += zeros
		ahead -= zeros
		if (x|y)&1 == 0 {
			if x|y == 0 && next == len(a) {
				break
			}
			continue
		}
		digit := &d.Digit[n]
		n++
		var u, v int64
		if generator {
			u, v = digit.setGenerator(uint64(x), uint64(y))
		} else {
			c := &pointClasses[uint64(x)%(1<<PointWidth)][uint64(y)%(1<<PointWidth)]
			u, v = int64(c.a), int64(c.b)
			*digit = c.Digit
		}
		digit.At = uint8(at)
		x -= u
		y -= v
	}
	d.N = n
}

// pieces returns 32 bits of k each, and at last its sign, 0 or −1.
func pieces(k scalar.Signed128) [5]int64 {
	const mask = 1<<32 - 1
	l0, l1, l2 := k.Limbs()
	return [5]int64{int64(l0 & mask), int64(l0 >> 32), int64(l1 & mask), int64(l1 >> 32), int64(l2)}
}

// powerModulo2 returns the power of λ to which x + y·λ is congruent modulo 2, if 2
// does not divide it (S1): 0 for even y, else 1 for even x and 2 for odd x.
func powerModulo2(x, y uint64) uint64 {
	return (y & 1) << (x & 1)
}

// setGenerator sets all of d but its place to the digit of G's table for the class
// of x + y·λ modulo 2ʷ, and returns that digit as u + v·λ: a unit times a + b·λ
// with odd a and even b, 0 < a < 2ʷ⁻¹ and −2ʷ⁻¹ ≤ b < 2ʷ⁻¹ (S4).
func (d *Digit) setGenerator(x, y uint64) (u, v int64) {
	const mask = 1<<GeneratorWidth - 1
	power := powerModulo2(x, y)
	a := [4]uint64{x, y - x, -y}[power&3] // (x + y·λ)/λᵖᵒʷᵉʳ
	b := [4]uint64{y, -x, x - y}[power&3]
	minus := -(a >> (GeneratorWidth - 1) & 1)
	a, b = (a^minus-minus)&mask, (b^minus-minus)&mask
	*d = Digit{Power: uint8(power), Entry: generatorEntry(a, b), Sign: minus}

	a, b = a^minus-minus, uint64(int64(b<<(64-GeneratorWidth))>>(64-GeneratorWidth))^minus-minus
	u = int64([4]uint64{a, -b, b - a}[power&3]) // (a + b·λ)·λᵖᵒʷᵉʳ
	v = int64([4]uint64{b, a - b, -a}[power&3])
	return u, v
}

// The table of G has a row for each odd a, with a place for each even b.
const (
	GeneratorRows = 1 << (GeneratorWidth - 2)
	GeneratorRow  = 1 << (GeneratorWidth - 1)
)

// generatorEntry returns where the table of G has a + b·λ, for a and b as in
// setGenerator, modulo 2ʷ.
func generatorEntry(a, b uint64) uint16 {
	return uint16(a>>1*GeneratorRow | b>>1)
}

// GeneratorMultiple returns the a + b·λ that entry i of the table of G stands for.
func GeneratorMultiple(i int) (a, b int) {
	a, b = 2*(i/GeneratorRow)+1, 2*(i%GeneratorRow)
	if b >= GeneratorRow {
		b -= 2 * GeneratorRow
	}
	return a, b
}

// PointSteps is the walk through the multiples that the table of a point holds: entry
// 0 is the point, and entry i is entry i − 1 plus −λ to the power PointSteps[i] times
// the point (S9). It is the order of the entries, here and in the table.
var PointSteps = [PointEntries]uint8{1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2}

// PointMultiple returns the a + b·λ that entry i of the table of a point stands for.
func PointMultiple(i int) (a, b int) {
	a = 1
	for _, power := range PointSteps[1 : i+1] {
		if power == 1 {
			b-- // − λ
		} else {
			a, b = a+1, b+1 // − λ² = 1 + λ
		}
	}
	return a, b
}

// class is the digit a + b·λ, for the numbers that are congruent to it modulo 2ʷ.
type class struct {
	Digit
	a, b int8
}

// classes returns the digits that are a unit times a + b·λ, which is in an entry of a
// table.
func classes(a, b int, entry uint16) (all [6]class) {
	for i := range all {
		all[i] = class{Digit{Entry: entry, Power: uint8(i / 2), Sign: -uint64(i % 2)}, int8(a), int8(b)}
		a, b = -a, -b
		if i%2 == 1 {
			a, b = -b, a-b // times λ
		}
	}
	return all
}

// pointClasses has the digit for every class modulo 2ʷ, of points.
var (
	pointClasses [1 << PointWidth][1 << PointWidth]class
	pointOnce    sync.Once
)

func buildPointClasses() {
	for i := range PointEntries {
		a, b := PointMultiple(i)
		for _, c := range classes(a, b, uint16(i)) {
			pointClasses[uint8(c.a)%(1<<PointWidth)][uint8(c.b)%(1<<PointWidth)] = c
		}
	}
}
