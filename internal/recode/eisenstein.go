package recode

import (
	"math/bits"
	"sync"

	"p256k1.mleku.dev/v2/internal/scalar"
)

// These are the widths w of the digits, and the numbers of multiples in the tables. 2 divides a quarter of the 4ʷ
// classes modulo 2ʷ, and each of the 3·4ʷ⁻¹ other classes has a digit. Six digits that differ by a unit share an entry,
// so there are 4ʷ⁻¹/2 entries (S2).
const (
	PointWidth   = 3 // for any point
	PointEntries = 1 << (2*PointWidth - 3)

	GeneratorWidth   = 8 // for G
	GeneratorEntries = 1 << (2*GeneratorWidth - 3)
)

// MaxPlace is the largest place that a digit can have, for halves below 2¹²⁸. For such halves |k1 + k2·λ| < √3·2¹²⁸,
// but a number with a digit at place 131 has an absolute value of 1.99·2¹²⁸ or more (S7).
const MaxPlace = 130

// A scalar has at most these numbers of digits, since digits are at least the width apart.
const (
	MaxPointDigits     = MaxPlace/PointWidth + 1
	MaxGeneratorDigits = MaxPlace/GeneratorWidth + 1
)

// Digit stands for ±λᵖᵒʷᵉʳ·2ᵃᵗ times the multiple in an entry of a table.
type Digit struct {
	At    uint8  // the place of the digit
	Power uint8  // 0, 1 or 2
	Entry uint16 // the index in the table
	Sign  uint64 // all ones for minus, else zero
}

// Digits is a scalar as a sum of digits. The digits are in the order of their places, which are at least the width
// apart.
type Digits struct {
	Digit [MaxPointDigits]Digit
	N     int
}

// Mark sets bit i of places, which is bit i%64 of word i/64, for every place i with a digit.
func (d *Digits) Mark(places *[3]uint64) {
	for i := range d.Digit[:d.N] {
		place := d.Digit[i].At
		places[place/64] |= 1 << (place % 64)
	}
}

// Last returns the digit with the highest place, and true if that place is the given one. Otherwise it returns false.
func (d *Digits) Last(place int) (last *Digit, ok bool) {
	if d.N == 0 || int(d.Digit[d.N-1].At) != place {
		return nil, false
	}
	return &d.Digit[d.N-1], true
}

// SetPointVartime sets d to the digits of k for the table of a point.
func (d *Digits) SetPointVartime(k *scalar.Scalar) {
	pointOnce.Do(buildPointClasses)
	k1, k2 := k.Split()
	d.setVartime(k1, k2, false)
}

// SetGeneratorVartime sets d to the digits of k for the table of G.
func (d *Digits) SetGeneratorVartime(k *scalar.Scalar) {
	k1, k2 := k.Split()
	d.setVartime(k1, k2, true)
}

