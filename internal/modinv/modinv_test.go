package modinv

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/internal/oracle"
	"p256k1.mleku.dev/internal/vectors"
)

var one = big.NewInt(1)

// rounds is n, or less of it in a short run.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// digits returns the signed62 of x, which must be in [0, 2²⁵⁶).
func digits(x *big.Int) signed62 {
	l := oracle.Limbs(x)
	return fromLimbs(&l)
}

// integer returns Σ a[i]·2⁶²ⁱ.
func (a *signed62) integer() *big.Int {
	sum := new(big.Int)
	for i, v := range a {
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(v), uint(62*i)))
	}
	return sum
}

// inverse62 returns 1/m mod 2⁶².
func inverse62(m *big.Int) uint64 {
	return new(big.Int).ModInverse(m, new(big.Int).Lsh(one, 62)).Uint64()
}

// newModulus prepares an odd modulus as P and N are.
func newModulus(m *big.Int) *Modulus {
	return &Modulus{digits(m), inverse62(m)}
}

func TestModuli(t *testing.T) {
	for _, c := range []struct {
		m *Modulus
		p *big.Int
	}{{&P, oracle.P}, {&N, oracle.N}} {
		if c.m.m.integer().Cmp(c.p) != 0 || c.m.inverse != inverse62(c.p) {
			t.Errorf("%x: %x, inverse %#x; want inverse %#x", c.p, c.m.m.integer(), c.m.inverse, inverse62(c.p))
		}
	}
}

func TestDigits(t *testing.T) {
	r := oracle.New(t)
	for _, l := range append(oracle.LimbEdges(), r.Limbs(), r.Limbs(), r.Limbs()) {
		a := fromLimbs(&l)
		for i, v := range a {
			if v < 0 || v >= 1<<62 {
				t.Fatalf("digit %d of %x is %#x", i, l, v)
			}
		}
		if a.integer().Cmp(oracle.FromLimbs(l)) != 0 || a.limbs() != l {
			t.Fatalf("%x becomes %x and then %x", l, a, a.limbs())
		}
	}
}

// inverts checks both functions on x < p.
func inverts(t *testing.T, m *Modulus, p, x *big.Int) {
	t.Helper()
	l := oracle.Limbs(x)
	want := oracle.Limbs(oracle.Ring{M: p}.Inv(x))
	if got := Invert(&l, m); got != want {
		t.Fatalf("Invert(%x) mod %x = %x, want %x", x, p, got, want)
	}
	if got := InvertVartime(&l, m); got != want {
		t.Fatalf("InvertVartime(%x) mod %x = %x, want %x", x, p, got, want)
	}
	if l != oracle.Limbs(x) {
		t.Fatalf("%x was changed", x)
	}
}

func TestInvert(t *testing.T) {
	for name, c := range map[string]struct {
		m *Modulus
		p *big.Int
	}{"P": {&P, oracle.P}, "N": {&N, oracle.N}} {
		t.Run(name, func(t *testing.T) {
			check := func(x *big.Int) {
				t.Helper()
				x = new(big.Int).Mod(x, c.p)
				inverts(t, c.m, c.p, x)
				inverts(t, c.m, c.p, oracle.Ring{M: c.p}.Neg(x))
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
			for range rounds(10000) {
				check(oracle.FromLimbs(r.Limbs()))
			}
		})
	}
}

// TestOtherModuli takes odd moduli of 256 bits, which have digits that P and N lack.
func TestOtherModuli(t *testing.T) {
	r := oracle.New(t)
	seen := 0
	for range rounds(5000) {
		p, x := oracle.FromLimbs(r.Limbs()), oracle.FromLimbs(r.Limbs())
		p.SetBit(p, 0, 1).SetBit(p, 255, 1)
		if x.Mod(x, p); new(big.Int).GCD(nil, nil, x, p).Cmp(one) == 0 {
			seen++
			inverts(t, newModulus(p), p, x)
		}
	}
	if seen < rounds(2000) {
		t.Errorf("only %d coprime pairs", seen)
	}
}

// TestVectors runs the cases that libsecp256k1 collected because they stress this algorithm.
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
			t.Fatalf("the file inverts %x mod %x to %x", x, p, inverse)
		}
		inverts(t, newModulus(p), p, x)
		inverts(t, newModulus(p), p, inverse)
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

// batchesOf returns the number of batches after which g is 0.
func batchesOf(p, x *big.Int) int {
	var s state
	l, m := oracle.Limbs(x), newModulus(p)
	s.start(&l, m)
	n := 0
	for ; s.g != (signed62{}) && n < 20; n++ {
		batch(&s, m)
	}
	return n
}

// TestLoopBound counts divsteps, by the definition and in batches. 590 are proved to suffice for 256 bits, and ten batches are
// 600; there are inputs that need 590.
func TestLoopBound(t *testing.T) {
	for _, c := range []struct {
		m    *big.Int
		x    string
		want int
	}{ // of libsecp256k1's tests
		{oracle.P, "7f6f36b4a070cede95908e6287b1e4d85f8e744a78d1b454db5c00718d1063ae", 564},
		{oracle.N, "ebbf7e9639f8c8e72a7e18f2c1f66e7070ce6ddc535a51dd6f1ea8475ceb8432", 565},
		{number(t, "fdf82da53895d3050fb6d3be0ac64b609cc03dbc521db2d948ad4ad14f756983"),
			"fb7e453a3cc0fd05fe977637538ab6d45b3a9323d9072a2330ab53d7b6409118", 590},
	} {
		x := number(t, c.x)
		if got := divstepsOf(c.m, x); got != c.want {
			t.Errorf("%x mod %x: %d divsteps, want %d", x, c.m, got, c.want)
		}
		if n := batchesOf(c.m, x); n != (c.want+59)/60 {
			t.Errorf("%x mod %x: %d batches for %d divsteps", x, c.m, n, c.want)
		}
		inverts(t, newModulus(c.m), c.m, x)
	}
	r := oracle.New(t)
	for _, m := range []*big.Int{oracle.P, oracle.N} {
		for range rounds(1000) {
			x := new(big.Int).Mod(oracle.FromLimbs(r.Limbs()), m)
			n := divstepsOf(m, x)
			if n > 590 {
				t.Errorf("%x mod %x: %d divsteps", x, m, n)
			}
			if batches := batchesOf(m, x); batches != (n+59)/60 {
				t.Errorf("%x mod %x: %d batches for %d divsteps", x, m, batches, n)
			}
		}
	}
}
