package ecmult

import (
	"maps"
	"math"
	"math/big"
	"math/cmplx"
	"testing"

	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/oracle"
	"p256k1.mleku.dev/internal/scalar"
)

func TestOffsets(t *testing.T) {
	base := new(big.Int).Sub(pow2(baseWidth*baseWindows), one)
	const m = variableWidth * variableWindows
	variable := new(big.Int).Sub(pow2(m), pow2(m-1))
	variable.Sub(variable, one).Mul(variable, new(big.Int).Add(one, oracle.Lambda))
	for name, c := range map[string]struct {
		got  scalar.Scalar
		want *big.Int
	}{"baseOffset": {baseOffset, base}, "variableOffset": {variableOffset, variable}} {
		if c.got != scalarOf(c.want) {
			t.Errorf("%s is %x, want %x", name, c.got.Limbs(), fn.Reduce(c.want))
		}
	}
}

// signedDigits takes the w·n bits of v in windows of w and in each of them a bit as ±1 instead of 1 and 0.
func signedDigits(v *big.Int, w uint, n int) []*big.Int {
	digits := make([]*big.Int, n)
	for i := range digits {
		b := new(big.Int).Rsh(v, w*uint(i))
		b.And(b, new(big.Int).Sub(pow2(w), one))
		digits[i] = b.Lsh(b, 1).Sub(b, new(big.Int).Sub(pow2(w), one))
	}
	return digits
}

// resum returns Σ digits[i]·2ʷⁱ from the digit at first on.
func resum(digits []*big.Int, w uint, first int) *big.Int {
	sum := new(big.Int)
	for i := len(digits) - 1; i >= 0; i-- {
		if sum.Lsh(sum, w); i >= first {
			sum.Add(sum, digits[i])
		}
	}
	return sum
}

// baseDigits recodes k as Base does.
func baseDigits(k *big.Int) []*big.Int {
	d := fn.Add(k, new(big.Int).Sub(pow2(baseWidth*baseWindows), one))
	return signedDigits(fn.Mul(d, fn.Inv(big.NewInt(2))), baseWidth, baseWindows)
}

// TestBaseExceptions finds the scalars for which the last addition of Base meets equal or opposite points. If the sum of the
// windows before is ±D·2²⁵² mod n, for the last window's digit D, then k is 2·D·2²⁵² or 0.
func TestBaseExceptions(t *testing.T) {
	const last = baseWindows - 1
	top := pow2(baseWidth * last)
	if top.Cmp(oracle.N) >= 0 { // so that no addition before is exceptional
		t.Error("the sums before the last window exceed n")
	}
	candidates := []*big.Int{new(big.Int)}
	for digit := int64(1 - 1<<baseWidth); digit < 1<<baseWidth; digit += 2 {
		candidates = append(candidates, fn.Mul(big.NewInt(2*digit), top))
	}
	equal, opposite := 0, 0
	for _, k := range candidates {
		digits := baseDigits(k)
		if fn.Sub(resum(digits, baseWidth, 0), k).Sign() != 0 {
			t.Fatalf("the digits of %x are %v", k, digits)
		}
		added := new(big.Int).Mul(digits[last], top)
		before := resum(digits[:last], baseWidth, 0)
		if fn.Sub(before, added).Sign() == 0 {
			equal++
			t.Logf("%x·G is a doubling of %d·2²⁵²·G", k, digits[last])
		}
		if fn.Add(before, added).Sign() == 0 {
			opposite++
			t.Logf("%x·G subtracts %d·2²⁵²·G from itself", k, digits[last])
		}
		var v group.Jacobian
		s := scalarOf(k)
		if Base(&v, &s); !point(&v).Equal(oracle.G.Mul(k)) {
			t.Errorf("%x·G = %x", k, point(&v))
		}
	}
	if equal != 1 || opposite != 1 {
		t.Errorf("%d doublings and %d differences, want one each", equal, opposite)
	}
}