// setVartime sets d to the digits of k1 + k2·λ. It goes from the lowest place up. If 2 divides the number that remains,
// the place has no digit. Otherwise the place has the digit of the number's class modulo 2ʷ, and subtracting this digit
// leaves a multiple of 2ʷ, so that the next w − 1 places have no digit (S3).
func (d *Digits) setVartime(k1, k2 scalar.Signed128, generator bool) {
	// The numbers k1 and k2 are cut into five pieces of 32 bits each. x and y hold the pieces that the loop is working
	// on. After subtracting the digits so far, k1 + k2·λ is
	//
	//	2ᵃᵗ·(x + y·λ + 2ᵃʰᵉᵃᵈ·(the pieces from next on)).
	//
	// So the lowest ahead bits of x and y are final. At the top of the loop ahead becomes 24 or more. At most 15 zeros
	// are then shifted out, so at least 9 final bits remain, enough for the 8 bits of a class. Because ahead < 24
	// before a piece is added, |x| and |y| stay below 2⁵⁷.
	//
	// The fifth piece is enough up to place 136. No sixth piece is needed, because no digit is above MaxPlace.
	a, b := pieces(k1), pieces(k2)
	var x, y int64
	next, ahead := 0, uint(0)
	n, place := 0, uint(0)
	for {
		if ahead < 24 {
			x += a[next] << (ahead & 63)
			y += b[next] << (ahead & 63)
			ahead += 32
			next++
		}
		zeros := uint(bits.TrailingZeros64(uint64(x|y) | 1<<15)) // how often 2 divides x + y·λ, at most 15
		x >>= zeros & 63
		y >>= zeros & 63
		place += zeros
		ahead -= zeros
		if (x|y)&1 == 0 { // there are more than 15 zeros, or nothing is left
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
		digit.At = uint8(place)
		x -= u
		y -= v
	}
	d.N = n
}

// pieces returns five pieces whose sum, Σ pieces[i]·2³²ⁱ, is k. The first four pieces are in [0, 2³²). The last piece
// is the sign, 0 or −1.
func pieces(k scalar.Signed128) [5]int64 {
	const mask = 1<<32 - 1
	l0, l1, l2 := k.Limbs()
	return [5]int64{int64(l0 & mask), int64(l0 >> 32), int64(l1 & mask), int64(l1 >> 32), int64(l2)}
}

// powerModulo2 returns the exponent p with x + y·λ ≡ λᵖ modulo 2, for a number that 2 does not divide. For even y, the
// number is congruent to 1 = λ⁰. For odd y and even x it is congruent to λ. For odd x and y it is congruent to 1 + λ ≡
// λ² (S1).
func powerModulo2(x, y uint64) uint64 {
	return (y & 1) << (x & 1)
}

// setGenerator sets d, except for its place, to the digit of the class of x + y·λ modulo 2ʷ, for the table of G. It
// returns the digit as u + v·λ. The digit is a unit times a + b·λ with odd a and even b, where 0 < a < 2ʷ⁻¹ and −2ʷ⁻¹ ≤
// b < 2ʷ⁻¹ (S4).
func (d *Digit) setGenerator(x, y uint64) (u, v int64) {
	const mask = 1<<GeneratorWidth - 1
	power := powerModulo2(x, y)
	a := [4]uint64{x, y - x, -y}[power&3] // (x + y·λ)/λᵖᵒʷᵉʳ = a + b·λ, with odd a and even b
	b := [4]uint64{y, -x, x - y}[power&3]
	// Either a or −a, modulo 2ʷ, is below 2ʷ⁻¹. It is a if the top bit of a is 0.
	minus := -(a >> (GeneratorWidth - 1) & 1)
	a, b = (a^minus-minus)&mask, (b^minus-minus)&mask
	*d = Digit{Power: uint8(power), Entry: generatorEntry(a, b), Sign: minus}

	// Compute the digit as a number: b gets its sign from the top of its 8 bits, and then a + b·λ is multiplied by the
	// unit.
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

// generatorEntry returns the index of a + b·λ in the table of G, for a and b as in setGenerator, modulo 2ʷ.
func generatorEntry(a, b uint64) uint16 {
	return uint16(a>>1*GeneratorRow | b>>1)
}

// GeneratorMultiple returns the number a + b·λ that entry i of the table of G stands for.
func GeneratorMultiple(i int) (a, b int) {
	a, b = 2*(i/GeneratorRow)+1, 2*(i%GeneratorRow)
	if b >= GeneratorRow { // the second half of a row has the negative b
		b -= 2 * GeneratorRow
	}
	return a, b
}

// PointSteps is the walk through the multiples that the table of a point holds: entry 0 is the point P, and entry i is
// entry i − 1 plus −λ^PointSteps[i]·P (S9). In the order of the table, the entries are P times
//
//	1, 2+λ, 3+2λ, 3+λ, 3, 3−λ, 3−2λ, 4−λ.
var PointSteps = [PointEntries]uint8{1: 2, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2}

// PointMultiple returns the number a + b·λ that entry i of the table of a point stands for.
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

// class is a digit together with its value a + b·λ. All numbers that are congruent to this value modulo 2ʷ have this
// digit.
type class struct {
	Digit
	a, b int8
}

// classes returns the six digits that are a unit times a + b·λ, the multiple that the given entry of a table holds.
func classes(a, b int, entry uint16) (all [6]class) {
	for i := range all {
		all[i] = class{Digit{Entry: entry, Power: uint8(i / 2), Sign: -uint64(i % 2)}, int8(a), int8(b)}
		a, b = -a, -b
		if i%2 == 1 { // two negations have restored a + b·λ
			a, b = -b, a-b // times λ
		}
	}
	return all
}

// pointClasses[x][y] is the digit of the class of x + y·λ modulo 8, for the table of a point.
var (
	pointClasses [1 << PointWidth][1 << PointWidth]class
	pointOnce    sync.Once
)

// buildPointClasses fills pointClasses with six digits for each entry of the table.
func buildPointClasses() {
	for i := range PointEntries {
		a, b := PointMultiple(i)
		for _, c := range classes(a, b, uint16(i)) {
			pointClasses[uint8(c.a)%(1<<PointWidth)][uint8(c.b)%(1<<PointWidth)] = c
		}
	}
}
