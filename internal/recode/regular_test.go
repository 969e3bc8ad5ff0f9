package recode

import (
	"math"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// regularForm describes the digits at regular places, for points or for G.
type regularForm struct {
	generator bool
	width     int
	top       uint // the place of the last digit
	table     []integer
}

func regularForms() [2]regularForm {
	point, generator := regularForm{width: PointWidth, top: 126}, regularForm{generator: true, width: GeneratorWidth, top: 126}
	for i := range RegularPointEntries {
		a, b := RegularPointMultiple(i)
		point.table = append(point.table, integer{int64(a), int64(b)})
	}
	for i := range RegularGeneratorEntries {
		a, b := RegularGeneratorMultiple(i)
		generator.table = append(generator.table, integer{int64(a), int64(b)})
	}
	return [2]regularForm{point, generator}
}

// value returns the value of d, computed from its entry of the table.
func (f *regularForm) value(d *RegularDigit) integer {
	if d.IsZero() {
		return integer{}
	}
	z := f.table[d.Entry]
	for range d.Power {
		z = z.timesLambda()
	}
	if d.Minus {
		z = integer{-z.a, -z.b}
	}
	return z
}

// digits returns the digits of k1 + k2·λ, and whether their sum is k1 + k2·λ.
func (f *regularForm) digits(k1, k2 scalar.Signed128) (digits []RegularDigit, fits bool) {
	if f.generator {
		var d [RegularGeneratorDigits]RegularDigit
		fits = RegularGeneratorVartime(&d, k1, k2)
		return d[:], fits
	}
	var d [RegularPointDigits]RegularDigit
	fits = RegularPointVartime(&d, k1, k2)
	return d[:], fits
}

// sum returns a and b with a + b·λ = Σ digit·2ᵖˡᵃᶜᵉ.
func (f *regularForm) sum(digits []RegularDigit) (a, b *big.Int) {
	a, b = new(big.Int), new(big.Int)
	for i := range digits {
		v, place := f.value(&digits[i]), uint(i*f.width)
		if i == len(digits)-1 {
			place = f.top
		}
		a.Add(a, new(big.Int).Lsh(big.NewInt(v.a), place))
		b.Add(b, new(big.Int).Lsh(big.NewInt(v.b), place))
	}
	return a, b
}

// TestRegularClasses checks S14: each class has one digit, whose value is in the class and is a unit times an entry of
// the table. Each entry serves six digits, except the entry 2ʷ⁻¹, which serves three.
func TestRegularClasses(t *testing.T) {
	for _, f := range regularForms() {
		m := int64(1) << f.width
		uses := make([]int, len(f.table))
		for x := range m {
			for y := range m {
				// The bits above the lowest w of x and y must be ignored.
				d := regularDigit(x-3*m, y+5*m, f.generator)
				v := integer{int64(d.A), int64(d.B)}
				if (v.a-x)%m != 0 || (v.b-y)%m != 0 || v != f.value(&d) || d.IsZero() != (x|y == 0) {
					t.Fatalf("width %d: the digit of %d + %d·λ is %v, in the table %v", f.width, x, y, v, f.value(&d))
				}
				if !d.IsZero() {
					uses[d.Entry]++
				}
				if f.generator && (x|y)&1 != 0 {
					var odd Digit
					if a, b := odd.setGenerator(uint64(x), uint64(y)); a != v.a || b != v.b || odd.Entry != d.Entry {
						t.Fatalf("the digit of %d + %d·λ is %v, but setGenerator finds %d + %d·λ", x, y, v, a, b)
					}
				}
			}
		}
		threes := 0
		for i, n := range uses {
			if n == 3 && f.table[i].norm() == m*m/4 {
				threes++
			} else if n != 6 {
				t.Errorf("width %d: entry %d serves %d digits", f.width, i, n)
			}
		}
		if threes != 1 {
			t.Errorf("width %d: %d entries serve three digits", f.width, threes)
		}
	}
	if RegularPointEntries != 11 || RegularGeneratorEntries != 10923 {
		t.Errorf("%d and %d entries", RegularPointEntries, RegularGeneratorEntries)
	}
	for i := range GeneratorEntries {
		a, b := GeneratorMultiple(i)
		if c, d := RegularGeneratorMultiple(i); a != c || b != d {
			t.Fatalf("entry %d is %d + %d·λ and %d + %d·λ", i, a, b, c, d)
		}
	}
}

// TestRegularHexagon checks the norms of digits, and that numbers of small norm are digits (S15). It also checks that
// the remainder at the last place has a norm small enough for a digit (S16, S17).
func TestRegularHexagon(t *testing.T) {
	var norms [2]int64
	for i, f := range regularForms() {
		m := int64(1) << f.width
		for x := range m {
			for y := range m {
				d := regularDigit(x, y, f.generator)
				norms[i] = max(norms[i], integer{int64(d.A), int64(d.B)}.norm())
			}
		}
	}
	if norms != [2]int64{19, 48769} {
		t.Errorf("digits have norms up to %d", norms)
	}
	for a := int64(-9); a <= 9; a++ {
		for b := int64(-9); b <= 9; b++ {
			z := integer{a, b}
			d := regularDigit(a, b, false)
			same, opposite := d.A == int16(a) && d.B == int16(b), d.A == int16(-a) && d.B == int16(-b)
			if z.norm() <= 16 && !same && !(opposite && z.norm() == 16) {
				t.Errorf("%v is not a digit of a point: the digit of its class is %d + %d·λ", z, d.A, d.B)
			}
			d = regularDigit(4*a, 4*b, true)
			if z.norm() <= 6 && (d.A != int16(4*a) || d.B != int16(4*b)) {
				t.Errorf("4·%v is not a digit of G: the digit of its class is %d + %d·λ", z, d.A, d.B)
			}
		}
	}
	// left bounds the absolute value of the number that remains at the last place.
	if left := 0.867*4 + math.Sqrt(19)/7; left*left >= 17 {
		t.Errorf("up to %v is left of a scalar after the digits of a point", left)
	}
	if left := math.Sqrt(3) + math.Sqrt(48769)/255; left*left >= 7 {
		t.Errorf("up to %v is left of a scalar after the digits of G", left)
	}
}

// halvesEdges returns integers of at most 128 bits whose recoding carries through many digits, and their negatives.
func halvesEdges() (values []*big.Int) {
	add := func(x *big.Int) {
		if x.BitLen() <= 128 {
			values = append(values, x, new(big.Int).Neg(x))
		}
	}
	for i := range uint(129) {
		for d := int64(-3); d <= 3; d++ {
			add(new(big.Int).Add(pow2(i), big.NewInt(d)))
		}
		for j := range i { // runs of ones
			add(new(big.Int).Sub(pow2(i), pow2(j)))
		}
	}
	fours := new(big.Int)
	for i := uint(0); i < 126; i += 3 {
		add(fours.Add(fours, pow2(i+2)))
		fours = new(big.Int).Set(fours)
	}
	return values
}

// TestRegularSum checks that the functions report correctly whether the digits sum to the number. The digits must sum
// to it for the halves of every scalar (S16), and for G also for all other halves of 128 bits (S17).
func TestRegularSum(t *testing.T) {
	forms := regularForms()
	check := func(h1, h2 scalar.Signed128, isSplit bool) (fits bool) {
		t.Helper()
		fits = true
		for i := range forms {
			f := &forms[i]
			digits, fit := f.digits(h1, h2)
			a, b := f.sum(digits)
			if (a.Cmp(integerOf(h1)) == 0 && b.Cmp(integerOf(h2)) == 0) != fit {
				t.Fatalf("width %d: %x, %x sums to %x, %x, fits: %t", f.width, integerOf(h1), integerOf(h2), a, b, fit)
			}
			if !fit && (isSplit || f.generator) {
				t.Fatalf("width %d: %x, %x does not fit", f.width, integerOf(h1), integerOf(h2))
			}
			fits = fits && fit
		}
		return fits
	}
	r := oracle.New(t)
	scalars := func(k *big.Int) {
		t.Helper()
		s := scalarOf(k)
		h1, h2 := s.Split()
		check(h1, h2, true)
	}
	for _, edges := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
		for _, b := range edges {
			scalars(oracle.Int(b[:]))
		}
	}
	for range oracle.Cases(20000) {
		scalars(r.Scalar())
	}
	values := halvesEdges()
	empty := 0
	for i, x := range values {
		for _, y := range []*big.Int{values[r.IntN(len(values))], values[len(values)-1-i], new(big.Int)} {
			if !check(signed128(x), signed128(y), false) {
				empty++
			}
			check(signed128(y), signed128(x), false)
		}
	}
	if empty == 0 {
		t.Error("every pair of halves below 2¹²⁸ fits the digits of a point, so no mask is needed")
	}
}

