package ecmult

import (
	"math/bits"

	"p256k1.mleku.dev/internal/scalar"
)

// Multiplication by λ costs a multiplication of x by β, so scalars are written in
// base 2 with digits from ℤ[λ] = {a + b·λ}, where λ² = −1 − λ: the Eisenstein
// integers, with the six units ±1, ±λ and ±λ². The form is the non-adjacent one
// of width w (as in C. Heuberger, D. Krenn, "Analysis of width-w non-adjacent forms
// to imaginary quadratic bases", 2013): a digit for each class modulo 2ʷ of numbers
// that 2 does not divide, and none in the w − 1 places after one. Classes that differ
// by a unit have digits that do, so 4ʷ⁻¹/2 multiples of a point serve 3·4ʷ⁻¹ digits.
// A digit comes every w + 1/3 places on average: with 8 multiples every 3⅓, where the
// two halves of the scalar in forms of their own have one every 3.

// A digit is a unit times an entry of a table, at a place of the sum.
type digit struct {
	at    uint8  // the power of 2
	power uint8  // of λ
	entry uint16 // in the table
	sign  uint64 // all ones for minus, else zero
}

// digits is a scalar as digits with rising places, at least the width apart.
type digits struct {
	digit [maxPlace/pointWidth + 1]digit
	n     int
}

// maxPlace bounds the places. Digits d of width w have |d| ≤ 0.87·2ʷ, so where a digit
// may stand, at place i, what is left of a number k is at most |k|/2ⁱ + 0.87; with
// |k| < √3·2¹²⁸ that is below 1, so 0, from 132 on. (The largest there is is 129.)
const maxPlace = 131

// mark adds the places of the digits.
func (d *digits) mark(places *[3]uint64) {
	for i := range d.digit[:d.n] {
		at := d.digit[i].at
		places[at/64] |= 1 << (at % 64)
	}
}

// last returns the digit with the highest place, if that is at.
func (d *digits) last(at int) (last *digit, ok bool) {
	if d.n == 0 || int(d.digit[d.n-1].at) != at {
		return nil, false
	}
	return &d.digit[d.n-1], true
}

// setVartime sets d to k1 + k2·λ with digits from the table of the generator or
// from those of points.
func (d *digits) setVartime(k1, k2 scalar.Half, generator bool) {
	// What is left is x + y·λ + 2ⁿ·(the pieces from next on), for n = ahead, which
	// is enough for the digit after up to 15 zeros. A sixth piece would be needed from
	// place 137 on, but beyond maxPlace nothing is left.
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
		digit := &d.digit[n]
		n++
		var u, v int64
		if generator {
			u, v = digit.setGenerator(uint64(x), uint64(y))
		} else {
			c := &pointClasses[uint64(x)%(1<<pointWidth)][uint64(y)%(1<<pointWidth)]
			u, v = int64(c.a), int64(c.b)
			*digit = c.digit
		}
		digit.at = uint8(at)
		x -= u
		y -= v
	}
	d.n = n
}

// pieces returns 32 bits of k each, and at last its sign, 0 or −1.
func pieces(k scalar.Half) [5]int64 {
	const mask = 1<<32 - 1
	l0, l1, l2 := k.Limbs()
	return [5]int64{int64(l0 & mask), int64(l0 >> 32), int64(l1 & mask), int64(l1 >> 32), int64(l2)}
}

// setGenerator sets all of d but its place to the digit of the generator for the
// class of x + y·λ modulo 2ʷ, and returns that digit as an element of ℤ[λ]: a unit
// times a + b·λ with odd a and even b, 0 < a < 2ʷ⁻¹ and −2ʷ⁻¹ ≤ b < 2ʷ⁻¹.
func (d *digit) setGenerator(x, y uint64) (u, v int64) {
	const mask = 1<<generatorWidth - 1
	power := y & 1 << (x & 1) // of λ, to which x + y·λ is congruent modulo 2
	a := [4]uint64{x, y - x, -y}[power&3]
	b := [4]uint64{y, -x, x - y}[power&3]
	minus := -(a >> (generatorWidth - 1) & 1)
	a, b = (a^minus-minus)&mask, (b^minus-minus)&mask
	*d = digit{power: uint8(power), entry: uint16(a>>1<<(generatorWidth-1) | b>>1), sign: minus}

	a, b = a^minus-minus, uint64(int64(b<<(64-generatorWidth))>>(64-generatorWidth))^minus-minus
	u = int64([4]uint64{a, -b, b - a}[power&3])
	v = int64([4]uint64{b, a - b, -a}[power&3])
	return u, v
}

// pointClasses has the digit for every class modulo 2ʷ, of points.
var pointClasses [1 << pointWidth][1 << pointWidth]struct {
	digit
	a, b int8 // the digit is a + b·λ
}

// pointMultiples are the entries of the table of a point, a + b·λ times the point:
// each differs from the one before it by a unit, −λ² or −λ (Term.fillTableVartime).
var pointMultiples = [8]struct{ a, b int8 }{{1, 0}, {2, 1}, {3, 2}, {3, 1}, {3, 0}, {3, -1}, {3, -2}, {4, -1}}

func buildPointClasses() {
	for i, m := range pointMultiples[:pointEntries] {
		a, b := m.a, m.b
		for power := range uint8(3) {
			const mask = 1<<pointWidth - 1
			c := &pointClasses[a&mask][b&mask]
			c.a, c.b, c.digit = a, b, digit{entry: uint16(i), power: power}
			c = &pointClasses[-a&mask][-b&mask]
			c.a, c.b, c.digit = -a, -b, digit{entry: uint16(i), power: power, sign: 1<<64 - 1}
			a, b = -b, a-b // times λ
		}
	}
}
