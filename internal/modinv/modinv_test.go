package modinv

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

var one = big.NewInt(1)

// prime is an odd number prepared for inversion with digits of both sizes. Each platform uses only one size, but the
// tests use both.
type prime struct {
	p   *big.Int
	m62 *modulus62
	m30 *modulus30
}

// primes holds p and n.
var primes = map[string]prime{"P": {oracle.P, &p62, &p30}, "N": {oracle.N, &n62, &n30}}

// newPrime prepares an odd number of 256 bits for inversion.
func newPrime(p *big.Int) prime { return prime{p, newModulus62(p), newModulus30(p)} }

func newModulus62(p *big.Int) *modulus62 {
	l := oracle.Limbs(p)
	return &modulus62{fromLimbs(&l), inverseOf(p, 62)}
}

func newModulus30(p *big.Int) *modulus30 {
	l := oracle.Limbs(p)
	return &modulus30{fromLimbs30(&l), uint32(inverseOf(p, 30))}
}

// inverseOf returns 1/m mod 2ⁿ.
func inverseOf(m *big.Int, n uint) uint64 {
	return new(big.Int).ModInverse(m, new(big.Int).Lsh(one, n)).Uint64()
}

// integer returns Σ a[i]·2⁶²ⁱ.
func (a *signed62) integer() *big.Int { return sum(a[:], 62) }

// integer returns Σ a[i]·2³⁰ⁱ.
func (a *signed30) integer() *big.Int { return sum(a[:], 30) }

func sum[T int32 | int64](digits []T, bits uint) *big.Int {
	sum := new(big.Int)
	for i, v := range digits {
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(int64(v)), bits*uint(i)))
	}
	return sum
}

func TestModuli(t *testing.T) {
	for name, c := range primes {
		if c.m62.m.integer().Cmp(c.p) != 0 || c.m62.inverse != inverseOf(c.p, 62) {
			t.Errorf("%s, 62 bits: %x, inverse %#x; want inverse %#x", name, c.m62.m.integer(), c.m62.inverse, inverseOf(c.p, 62))
		}
		if c.m30.m.integer().Cmp(c.p) != 0 || uint64(c.m30.inverse) != inverseOf(c.p, 30) {
			t.Errorf("%s, 30 bits: %x, inverse %#x; want inverse %#x", name, c.m30.m.integer(), c.m30.inverse, inverseOf(c.p, 30))
		}
	}
}

func TestDigits(t *testing.T) {
	r := oracle.New(t)
	for _, l := range append(oracle.LimbEdges(), r.Limbs(), r.Limbs(), r.Limbs()) {
		a, b := fromLimbs(&l), fromLimbs30(&l)
		for i, v := range a {
			if v < 0 || v >= 1<<62 {
				t.Fatalf("digit %d of %x is %#x", i, l, v)
			}
		}
		for i, v := range b {
			if v < 0 || v >= 1<<30 {
				t.Fatalf("digit %d of %x is %#x", i, l, v)
			}
		}
		if a.integer().Cmp(oracle.FromLimbs(l)) != 0 || a.limbs() != l {
			t.Fatalf("%x becomes %x and then %x", l, a, a.limbs())
		}
		if b.integer().Cmp(oracle.FromLimbs(l)) != 0 || b.limbs() != l {
			t.Fatalf("%x becomes %x and then %x", l, b, b.limbs())
		}
	}
}

// inverts compares the results of all inversions of x < p with the result of math/big.
func inverts(t *testing.T, m prime, x *big.Int) {
	t.Helper()
	l := oracle.Limbs(x)
	want := oracle.Limbs(oracle.Ring{M: m.p}.Inv(x))
	for _, c := range []struct {
		name string
		got  [4]uint64
	}{
		{"invert62", invert62(&l, m.m62)},
		{"invert62Vartime", invert62Vartime(&l, m.m62)},
		{"invert30", invert30(&l, m.m30)},
		{"invert30Vartime", invert30Vartime(&l, m.m30)},
	} {
		if c.got != want {
			t.Fatalf("%s(%x) mod %x = %x, want %x", c.name, x, m.p, c.got, want)
		}
	}
	if l != oracle.Limbs(x) {
		t.Fatalf("%x was changed", x)
	}
}

func TestInvert(t *testing.T) {
	for name, m := range map[string]*Modulus{"P": &P, "N": &N} {
		t.Run(name, func(t *testing.T) {
			c := primes[name]
			field := oracle.Ring{M: c.p}
			check := func(x *big.Int) {
				t.Helper()
				x = field.Reduce(x)
				inverts(t, c, x)
				inverts(t, c, field.Neg(x))
				l, want := oracle.Limbs(x), oracle.Limbs(field.Inv(x))
				if a, b := Invert(&l, m), InvertVartime(&l, m); a != want || b != want {
					t.Fatalf("%x: %x, in variable time %x, want %x", x, a, b, want)
				}
			}
			for _, edges := range [][][32]byte{oracle.FieldEdges(), oracle.ScalarEdges()} { // 0, 1, m−1 and all 2ⁱ, 2ⁱ±1
				for _, b := range edges {
					check(oracle.Int(b[:]))
				}
			}
			for _, l := range oracle.LimbEdges() {
				check(oracle.FromLimbs(l))
			}
			for i := range int64(2000) { // the inverses of small numbers
				check(new(big.Int).ModInverse(big.NewInt(i+1), c.p))
			}
			r := oracle.New(t)
			for range oracle.Cases(10000) {
				check(oracle.FromLimbs(r.Limbs()))
			}
			t.Logf("result: %d cases of inversions modulo %s in digits of 62 and of 30 bits with math/big", 2*oracle.Cases(10000), name)
		})
	}
}

