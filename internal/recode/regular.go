package recode

import (
	"math/bits"
	"sync"

	"p256k1.mleku.dev/v2/internal/scalar"
)

// This file writes scalars with a digit every w bits. Package lanes processes several scalars side by side, so the
// places of the digits must not depend on the scalar. Classes that 2 divides therefore have digits too, and only class
// 0 has the digit 0. The digit of a class 2ᵛ·z, where 2 does not divide z, is 2ᵛ times the digit of z modulo 2ʷ⁻ᵛ, as
// in eisenstein.go (S14).
const (
	// RegularPointEntries is the number of multiples in the table of a point. RegularPointDigits is the number of
	// digits of a scalar, at the places 0, 3, …, 126 (S16).
	RegularPointEntries = (2<<(2*PointWidth-2) + 1) / 3
	RegularPointDigits  = 43

	// RegularGeneratorEntries is the number of multiples in the table of G: first the GeneratorEntries multiples for
	// classes that 2 does not divide, then the multiples for the other classes. RegularGeneratorDigits is the number of
	// digits of a scalar, at the places 0, 8, …, 120 and 126. The digit at place 126 is a multiple of 4 (S17).
	RegularGeneratorEntries = (2<<(2*GeneratorWidth-2) + 1) / 3
	RegularGeneratorDigits  = 17
)

// RegularTop is the place of the last digit, both for points and for G, so that package lanes adds both last digits
// before it doubles for the first time.
const RegularTop = PointWidth * (RegularPointDigits - 1) // 126

// generatorTopBits is the place at which the bits for the last digit of G begin. The place is two above RegularTop, the
// place of the last digit, so the digit is 4 times the number in these bits.
const generatorTopBits = GeneratorWidth * (RegularGeneratorDigits - 1) // 128

// RegularDigit is the number A + B·λ, which is ±λᵖᵒʷᵉʳ times the multiple in an entry of a table, or 0.
type RegularDigit struct {
	A, B  int16
	Entry uint16
	Power uint8
	Minus bool
}

// IsZero reports whether d is 0. If d is 0, Entry has no meaning.
func (d *RegularDigit) IsZero() bool { return d.A|d.B == 0 }

// negate sets d = −d.
func (d *RegularDigit) negate() {
	d.A, d.B, d.Minus = -d.A, -d.B, !d.Minus
}

// RegularPointVartime sets digits to the digits of k1 + k2·λ for the table of a point, and reports whether their sum is
// k1 + k2·λ, which holds for all halves that Split returns. For other halves below 2¹²⁸, the remainder at place 126 may
// be too large for a digit (S16).
func RegularPointVartime(digits *[RegularPointDigits]RegularDigit, k1, k2 scalar.Signed128) (fits bool) {
	return regularVartime(digits[:], k1, k2, false)
}

// RegularGeneratorVartime sets digits to the digits of k1 + k2·λ for the table of G, and reports whether their sum is
// k1 + k2·λ, which holds for all halves below 2¹²⁸ (S17).
func RegularGeneratorVartime(digits *[RegularGeneratorDigits]RegularDigit, k1, k2 scalar.Signed128) (fits bool) {
	return regularVartime(digits[:], k1, k2, true)
}

// regularVartime sets digits to the digits of k1 + k2·λ, and reports whether their sum is k1 + k2·λ.
func regularVartime(digits []RegularDigit, k1, k2 scalar.Signed128, generator bool) (fits bool) {
	width, top := PointWidth, RegularTop
	if generator {
		width, top = GeneratorWidth, generatorTopBits
	}
	var a, b [3]uint64
	a[0], a[1], a[2] = k1.Limbs()
	b[0], b[1], b[2] = k2.Limbs()
	// Before digit i, k1 + k2·λ minus the digits so far is 2ⁱʷ·(x + y·λ + the number in the bits from i·w on). The
	// coefficients of a digit are below 2ʷ in absolute value, so x and y stay between −2 and 2.
	var x, y int64
	for i := 0; i*width < top; i++ {
		x += bitsAt(&a, i*width) & (1<<width - 1)
		y += bitsAt(&b, i*width) & (1<<width - 1)
		d := &digits[i]
		*d = regularDigit(x, y, generator)
		x, y = (x-int64(d.A))>>width, (y-int64(d.B))>>width
	}
	// The last digit must equal the number that remains. Another number of the same class does not suffice.
	x += bitsAt(&a, top)
	y += bitsAt(&b, top)
	if generator {
		x, y = 4*x, 4*y
	}
	d := &digits[len(digits)-1]
	*d = regularDigit(x, y, generator)
	if int64(d.A) == x && int64(d.B) == y {
		return true
	}
	if int64(d.A) == -x && int64(d.B) == -y && !generator {
		d.negate() // 4 times a unit: 4 and −4 are in one class modulo 8, which has one digit (S15)
		return true
	}
	return false
}

// bitsAt returns k/2ᵃᵗ, rounded down, modulo 2⁶⁴. k is in two's complement.
func bitsAt(k *[3]uint64, first int) int64 {
	i, shift := first/64, first%64
	if i == 2 {
		return int64(k[2]) >> shift
	}
	return int64(k[i]>>shift | k[i+1]<<(64-shift))
}