// TestRegularTop checks the digits of (2¹²⁸ − 1) times each of the six units. The last digit must be 4 times the unit,
// not its negative, which is in the same class (S15).
func TestRegularTop(t *testing.T) {
	f := regularForms()[0]
	one := new(big.Int).Sub(pow2(128), big.NewInt(1))
	unit := integer{1, 0}
	for range 3 {
		for _, sign := range []int64{1, -1} {
			x, y := new(big.Int).Mul(one, big.NewInt(sign*unit.a)), new(big.Int).Mul(one, big.NewInt(sign*unit.b))
			digits, fits := f.digits(signed128(x), signed128(y))
			a, b := f.sum(digits)
			top := f.value(&digits[len(digits)-1])
			if want := (integer{4 * sign * unit.a, 4 * sign * unit.b}); !fits || top != want || a.Cmp(x) != 0 || b.Cmp(y) != 0 {
				t.Fatalf("%x, %x sums to %x, %x, with %v at last, want %v; fits: %t", x, y, a, b, top, want, fits)
			}
		}
		unit = unit.timesLambda()
	}
}

// TestRegularWalk checks that each entry of the table is the previous entry plus a unit times the point, and that this
// addition never meets equal or opposite points (S18).
func TestRegularWalk(t *testing.T) {
	f := regularForms()[0]
	for i := 1; i < RegularPointEntries; i++ {
		unit := integer{f.table[i].a - f.table[i-1].a, f.table[i].b - f.table[i-1].b}
		difference := integer{f.table[i-1].a - unit.a, f.table[i-1].b - unit.b}
		if unit.norm() != 1 {
			t.Errorf("step %d is %v", i, unit)
		}
		for _, z := range []integer{f.table[i], difference} {
			if norm := z.norm(); norm == 0 || norm > 28 {
				t.Errorf("entry %d: the norm of %v is %d", i, z, norm)
			}
		}
	}
}
