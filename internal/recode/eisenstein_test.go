package recode

import (
	"math"
	"math/big"
	"math/cmplx"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// integer is a + b·λ.
type integer struct{ a, b int64 }

// timesLambda returns z·λ, where λ² = −1 − λ.
func (z integer) timesLambda() integer { return integer{-z.b, z.a - z.b} }

func (z integer) norm() int64 { return z.a*z.a - z.a*z.b + z.b*z.b }

// hexagon returns 2·‖z‖, twice the largest ⟨z, u⟩ over the six units u (docs/digits.md).
func (z integer) hexagon() int64 {
	abs := func(x int64) int64 { return max(x, -x) }
	return max(abs(2*z.a-z.b), abs(z.a+z.b), abs(z.a-2*z.b))
}

// form describes the digits for points, or the digits for G.
type form struct {
	generator bool
	width     int
	table     []integer
}

func forms() []form {
	pointOnce.Do(buildPointClasses)
	point := form{false, PointWidth, nil}
	for i := range PointEntries {
		a, b := PointMultiple(i)
		point.table = append(point.table, integer{int64(a), int64(b)})
	}
	generator := form{true, GeneratorWidth, nil}
	for i := range GeneratorEntries {
		a, b := GeneratorMultiple(i)
		generator.table = append(generator.table, integer{int64(a), int64(b)})
	}
	return []form{point, generator}
}

// digit returns the digit of the form for the class of x + y·λ, and its value.
func (f *form) digit(x, y uint64) (d Digit, v integer) {
	if f.generator {
		v.a, v.b = d.setGenerator(x, y)
		return d, v
	}
	c := &pointClasses[x%(1<<PointWidth)][y%(1<<PointWidth)]
	return c.Digit, integer{int64(c.a), int64(c.b)}
}

// value returns the value of d, computed from its entry of the table.
func (f *form) value(d *Digit) integer {
	z := f.table[d.Entry]
	for range d.Power {
		z = z.timesLambda()
	}
	if d.Sign != 0 {
		z = integer{-z.a, -z.b}
	}
	return z
}

// all returns the values of all digits of the form.
func (f *form) all() (all []integer) {
	for i := range f.table {
		for power := range uint8(3) {
			for sign := range uint64(2) {
				all = append(all, f.value(&Digit{Entry: uint16(i), Power: power, Sign: -sign}))
			}
		}
	}
	return all
}

// TestModulo2 checks that a number that 2 does not divide is congruent to a power of λ modulo 2 (S1). S1 to S9 are
// statements of docs/digits.md.
func TestModulo2(t *testing.T) {
	for x := int64(-4); x <= 4; x++ {
		for y := int64(-4); y <= 4; y++ {
			if x%2 == 0 && y%2 == 0 {
				continue
			}
			unit := integer{1, 0}
			for range powerModulo2(uint64(x), uint64(y)) {
				unit = unit.timesLambda()
			}
			if (x-unit.a)%2 != 0 || (y-unit.b)%2 != 0 {
				t.Errorf("%d + %d·λ is not congruent to %v", x, y, unit)
			}
		}
	}
}

// TestClasses checks S2: every class that 2 does not divide has one digit, whose value is in the class and is a unit
// times an entry of the table.
func TestClasses(t *testing.T) {
	for _, f := range forms() {
		m := int64(1) << f.width
		if len(f.table) != 1<<(2*f.width-3) {
			t.Fatalf("width %d: %d entries", f.width, len(f.table))
		}
		digits := make(map[integer]bool)
		for x := range uint64(m) {
			for y := range uint64(m) {
				if x%2 == 0 && y%2 == 0 {
					continue
				}
				d, v := f.digit(x-uint64(m), y+5*uint64(m))
				if (v.a-int64(x))%m != 0 || (v.b-int64(y))%m != 0 || v != f.value(&d) {
					t.Fatalf("width %d: the digit of %d + %d·λ is %v, but by the table %v", f.width, x, y, v, f.value(&d))
				}
				digits[v] = true
			}
		}
		all := f.all()
		for _, v := range all {
			if !digits[v] {
				t.Fatalf("width %d: no class has the digit %v", f.width, v)
			}
		}
		if want := 3 << (2*f.width - 2); len(digits) != want || len(all) != want {
			t.Errorf("width %d: %d digits, want %d", f.width, len(digits), want)
		}
	}
}

// TestForm checks S3: digits are numbers that 2 does not divide, are at least the width apart, and sum to the number
// that they represent.
func TestForm(t *testing.T) {
	var values []*big.Int
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
	r := oracle.New(t)
	for range oracle.Cases(2000) {
		l := r.Limbs()
		add(oracle.FromLimbs([4]uint64{l[0], l[1]}))
	}
	all := forms()
	check := func(x, y *big.Int) {
		t.Helper()
		for _, f := range all {
			var d Digits
			d.setVartime(signed128(x), signed128(y), f.generator)
			a, b, next := new(big.Int), new(big.Int), 0
			var places, want [3]uint64
			for i := range d.Digit[:d.N] {
				v, place := f.value(&d.Digit[i]), int(d.Digit[i].At)
				if place < next || place > MaxPlace || (v.a%2 == 0 && v.b%2 == 0) {
					t.Fatalf("width %d of %x, %x: digit %v at %d", f.width, x, y, v, place)
				}
				next = place + f.width
				want[place/64] |= 1 << (place % 64)
				a.Add(a, new(big.Int).Lsh(big.NewInt(v.a), uint(place)))
				b.Add(b, new(big.Int).Lsh(big.NewInt(v.b), uint(place)))
			}
			d.Mark(&places)
			if a.Cmp(x) != 0 || b.Cmp(y) != 0 || places != want {
				t.Fatalf("width %d of %x, %x: sums %x, %x, places %x, want %x", f.width, x, y, a, b, places, want)
			}
		}
	}
	for i, x := range values {
		check(x, values[r.IntN(len(values))])
		check(x, values[len(values)-1-i])
		check(x, new(big.Int))
		check(new(big.Int), x)
	}
}

// TestHexagon checks the bounds ‖z‖ ≤ |z| and ‖z‖ ≥ 1 (S5), the largest digits (S4), and the bound on their places
// (S7).
func TestHexagon(t *testing.T) {
	for a := int64(-200); a <= 200; a++ {
		for b := int64(-200); b <= 200; b++ {
			z := integer{a, b}
			if h := z.hexagon(); ((a != 0 || b != 0) && h < 2) || h*h > 4*z.norm() {
				t.Fatalf("‖%v‖ = %d/2", z, h)
			}
		}
	}
	for i, want := range []struct{ hexagon, norm int64 }{{9, 21}, {383, 48769}} {
		f := forms()[i]
		var got struct{ hexagon, norm int64 }
		for _, v := range f.all() {
			got.hexagon, got.norm = max(got.hexagon, v.hexagon()), max(got.norm, v.norm())
		}
		if got != want {
			t.Errorf("width %d: digits up to %v, want %v", f.width, got, want)
		}
		// A digit at place i needs ‖z‖ ≥ 2ⁱ·(1 − h/(2ʷ − 1)).
		needs := func(place int) float64 {
			return math.Ldexp(1-float64(got.hexagon)/2/float64(int(1)<<f.width-1), place-128)
		}
		if needs(130) < 0.867 || needs(MaxPlace+1) < math.Sqrt(3) {
			t.Errorf("width %d: a digit at 130 needs %v, at %d %v", f.width, needs(130), MaxPlace+1, needs(MaxPlace+1))
		}
	}
}

// TestSplitNorm checks S6: |k1 + k2·λ| < 0.867·2¹²⁸.
func TestSplitNorm(t *testing.T) {
	r := oracle.New(t)
	largest := new(big.Int)
	check := func(k *big.Int) {
		s := scalarOf(k)
		h1, h2 := s.Split()
		a, b := integerOf(h1), integerOf(h2)
		norm := new(big.Int).Mul(a, a)
		norm.Add(norm, new(big.Int).Mul(b, new(big.Int).Sub(b, a)))
		if norm.Cmp(largest) > 0 {
			largest = norm
		}
	}
	for _, b := range oracle.LambdaSplitEdges() {
		check(oracle.Int(b[:]))
	}
	for range oracle.Cases(20000) {
		check(r.Scalar())
	}
	bound := func(thousandths int64) *big.Int {
		x := big.NewInt(thousandths * thousandths)
		return x.Lsh(x, 256).Quo(x, big.NewInt(1e6))
	}
	if largest.Cmp(bound(867)) >= 0 || largest.Cmp(bound(866)) < 0 {
		t.Errorf("the largest norm is %x", largest)
	}
}

// TestDense checks S7 with numbers that have as many digits as possible: a unit at the highest place, some digits that
// bring the sum back below 2¹²⁸, and then random digits.
func TestDense(t *testing.T) {
	r := oracle.New(t)
	lambda := complex(-0.5, math.Sqrt(3)/2)
	for i, c := range []struct{ top, most int }{{129, 44}, {128, 17}} {
		f := forms()[i]
		all := f.all()
		most := 0
		for range 200 {
			x, y := new(big.Int), new(big.Int)
			var sum complex128
			for i, shift := 0, c.top; shift >= 0; i, shift = i+1, shift-f.width {
				v := all[r.IntN(len(all))]
				scale := complex(math.Ldexp(1, shift-c.top), 0)
				if i == 0 {
					v = integer{1, 0}
				} else if i < 4 {
					best := math.Inf(1)
					for _, e := range all[:min(len(all), 3000)] {
						z := sum + scale*(complex(float64(e.a), 0)+complex(float64(e.b), 0)*lambda)
						if l := cmplx.Abs(z); l < best {
							best, v = l, e
						}
					}
				}
				sum += scale * (complex(float64(v.a), 0) + complex(float64(v.b), 0)*lambda)
				x.Add(x, new(big.Int).Lsh(big.NewInt(v.a), uint(shift)))
				y.Add(y, new(big.Int).Lsh(big.NewInt(v.b), uint(shift)))
			}
			if x.BitLen() > 128 || y.BitLen() > 128 {
				continue
			}
			var d Digits
			d.setVartime(signed128(x), signed128(y), f.generator)
			most = max(most, d.N)
		}
		if most != c.most || MaxPointDigits != 44 || MaxGeneratorDigits != 17 {
			t.Errorf("width %d: up to %d digits, want %d", f.width, most, c.most)
		}
	}
}

// TestDensity checks the average number of digits of a scalar (S8), and that no digit is at a place above 129 (S7).
func TestDensity(t *testing.T) {
	r := oracle.NewSeeded("density")
	const n = 4000
	var digits [2]int
	for range n {
		k := scalarOf(oracle.Int(r.Bytes(32))) // r.Scalar prefers edges
		for i := range digits {
			var d Digits
			if i == 0 {
				d.SetPointVartime(&k)
			} else {
				d.SetGeneratorVartime(&k)
			}
			digits[i] += d.N
			if d.N > 0 && d.Digit[d.N-1].At > 129 {
				t.Fatalf("%x has a digit at %d", k.Limbs(), d.Digit[d.N-1].At)
			}
		}
	}
	// With one digit every w + 1/3 places (S8), there would be 38.4 and 15.4 digits in 128 places. The measured
	// averages are slightly larger.
	for i, want := range []float64{38.7, 15.8} {
		if got := float64(digits[i]) / n; math.Abs(got-want) > 0.25 {
			t.Errorf("%v digits on average, want %v", got, want)
		}
	}
	t.Logf("digits on average: %v of a point, %v of G", float64(digits[0])/n, float64(digits[1])/n)
}

// TestWalk checks that each entry of the table of a point is the previous entry plus a unit times the point, and that
// this addition never meets equal or opposite points (S9).
func TestWalk(t *testing.T) {
	units := map[uint8]integer{1: {0, -1}, 2: {1, 1}}
	for i := 1; i < PointEntries; i++ {
		table := forms()[0].table
		unit := units[PointSteps[i]]
		before, sum := table[i-1], integer{table[i-1].a + unit.a, table[i-1].b + unit.b}
		difference := integer{before.a - unit.a, before.b - unit.b}
		if sum != table[i] {
			t.Errorf("entry %d is %v, want %v", i, table[i], sum)
		}
		for _, z := range []integer{sum, difference} {
			if norm := z.norm(); norm == 0 || norm > 21 {
				t.Errorf("entry %d: the norm of %v is %d", i, z, norm)
			}
		}
	}
}

// signed128 returns x, of at most 128 bits, as a Signed128.
func signed128(x *big.Int) scalar.Signed128 {
	l := oracle.Limbs(new(big.Int).Abs(x))
	return scalar.Signed128{Lo: l[0], Hi: l[1], Neg: uint64(int64(x.Sign()) >> 1)}
}

func integerOf(h scalar.Signed128) *big.Int {
	x := oracle.FromLimbs([4]uint64{h.Lo, h.Hi})
	if h.Neg != 0 {
		x.Neg(x)
	}
	return x
}