// TestOtherModuli tests random odd moduli of 256 bits, because some digits of P and N are 0.
func TestOtherModuli(t *testing.T) {
	r := oracle.New(t)
	seen := 0
	for range oracle.Cases(5000) {
		p, x := oracle.FromLimbs(r.Limbs()), oracle.FromLimbs(r.Limbs())
		p.SetBit(p, 0, 1).SetBit(p, 255, 1)
		x.Mod(x, p)
		if new(big.Int).GCD(nil, nil, x, p).Cmp(one) == 0 {
			seen++
			inverts(t, newPrime(p), x)
		}
	}
	if seen < oracle.Cases(2000) {
		t.Errorf("only %d coprime pairs", seen)
	}
}

// TestVectors runs the cases that libsecp256k1's authors collected to stress the safegcd algorithm.
func TestVectors(t *testing.T) {
	var file struct {
		Modinv []struct{ X, Modulus, Inv string }
	}
	vectors.JSON(t, "libsecp256k1/tests_constants.json", &file)
	if len(file.Modinv) != 86 {
		t.Fatalf("%d cases", len(file.Modinv))
	}
	for _, c := range file.Modinv {
		x, p, inverse := number(t, c.X), number(t, c.Modulus), number(t, c.Inv)
		if want := (oracle.Ring{M: p}).Inv(x); want.Cmp(inverse) != 0 {
			t.Fatalf("in the file the inverse of %x mod %x is %x", x, p, inverse)
		}
		inverts(t, newPrime(p), x)
		inverts(t, newPrime(p), inverse)
	}
}

func number(t *testing.T, s string) *big.Int {
	t.Helper()
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		t.Fatalf("not a number: %q", s)
	}
	return x
}

// divstepsOf returns the number of divsteps, in the half-delta form, after which g is 0.
func divstepsOf(p, x *big.Int) int {
	f, g := new(big.Int).Set(p), new(big.Int).Set(x)
	zeta := -1 // −(δ + ½)
	n := 0
	for ; g.Sign() != 0; n++ {
		switch {
		case zeta < 0 && g.Bit(0) == 1: // δ > 0
			zeta = -zeta - 2
			h := new(big.Int).Sub(g, f)
			f, g = g, h
		case g.Bit(0) == 1:
			zeta--
			g.Add(g, f)
		default:
			zeta--
		}
		g.Rsh(g, 1)
	}
	return n
}

// batchesOf returns the number of batches of 60 divsteps, and the number of batches of 30 divsteps, after which g is 0.
func batchesOf(p, x *big.Int) (of60, of30 int) {
	l, m := oracle.Limbs(x), newPrime(p)
	var s state
	for s.start(&l, m.m62); s.g != (signed62{}) && of60 < 20; of60++ {
		batch(&s, m.m62)
	}
	var s30 state30
	for s30.start(&l, m.m30); s30.g != (signed30{}) && of30 < 40; of30++ {
		batch30(&s30, m.m30)
	}
	return of60, of30
}

// TestLoopBound counts divsteps, both one by one and in batches. For 256 bits, 590 divsteps are proved to suffice, some
// inputs need 590 divsteps, and an inversion runs 600.
func TestLoopBound(t *testing.T) {
	for _, c := range []struct {
		m    *big.Int
		x    string
		want int
	}{ // from libsecp256k1's tests
		{oracle.P, "7f6f36b4a070cede95908e6287b1e4d85f8e744a78d1b454db5c00718d1063ae", 564},
		{oracle.N, "ebbf7e9639f8c8e72a7e18f2c1f66e7070ce6ddc535a51dd6f1ea8475ceb8432", 565},
		{number(t, "fdf82da53895d3050fb6d3be0ac64b609cc03dbc521db2d948ad4ad14f756983"),
			"fb7e453a3cc0fd05fe977637538ab6d45b3a9323d9072a2330ab53d7b6409118", 590},
	} {
		x := number(t, c.x)
		if got := divstepsOf(c.m, x); got != c.want {
			t.Errorf("%x mod %x: %d divsteps, want %d", x, c.m, got, c.want)
		}
		if a, b := batchesOf(c.m, x); a != (c.want+59)/60 || b != (c.want+29)/30 {
			t.Errorf("%x mod %x: %d and %d batches for %d divsteps", x, c.m, a, b, c.want)
		}
		inverts(t, newPrime(c.m), x)
	}
	r := oracle.New(t)
	for _, m := range []*big.Int{oracle.P, oracle.N} {
		for range oracle.Cases(1000) {
			x := new(big.Int).Mod(oracle.FromLimbs(r.Limbs()), m)
			n := divstepsOf(m, x)
			if n > 590 {
				t.Errorf("%x mod %x: %d divsteps", x, m, n)
			}
			if a, b := batchesOf(m, x); a != (n+59)/60 || b != (n+29)/30 {
				t.Errorf("%x mod %x: %d and %d batches for %d divsteps", x, m, a, b, n)
			}
		}
	}
}
