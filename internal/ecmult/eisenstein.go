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
// by a unit have digits that do, so 4ʷ⁻¹/2 multiples of a point serve 3·4ʷ⁻¹ digits (a few
// more for G, where a class may have several smallest numbers, and not all units agree).
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

// maxPlace bounds the places. Digits d of width w have |d| ≤ 2ʷ/√3, so where a digit may
// stand, at place i, what is left of a number k is at most |k|/2ⁱ + 0.66; with |k| < √3·2¹²⁸
// that is below 1, so 0, from 131 on. (The largest there is is 129.)
const maxPlace = 130

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
	a0, a1, a2 := k1.Limbs()
	b0, b1, b2 := k2.Limbs()
	n, at := 0, 0
	for {
		zeros := bits.TrailingZeros64(a0|b0|1<<63) & 63
		a0, a1, a2 = a0>>zeros|a1<<1<<(^zeros&63), a1>>zeros|a2<<1<<(^zeros&63), uint64(int64(a2)>>zeros)
		b0, b1, b2 = b0>>zeros|b1<<1<<(^zeros&63), b1>>zeros|b2<<1<<(^zeros&63), uint64(int64(b2)>>zeros)
		at += zeros
		if (a0|b0)&1 == 0 { // after 63 zeros
			if a0|a1|a2|b0|b1|b2 == 0 {
				break
			}
			continue
		}
		next := &d.digit[n]
		n++
		var x, y int64
		if generator {
			x, y = next.setGenerator(a0, b0)
		} else {
			c := &pointClasses[a0%(1<<pointWidth)][b0%(1<<pointWidth)]
			x, y = int64(c.a), int64(c.b)
			*next = c.digit
		}
		next.at = uint8(at)
		var k uint64
		a0, k = bits.Sub64(a0, uint64(x), 0)
		a1, k = bits.Sub64(a1, uint64(x>>63), k)
		a2, _ = bits.Sub64(a2, uint64(x>>63), k)
		b0, k = bits.Sub64(b0, uint64(y), 0)
		b1, k = bits.Sub64(b1, uint64(y>>63), k)
		b2, _ = bits.Sub64(b2, uint64(y>>63), k)
	}
	d.n = n
}

// setGenerator sets all of d but its place to the digit of the generator for the
// class of u + v·λ modulo 2ʷ, and returns that digit as an element a + b·λ of ℤ[λ],
// one of the smallest of the class.
func (d *digit) setGenerator(u, v uint64) (a, b int64) {
	const m = 1 << generatorWidth
	a = int64(u<<(64-generatorWidth)) >> (64 - generatorWidth)
	b = int64(v<<(64-generatorWidth)) >> (64 - generatorWidth)
	// The smallest are in the hexagon where 2a − b, 2b − a and a + b are between
	// −m and m. If the first two are not, the sign of the last says which to mend.
	below := (a + b) >> 63
	ab, ba := 2*a-b, 2*b-a
	a += m&((m+ab)>>63)&below - m&((m-ab)>>63)&^below
	b += m&((m+ba)>>63)&below - m&((m-ba)>>63)&^below

	// In the basis of 1 and ζ = 1 + λ = −λ², a sixth root of unity, a sixth of
	// the plane is x > 0, y ≥ 0. Bring the number there: by its sign, and by ζ or ζ² = λ.
	x, y := a-b, b
	minus := y>>63 | (y-1)>>63&(x>>63)
	x, y = x^minus-minus, y^minus-minus
	sum := x + y
	third := (sum - 1) >> 63
	second := (x - 1) >> 63 &^ third
	first := ^(second | third)
	x, y = x&first|sum&second|y&third, y&first-x&second-sum&third
	d.power = uint8(2&second | 1&third)
	d.sign = uint64(minus ^ second)
	d.entry = generatorRow[y] + uint16((x-1)>>(1-y&1))
	return a, b
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