// variableDigits recodes k as Variable does.
func variableDigits(k *big.Int) (d1, d2 []*big.Int) {
	const m = variableWidth * variableWindows
	offset := new(big.Int).Sub(pow2(m-1), one)
	s := fn.Add(k, new(big.Int).Mul(offset, new(big.Int).Add(one, oracle.Lambda)))
	half := scalarOf(fn.Mul(s, fn.Inv(big.NewInt(2))))
	recode := func(h scalar.Half) []*big.Int {
		v := oracle.FromLimbs([4]uint64{h.Lo, h.Hi})
		if h.Neg != 0 {
			v.Neg(v)
		}
		return signedDigits(v.Add(v, pow2(m-2)), variableWidth, variableWindows)
	}
	s1, s2 := half.Split()
	return recode(s1), recode(s2)
}

// TestVariableExceptions finds the scalars for which an addition in the last window of Variable meets equal or opposite points.
// If the sum before is ±d1 for the digit d1, then k is 2·d1 + d2·λ or d2·λ; if the next is ±d2·λ, then k is 2·d2·λ or 0. That
// earlier windows have none follows from the lattice, whose vectors are long.
func TestVariableExceptions(t *testing.T) {
	dot := func(x, y, u, v *big.Int) *big.Int {
		return new(big.Int).Add(new(big.Int).Mul(x, u), new(big.Int).Mul(y, v))
	}
	a, b := dot(oracle.A1, oracle.B1, oracle.A1, oracle.B1), dot(oracle.A2, oracle.B2, oracle.A2, oracle.B2)
	if ab := dot(oracle.A1, oracle.B1, oracle.A2, oracle.B2); ab.Lsh(ab, 1).CmpAbs(a) > 0 || a.Cmp(b) > 0 {
		t.Error("the basis of the lattice is not reduced, and its first vector not the shortest of all")
	}
	if a.Cmp(pow2(2*126+1)) <= 0 {
		t.Error("there is a vector with coefficients below 2¹²⁶")
	}

	r := oracle.New(t)
	p := r.Point()
	// The multiples m·p and m·λ·p for |m| ≤ size, at m + size.
	const size = 2 << variableWidth
	var multiples [2][2*size + 1]group.Jacobian
	for i, q := range []oracle.Point{p, p.Endo()} {
		a := jacobian(r, q)
		for m := 1; m <= size; m++ {
			multiples[i][size+m].AddVartime(&multiples[i][size+m-1], &a)
			multiples[i][size-m].Negate(&multiples[i][size+m])
		}
	}
	exceptions := make(map[string]int)
	check := func(m1, m2 int64) {
		lambda := func(x *big.Int) *big.Int { return fn.Mul(x, oracle.Lambda) }
		k := fn.Add(big.NewInt(m1), lambda(big.NewInt(m2)))
		d1, d2 := variableDigits(k)
		sum := fn.Add(resum(d1, variableWidth, 1), lambda(resum(d2, variableWidth, 1)))
		for i, added := range []*big.Int{d1[0], lambda(d2[0])} {
			if fn.Sub(sum, added).Sign() == 0 {
				exceptions[[]string{"first equal", "second equal"}[i]]++
			}
			if sum = fn.Add(sum, added); sum.Sign() == 0 {
				exceptions[[]string{"first opposite", "second opposite"}[i]]++
			}
		}
		if sum.Cmp(k) != 0 {
			t.Fatalf("the digits of %x are %v and %v", k, d1, d2)
		}
		var v, want group.Jacobian
		s, a := scalarOf(k), jacobian(r, p)
		Variable(&v, &s, &a)
		if want.AddVartime(&multiples[0][size+m1], &multiples[1][size+m2]); v.Equal(&want) == 0 {
			t.Errorf("(%d + %d·λ)·%x = %x, want %x", m1, m2, p, point(&v), point(&want))
		}
	}
	const most = 1<<variableWidth - 1
	check(0, 0)
	for d2 := int64(-most); d2 <= most; d2 += 2 {
		check(0, d2)
		check(0, 2*d2)
		for d1 := int64(-most); d1 <= most; d1 += 2 {
			check(2*d1, d2)
		}
	}
	// The first addition never is exceptional, and the second for two scalars, one of them 0.
	if want := map[string]int{"second equal": 1, "second opposite": 1}; !maps.Equal(exceptions, want) {
		t.Errorf("exceptions: %v, want %v", exceptions, want)
	}
}