// regularDigit returns the digit of the class of x + y·λ modulo 2ʷ, for the table of a point or of G.
func regularDigit(x, y int64, generator bool) RegularDigit {
	if generator {
		return RegularGeneratorClass(uint64(x), uint64(y))
	}
	return RegularPointClass(uint64(x), uint64(y))
}

// RegularPointClass returns the digit for the class of x + y·λ modulo 8.
func RegularPointClass(x, y uint64) RegularDigit {
	regularOnce.Do(buildRegularClasses)
	return regularClasses[x%(1<<PointWidth)][y%(1<<PointWidth)]
}

// RegularStep is the unit λᵖᵒʷᵉʳ, or −λᵖᵒʷᵉʳ if Minus is true.
type RegularStep struct {
	Power uint8
	Minus bool
}

// RegularSteps is the walk through the multiples that the table of a point holds: entry 0 is the point P, and entry i
// is entry i − 1 plus RegularSteps[i]·P (S18). In the order of the table, the entries are P times
//
//	1, 1−λ, 1−2λ, 1−3λ, 2−3λ, 2−2λ, 2−λ, 2, 3, 4, 3−λ.
var RegularSteps = [RegularPointEntries]RegularStep{
	{}, {1, true}, {1, true}, {1, true}, {0, false}, {1, false}, {1, false}, {1, false}, {0, false}, {0, false}, {2, false},
}

// RegularPointMultiple returns the number a + b·λ that entry i of the table of a point stands for.
func RegularPointMultiple(i int) (a, b int) {
	a = 1
	for _, step := range RegularSteps[1 : i+1] {
		u, v := 1, 0
		for range step.Power {
			u, v = -v, u-v // times λ
		}
		if step.Minus {
			u, v = -u, -v
		}
		a, b = a+u, b+v
	}
	return a, b
}

// regularClasses[x][y] is the digit of the class of x + y·λ modulo 8, for the table of a point.
var (
	regularClasses [1 << PointWidth][1 << PointWidth]RegularDigit
	regularOnce    sync.Once
)

// buildRegularClasses fills regularClasses with the digits ±1, ±λ, ±λ² times each entry. Class 0 keeps the digit 0.
func buildRegularClasses() {
	const mask = 1<<PointWidth - 1
	for i := range RegularPointEntries {
		a, b := RegularPointMultiple(i)
		for power := range uint8(3) {
			d := RegularDigit{A: int16(a), B: int16(b), Entry: uint16(i), Power: power}
			regularClasses[a&mask][b&mask] = d
			d.negate()
			regularClasses[-a&mask][-b&mask] = d
			a, b = -b, a-b // times λ
		}
	}
}

// RegularGeneratorClass returns the digit for the class of x + y·λ modulo 256. If 2ᵛ is the highest power of 2 that
// divides the class, d is 2ᵛ times the digit of (x + y·λ)/2ᵛ for the width 8 − v, found as in setGenerator.
func RegularGeneratorClass(x, y uint64) (d RegularDigit) {
	const classes = 1 << GeneratorWidth
	x, y = x%classes, y%classes
	if x|y == 0 {
		return d
	}
	v := bits.TrailingZeros64(x | y)
	x, y = x>>v, y>>v
	width := GeneratorWidth - v
	mask := uint64(1)<<width - 1
	power := powerModulo2(x, y)
	a := [4]uint64{x, y - x, -y}[power&3] // (x + y·λ)/λᵖᵒʷᵉʳ = a + b·λ, with odd a and even b
	b := [4]uint64{y, -x, x - y}[power&3]
	minus := -(a >> (width - 1) & 1) // so that 0 < a < 2^(width−1), or a = 1 for width 1
	a, b = (a^minus-minus)&mask, (b^minus-minus)&mask
	d.Entry = uint16(RegularGeneratorRow(v)) + uint16(a>>1<<(width-1)|b>>1)
	d.Power = uint8(power)

	// Compute the digit as a number: b gets its sign, and then a + b·λ is multiplied by the power of λ, by 2ᵛ and by
	// the sign.
	u, w := int16(a), int16(b)
	if b>>(width-1) != 0 {
		w -= 1 << width
	}
	for range power {
		u, w = -w, u-w // times λ
	}
	d.A, d.B = u<<v, w<<v
	if minus != 0 {
		d.negate()
	}
	return d
}

// RegularGeneratorRow returns the index of the first entry of the table of G that is 2ᵛ times a number that 2 does not
// divide. From this entry on, the entries are 2ᵛ times the entries of a table for the width 8 − v, which has (2·4⁷⁻ᵛ +
// 1)/3 entries.
func RegularGeneratorRow(v int) int {
	return RegularGeneratorEntries - (1<<(2*(GeneratorWidth-v))/2+1)/3
}

// RegularGeneratorMultiple returns the number a + b·λ that entry i of the table of G stands for. For i <
// GeneratorEntries the result equals the result of GeneratorMultiple.
func RegularGeneratorMultiple(i int) (a, b int) {
	v := 0
	for v < GeneratorWidth-1 && i >= RegularGeneratorRow(v+1) {
		v++
	}
	i -= RegularGeneratorRow(v)
	row := 1 << (GeneratorWidth - v - 1)
	a, b = 2*(i/row)+1, 2*(i%row)
	if b >= row {
		b -= 2 * row
	}
	return a << v, b << v
}
