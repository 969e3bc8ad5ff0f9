package modinv

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestDivstep checks after each divstep, in both forms, that f is odd, that the divisions are exact, and that f ≡ d·x
// and g ≡ e·x (I1).
func TestDivstep(t *testing.T) {
	r := oracle.New(t)
	for i := range oracle.Cases(200) {
		m := []*big.Int{oracle.P, oracle.N}[i%2]
		ring := oracle.Ring{M: m}
		x := ring.Reduce(oracle.FromLimbs(r.Limbs()))
		if x.Sign() == 0 { // in I1, x has an inverse, so x ≠ 0
			x.Set(one)
		}
		half := i%4 < 2
		inverse2 := ring.Inv(big.NewInt(2))
		counter := int64(-1)
		f, g, d, e := m, x, new(big.Int), one
		for n := range 760 {
			if f.Bit(0) == 0 || f.CmpAbs(m) > 0 || g.CmpAbs(m) > 0 ||
				ring.Reduce(f).Cmp(ring.Mul(d, x)) != 0 || ring.Reduce(g).Cmp(ring.Mul(e, x)) != 0 {
				t.Fatalf("after %d divsteps for %x: f = %x, g = %x, d = %x, e = %x", n, x, f, g, d, e)
			}
			var c matrix
			counter, c = naive(counter, uint64(f.Bit(0)), uint64(g.Bit(0)), 1, half)
			f, g = combine(c.u, f, c.v, g), combine(c.q, f, c.r, g)
			d, e = ring.Mul(inverse2, combine(c.u, d, c.v, e)), ring.Mul(inverse2, combine(c.q, d, c.r, e))
			if f.Bit(0) != 0 || g.Bit(0) != 0 {
				t.Fatalf("divstep %d for %x does not divide by 2", n, x)
			}
			f, g = f.Rsh(f, 1), g.Rsh(g, 1)
		}
		if g.Sign() != 0 || f.CmpAbs(one) != 0 || ring.Mul(d, f).Cmp(ring.Inv(x)) != 0 {
			t.Fatalf("%x: f = %x, g = %x, d = %x at the end", x, f, g, d)
		}
	}
}

// TestLowBits checks that a batch does not depend on the upper bits of f and g (I2).
func TestLowBits(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(5000) {
		f, g, high, start := r.Uint64()|1, r.Uint64(), r.Uint64(), r.Int64N(40)-20
		for n, run := range map[int]func(f, g uint64) (int64, matrix){
			60: func(f, g uint64) (c int64, m matrix) { c = divsteps60(start, f, g, &m); return c, m },
			62: func(f, g uint64) (c int64, m matrix) { c = divsteps62Vartime(start, f, g, &m); return c, m },
			20: func(f, g uint64) (int64, matrix) { return divsteps20(start, f, g) },
			30: func(f, g uint64) (int64, matrix) {
				var m matrix30
				c := divsteps30(int32(start), uint32(f), uint32(g), &m)
				return int64(c), m.wide()
			},
			10: func(f, g uint64) (int64, matrix) {
				c, m := divsteps10(int32(start), uint32(f), uint32(g))
				return int64(c), m.wide()
			},
		} {
			c, m := run(f, g)
			if c2, m2 := run(f^high<<n, g^(high*high)<<n); c2 != c || m2 != m {
				t.Fatalf("%d divsteps of %x, %x depend on bits above the low ones", n, f, g)
			}
		}
	}
}

// TestMatrixBounds checks the bounds on matrices (I3), for all matrices of up to 7 divsteps, and for some matrices of
// 60 and of 62 divsteps.
func TestMatrixBounds(t *testing.T) {
	check := func(counter int64, f, g uint64, n int, half bool) (reached bool) {
		_, m := naive(counter, f, g, n, half)
		most := int64(1) << n
		uv, qr := max(m.u, -m.u)+max(m.v, -m.v), max(m.q, -m.q)+max(m.r, -m.r)
		if uv > most || qr > most || (n < 31 && m.u*m.r-m.v*m.q != most) {
			t.Fatalf("%d divsteps of %x, %x from %d: %d", n, f, g, counter, m)
		}
		if m.u <= -most || m.v <= -most || m.q <= -most || m.r <= -most || m.q == most {
			t.Fatalf("%d divsteps of %x, %x from %d: %d reaches a bound that no matrix reaches", n, f, g, counter, m)
		}
		return uv == most
	}
	for n := 1; n <= 7; n++ {
		reached := false
		for f := uint64(1); f < 1<<n; f += 2 {
			for g := range uint64(1) << n {
				for counter := int64(-8); counter <= 8; counter++ {
					reached = check(counter, f, g, n, true) || reached
					check(counter, f, g, n, false)
				}
			}
		}
		if !reached {
			t.Errorf("|u| + |v| = 2ⁿ is not reached for n = %d", n)
		}
	}
	r := oracle.New(t)
	for range oracle.Cases(2000) {
		check(r.Int64N(9)-4, r.Uint64()|1, r.Uint64(), 60, true)
		check(r.Int64N(9)-4, r.Uint64()|1, r.Uint64(), 62, false)
	}
}

// TestCancel checks the formulas for −1/f modulo 64 and modulo 16 with which divsteps62Vartime cancels bits (I10).
func TestCancel(t *testing.T) {
	for f := uint64(1); f < 1<<10; f += 2 {
		if six := f * (f*f - 2); (f*six+1)&63 != 0 {
			t.Errorf("−1/%d mod 64 is not %d", f, six&63)
		}
		if four := -(f + (f+1)&4<<1); (f*four+1)&15 != 0 {
			t.Errorf("−1/%d mod 16 is not %d", f, four&15)
		}
	}
}

// TestNormalize normalizes numbers near both ends of (−2m, m) and numbers in between, with both signs (I9).
func TestNormalize(t *testing.T) {
	r := oracle.New(t)
	for name, c := range primes {
		ring := oracle.Ring{M: c.p}
		for range oracle.Cases(2000) {
			x := extremeOf(r, c.p)
			for _, sign := range []int64{0, -1} {
				want := ring.Reduce(x)
				if sign == -1 {
					want = ring.Neg(want)
				}
				a, b := split(x), split30(x)
				a.normalize(sign, c.m62)
				b.normalize(int32(sign), c.m30)
				if a != split(want) || b != split30(want) {
					t.Fatalf("%s: %x becomes %x and %x, sign %d", name, x, a.integer(), b.integer(), sign)
				}
			}
		}
	}
}

// extremeOf draws an integer from (−2b, b), mostly near the ends of this range or near 0.
func extremeOf(r *oracle.Rand, b *big.Int) *big.Int {
	x := new(big.Int).Mod(oracle.FromLimbs(r.Limbs()), b)
	if r.IntN(2) == 0 {
		x = big.NewInt(r.Int64N(100))
	}
	switch r.IntN(4) {
	case 0:
		return x.Mod(x, b)
	case 1:
		return x.Sub(b, x.Add(x, one))
	case 2:
		return x.Neg(x)
	default:
		x.Add(x, one)
		return x.Sub(x, new(big.Int).Lsh(b, 1))
	}
}