// eisenstein is a + b·λ.
type eisenstein struct{ a, b int64 }

// timesLambda multiplies by λ, of which the square is −1 − λ.
func (e eisenstein) timesLambda() eisenstein { return eisenstein{-e.b, e.a - e.b} }

func (e eisenstein) norm() int64 { return e.a*e.a - e.a*e.b + e.b*e.b }

// value is the digit d, given what is in the table.
func (d *digit) value(table []eisenstein) eisenstein {
	e := table[d.entry]
	for range d.power {
		e = e.timesLambda()
	}
	if d.sign != 0 {
		e = eisenstein{-e.a, -e.b}
	}
	return e
}

// generatorMultiples is what the entries of generatorTable are multiples by.
func generatorMultiples() (all []eisenstein) {
	const m = int64(1) << generatorWidth
	for a := int64(1); a < m/2; a += 2 {
		for b := int64(0); b < m; b += 2 {
			if b < m/2 {
				all = append(all, eisenstein{a, b})
			} else {
				all = append(all, eisenstein{a, b - m})
			}
		}
	}
	return all
}

func pointTable() (all []eisenstein) {
	for _, m := range pointMultiples[:pointEntries] {
		all = append(all, eisenstein{int64(m.a), int64(m.b)})
	}
	return all
}

// halfOf returns x as sign and magnitude.
func halfOf(x *big.Int) scalar.Half {
	l := oracle.Limbs(new(big.Int).Abs(x))
	return scalar.Half{Lo: l[0], Hi: l[1], Neg: uint64(int64(x.Sign()) >> 1)}
}

// TestDigit checks the digits of all classes: they are of their class, small, and what the tables have.
func TestDigit(t *testing.T) {
	vartimeOnce.Do(buildVartimeTables)
	check := func(a, b uint64, width uint, got, table eisenstein) {
		t.Helper()
		m := int64(1) << width
		if (got.a-int64(a))%m != 0 || (got.b-int64(b))%m != 0 || got != table {
			t.Fatalf("width %d: the digit of %d + %d·λ is %v, in the table %v", width, a, b, got, table)
		}
		if 4*got.norm() > 3*m*m {
			t.Fatalf("width %d: the digit of %d + %d·λ is %v, above √3/2·2ʷ", width, a, b, got)
		}
	}
	multiples := generatorMultiples()
	if len(generatorTable) != len(multiples) {
		t.Fatalf("%d entries, want %d", len(generatorTable), len(multiples))
	}
	for a := range uint64(1 << generatorWidth) {
		for b := range uint64(1 << generatorWidth) {
			if a%2 == 0 && b%2 == 0 {
				continue
			}
			var d digit
			var got eisenstein
			got.a, got.b = d.setGenerator(a-1<<generatorWidth, b+5<<generatorWidth)
			check(a, b, generatorWidth, got, d.value(multiples))
		}
	}
	for a := range pointClasses {
		for b := range pointClasses {
			if a%2 != 0 || b%2 != 0 {
				c := &pointClasses[a][b]
				check(uint64(a), uint64(b), pointWidth, eisenstein{int64(c.a), int64(c.b)}, c.value(pointTable()))
			}
		}
	}
}

