package recode

import (
	"math/bits"
	"sync"

	"p256k1.mleku.dev/v2/internal/scalar"
)

// Digits at regular places, every width bits, for scalars that are written side by
// side: the places do not depend on the scalar. Every class modulo 2ʷ has a digit,
// and that of class 0 is 0 (S14).
const (
	// RegularPointEntries is how many multiples a table of a point holds, and
	// RegularPointDigits how many digits a scalar has: at places 0, 3, … 126 (S16).
	RegularPointEntries = (2<<(2*PointWidth-2) + 1) / 3
	RegularPointDigits  = 43

	// RegularGeneratorEntries is how many the table of G holds: first those for
	// GeneratorEntries odd classes, then those for even ones. The digits are at places 0, 8,
	// … 120, and the last, a multiple of 4, at 126 (S17).
	RegularGeneratorEntries = (2<<(2*GeneratorWidth-2) + 1) / 3
	RegularGeneratorDigits  = 17
)

// RegularTop is the place of the last digit, of points and of G.
const RegularTop = PointWidth * (RegularPointDigits - 1) // 126

// generatorTopBits is where the bits for the last digit of G begin. The digit is 4 times what
// they are, since its place is two bits below.
const generatorTopBits = GeneratorWidth * (RegularGeneratorDigits - 1) // 128

// RegularDigit is A + B·λ: ±λ to a power times the multiple in an entry of a table, or 0.
type RegularDigit struct {
	A, B  int16
	Entry uint16
	Power uint8
	Minus bool
}

// IsZero reports whether d is 0, for which there is no entry.
func (d *RegularDigit) IsZero() bool { return d.A|d.B == 0 }

// negate sets d = −d.
func (d *RegularDigit) negate() {
	d.A, d.B, d.Minus = -d.A, -d.B, !d.Minus
}

// RegularPointVartime sets the digits to k1 + k2·λ for the table of a point, and
// reports whether that is possible. It is for all halves of a scalar.
func RegularPointVartime(digits *[RegularPointDigits]RegularDigit, k1, k2 scalar.Signed128) (fits bool) {
	return regularVartime(digits[:], k1, k2, false)
}

// RegularGeneratorVartime is RegularPointVartime for the table of G. The last digit is 4 times
// what counts at its place.
func RegularGeneratorVartime(digits *[RegularGeneratorDigits]RegularDigit, k1, k2 scalar.Signed128) (fits bool) {
	return regularVartime(digits[:], k1, k2, true)
}

func regularVartime(digits []RegularDigit, k1, k2 scalar.Signed128, generator bool) (fits bool) {
	width, top := PointWidth, RegularTop
	if generator {
		width, top = GeneratorWidth, generatorTopBits
	}
	var a, b [3]uint64
	a[0], a[1], a[2] = k1.Limbs()
	b[0], b[1], b[2] = k2.Limbs()
	var x, y int64 // what the digits before leave
	for i := 0; i*width < top; i++ {
		x += bitsAt(&a, i*width) & (1<<width - 1)
		y += bitsAt(&b, i*width) & (1<<width - 1)
		d := &digits[i]
		*d = regularDigit(x, y, generator)
		x, y = (x-int64(d.A))>>width, (y-int64(d.B))>>width
	}
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
		d.negate() // 4 times a unit, of which its class holds both signs (S15)
		return true
	}
	return false
}

// bitsAt returns the bits of k, in two's complement, from one on: 64 of them, or what there is.
func bitsAt(k *[3]uint64, at int) int64 {
	i, shift := at/64, at%64
	if i == 2 {
		return int64(k[2]) >> shift
	}
	return int64(k[i]>>shift | k[i+1]<<(64-shift))
}

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

// RegularStep is a unit: λ to the power, or minus that.
type RegularStep struct {
	Power uint8
	Minus bool
}

// RegularSteps is the walk through the multiples that the table of a point holds: entry 0 is
// the point, and entry i is entry i − 1 plus unit i times the point (S18).
var RegularSteps = [RegularPointEntries]RegularStep{
	{}, {1, true}, {1, true}, {1, true}, {0, false}, {1, false}, {1, false}, {1, false}, {0, false}, {0, false}, {2, false},
}

// RegularPointMultiple returns the a + b·λ that entry i of the table of a point stands for.
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

// regularClasses has the digit for every class modulo 8, of points.
var (
	regularClasses [1 << PointWidth][1 << PointWidth]RegularDigit
	regularOnce    sync.Once
)

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

// RegularGeneratorClass returns the digit for the class of x + y·λ modulo 256: 2ᵛ times
// the one of width 8 − v for the class of (x + y·λ)/2ᵛ, as in setGenerator.
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
	a := [4]uint64{x, y - x, -y}[power&3] // (x + y·λ)/λᵖᵒʷᵉʳ
	b := [4]uint64{y, -x, x - y}[power&3]
	minus := -(a >> (width - 1) & 1)
	a, b = (a^minus-minus)&mask, (b^minus-minus)&mask
	d.Entry = uint16(RegularGeneratorRow(v)) + uint16(a>>1<<(width-1)|b>>1)
	d.Power = uint8(power)

	u, w := int16(a), int16(b)
	if b>>(width-1) != 0 {
		w -= 1 << width
	}
	for range power {
		u, w = -w, u-w
	}
	d.A, d.B = u<<v, w<<v
	if minus != 0 {
		d.negate()
	}
	return d
}

// RegularGeneratorRow returns where the multiples by 2ᵛ of numbers that 2 does not divide begin
// in the table of G. From there on the table is one of width 8 − v.
func RegularGeneratorRow(v int) int {
	return RegularGeneratorEntries - (1<<(2*(GeneratorWidth-v))/2+1)/3
}

// RegularGeneratorMultiple returns the a + b·λ that entry i of the table of G stands for:
// for i < GeneratorEntries that is GeneratorMultiple.
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