// TestDigits checks the definition of the form.
func TestDigits(t *testing.T) {
	vartimeOnce.Do(buildVartimeTables)
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
	for range rounds(2000) {
		l := r.Limbs()
		add(oracle.FromLimbs([4]uint64{l[0], l[1]}))
	}
	check := func(x, y *big.Int, generator bool, width int, table []eisenstein) {
		t.Helper()
		var d digits
		d.setVartime(halfOf(x), halfOf(y), generator)
		a, b, next := new(big.Int), new(big.Int), 0
		var places, want [3]uint64
		for i := range d.digit[:d.n] {
			v, at := d.digit[i].value(table), int(d.digit[i].at)
			if at < next || at > maxPlace || v.a%2 == 0 && v.b%2 == 0 {
				t.Fatalf("width %d of %x, %x: digit %v at %d", width, x, y, v, at)
			}
			next = at + width
			want[at/64] |= 1 << (at % 64)
			a.Add(a, new(big.Int).Lsh(big.NewInt(v.a), uint(at)))
			b.Add(b, new(big.Int).Lsh(big.NewInt(v.b), uint(at)))
		}
		d.mark(&places)
		if a.Cmp(x) != 0 || b.Cmp(y) != 0 || places != want {
			t.Fatalf("width %d of %x, %x: sums %x, %x, places %x, want %x", width, x, y, a, b, places, want)
		}
	}
	multiples := generatorMultiples()
	both := func(x, y *big.Int) {
		t.Helper()
		check(x, y, false, pointWidth, pointTable())
		check(x, y, true, generatorWidth, multiples)
	}
	for i, x := range values {
		both(x, values[r.IntN(len(values))])
		both(x, values[len(values)-1-i])
		both(x, new(big.Int))
		both(new(big.Int), x)
	}
}

// TestDenseDigits recodes numbers made to have as many digits as fit: a unit on top, some digits that bring the sum back
// below 2¹²⁸, and any after that, without a gap.
func TestDenseDigits(t *testing.T) {
	vartimeOnce.Do(buildVartimeTables)
	r := oracle.New(t)
	lambda := complex(-0.5, math.Sqrt(3)/2)
	for _, c := range []struct {
		generator  bool
		width, top int
		table      []eisenstein
		most       int
	}{
		{false, pointWidth, 129, pointTable(), 44},
		{true, generatorWidth, 128, generatorMultiples(), 17},
	} {
		var all []eisenstein
		for i := range c.table {
			for power := range uint8(3) {
				for sign := range uint64(2) {
					d := digit{entry: uint16(i), power: power, sign: -sign}
					all = append(all, d.value(c.table))
				}
			}
		}
		most := 0
		for range 200 {
			x, y := new(big.Int), new(big.Int)
			var sum complex128
			for i, at := 0, c.top; at >= 0; i, at = i+1, at-c.width {
				d := all[r.IntN(len(all))]
				scale := complex(math.Ldexp(1, at-c.top), 0)
				if i == 0 {
					d = eisenstein{1, 0}
				} else if i < 4 {
					best := math.Inf(1)
					for _, e := range all[:min(len(all), 3000)] {
						v := sum + scale*(complex(float64(e.a), 0)+complex(float64(e.b), 0)*lambda)
						if l := cmplx.Abs(v); l < best {
							best, d = l, e
						}
					}
				}
				sum += scale * (complex(float64(d.a), 0) + complex(float64(d.b), 0)*lambda)
				x.Add(x, new(big.Int).Lsh(big.NewInt(d.a), uint(at)))
				y.Add(y, new(big.Int).Lsh(big.NewInt(d.b), uint(at)))
			}
			if x.BitLen() > 128 || y.BitLen() > 128 {
				continue
			}
			var d digits
			d.setVartime(halfOf(x), halfOf(y), c.generator)
			most = max(most, d.n)
		}
		if most != c.most || most > len((&digits{}).digit) || c.generator && most > len((&generatorTerm{}).multiple) {
			t.Errorf("width %d: up to %d digits, want %d", c.width, most, c.most)
		}
	}
}

func TestWindow(t *testing.T) {
	r := oracle.New(t)
	for range rounds(1000) {
		l := r.Limbs()
		for at := range 256 {
			for _, width := range []int{baseWidth, variableWidth} {
				want := new(big.Int).Rsh(oracle.FromLimbs(l), uint(at))
				want.And(want, big.NewInt(1<<width-1))
				if got := window(&l, at, width); got != want.Uint64() {
					t.Fatalf("%d bits of %x from %d on: %x, want %x", width, l, at, got, want)
				}
			}
		}
	}
}
