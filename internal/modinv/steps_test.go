package modinv

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// naive runs n divsteps one at a time, and returns the new counter and 2ⁿ times their transition matrix. The counter is
// ζ = −(δ + ½) in the half-delta form and η = −δ otherwise.
func naive(counter int64, f, g uint64, n int, half bool) (int64, matrix) {
	t := matrix{1, 0, 0, 1}
	x, y := new(big.Int).SetUint64(f), new(big.Int).SetUint64(g)
	for range n {
		odd := int64(y.Bit(0))
		if counter < 0 && odd == 1 {
			counter = -counter - 1
			if half {
				counter--
			}
			x, y = y, new(big.Int).Sub(y, x)
			t = matrix{2 * t.q, 2 * t.r, t.q - t.u, t.r - t.v}
		} else {
			counter--
			y = new(big.Int).Add(y, new(big.Int).Mul(x, big.NewInt(odd)))
			t = matrix{2 * t.u, 2 * t.v, t.q + odd*t.u, t.r + odd*t.v}
		}
		y.Rsh(y, 1)
	}
	return counter, t
}

func (t *matrix30) wide() matrix { return matrix{int64(t.u), int64(t.v), int64(t.q), int64(t.r)} }

func TestDivsteps(t *testing.T) {
	check := func(f, g uint64, start int64) {
		t.Helper()
		var got matrix
		counter := divsteps60(start, f, g, &got)
		want, m := naive(start, f, g, 60, true)
		if m = (matrix{m.u << 2, m.v << 2, m.q << 2, m.r << 2}); counter != want || got != m {
			t.Fatalf("60 divsteps of %x, %x from ζ = %d: %d, %x, want %d, %x", f, g, start, counter, got, want, m)
		}
		counter = divsteps62Vartime(start, f, g, &got)
		if want, m = naive(start, f, g, 62, false); counter != want || got != m {
			t.Fatalf("62 divsteps of %x, %x from η = %d: %d, %x, want %d, %x", f, g, start, counter, got, want, m)
		}
		var got30 matrix30
		counter = int64(divsteps30(int32(start), uint32(f), uint32(g), &got30))
		if want, m = naive(start, f, g, 30, true); counter != want || got30.wide() != m {
			t.Fatalf("30 divsteps of %x, %x from ζ = %d: %d, %x, want %d, %x", f, g, start, counter, got30, want, m)
		}
		counter = int64(divsteps30Vartime(int32(start), uint32(f), uint32(g), &got30))
		if want, m = naive(start, f, g, 30, false); counter != want || got30.wide() != m {
			t.Fatalf("30 divsteps of %x, %x from η = %d: %d, %x, want %d, %x", f, g, start, counter, got30, want, m)
		}
	}
	r := oracle.New(t)
	for range oracle.Cases(5000) {
		l := r.Limbs()
		check(l[0]|1, l[1], r.Int64N(200)-100)
	}
	// f and g are chosen near the ends of the ranges of the parts of a word, both for 10 and for 20 divsteps.
	var edges []uint64
	for _, run := range []uint{0, 10, 20, 40} {
		for _, x := range []uint64{0, 1, 2, 1 << 9, 1<<10 - 1, 1<<10 - 2, 1 << 19, 1<<20 - 1, 1<<20 - 2} {
			edges = append(edges, x<<run, -(x << run))
		}
	}
	starts := []int64{-70, -2, -1, 0, 1, 70}
	if testing.Short() {
		starts = starts[1:3]
	}
	for _, f := range edges {
		for _, g := range edges {
			for _, start := range starts {
				check(f|1, g, start)
			}
		}
	}
}

// TestDivsteps10 tests a third of all pairs of 10-bit values f and g with an odd f, or a 31st under -short. Larger
// values are not needed, because 10 divsteps depend only on 10 bits of f and g.
func TestDivsteps10(t *testing.T) {
	step := uint32(3)
	if testing.Short() {
		step = 31
	}
	for f := uint32(1); f < 1<<10; f += 2 {
		for g := uint32(0); g < 1<<10; g += step {
			for zeta := int32(-2 - int32(f+g)&7); zeta <= 1; zeta += 3 {
				counter, got := divsteps10(zeta, f, g)
				if want, m := naive(int64(zeta), uint64(f), uint64(g), 10, true); int64(counter) != want || got.wide() != m {
					t.Fatalf("10 divsteps of %x, %x from ζ = %d: %d, %x, want %d, %x", f, g, zeta, counter, got, want, m)
				}
			}
		}
	}
}

// TestUnpack unpacks words whose parts are at the ends of their ranges.
func TestUnpack(t *testing.T) {
	const end = 1 << 20
	for _, f := range []int64{1 - end, -1, 0, 1, end - 1} {
		for _, u := range []int64{1 - end, -1, 0, 1, end - 1, end} {
			for _, v := range []int64{1 - end, -1, 0, 1, end - 1, end} {
				if a, b := unpack(f + u<<21 + v<<42); a != u || b != v {
					t.Errorf("%d + %d·2²¹ + %d·2⁴²: %d and %d", f, u, v, a, b)
				}
			}
		}
	}
	const end30 = 1 << 10
	for _, f := range []int32{-end30 / 4, -1, 0, 1, end30/4 - 1} {
		for _, u := range []int32{1 - end30, -1, 0, 1, end30 - 1, end30} {
			for _, v := range []int32{1 - end30, -1, 0, 1, end30 - 1, end30} {
				if a, b := unpack30(f + u<<9 + v<<20); a != u || b != v {
					t.Errorf("%d + %d·2⁹ + %d·2²⁰: %d and %d", f, u, v, a, b)
				}
			}
		}
	}
}

// split returns x, of either sign, as digits of 62 bits.
func split(x *big.Int) (a signed62) {
	for i := range 4 {
		a[i] = new(big.Int).And(x, big.NewInt(mask62)).Int64()
		x = new(big.Int).Rsh(x, 62)
	}
	a[4] = x.Int64()
	return a
}

// split30 returns x, of either sign, as digits of 30 bits.
func split30(x *big.Int) (a signed30) {
	for i := range 8 {
		a[i] = int32(new(big.Int).And(x, big.NewInt(mask30)).Int64())
		x = new(big.Int).Rsh(x, 30)
	}
	a[8] = int32(x.Int64())
	return a
}

// combine returns u·x + v·y.
func combine(u int64, x *big.Int, v int64, y *big.Int) *big.Int {
	return new(big.Int).Add(new(big.Int).Mul(big.NewInt(u), x), new(big.Int).Mul(big.NewInt(v), y))
}

// TestUpdateDE checks that d and e stay in (−2m, m) and have the right residues, for extreme values of d, of e and of
// the matrix (I8).
func TestUpdateDE(t *testing.T) {
	r := oracle.New(t)
	row := func(most int64) (int64, int64) { // |u| + |v| ≤ most
		a := []int64{0, 1, most / 2, most - 1, most, r.Int64N(most)}[r.IntN(6)]
		b := []int64{0, most - a, r.Int64N(most - a + 1)}[r.IntN(3)]
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		return a * (1 - 2*r.Int64N(2)), b * (1 - 2*r.Int64N(2))
	}
	matrixOf := func(most int64) (m matrix) {
		m.u, m.v = row(most)
		m.q, m.r = row(most)
		return m
	}
	for _, c := range primes {
		low := new(big.Int).Neg(new(big.Int).Lsh(c.p, 1))
		draw := func() *big.Int { // in (−2m, m), often near its ends
			x := new(big.Int).Mod(oracle.FromLimbs(r.Limbs()), c.p)
			if r.IntN(4) == 0 {
				x = big.NewInt(1 + r.Int64N(100))
			}
			if x.Sign() != 0 {
				x.Sub(x, new(big.Int).Mul(c.p, big.NewInt(r.Int64N(3))))
			}
			return x
		}
		check := func(m matrix, bits uint, x, y, v *big.Int, u1, u2 int64, canonical bool) {
			t.Helper()
			if !canonical || v.Cmp(low) <= 0 || v.Cmp(c.p) >= 0 ||
				new(big.Int).Mod(new(big.Int).Sub(new(big.Int).Lsh(v, bits), combine(u1, x, u2, y)), c.p).Sign() != 0 {
				t.Fatalf("%d bits: %x, %x times %x gives %x mod %x", bits, x, y, m, v, c.p)
			}
		}
		for range oracle.Cases(20000) {
			x, y := draw(), draw()
			m := matrixOf(1 << 62)
			d, e := split(x), split(y)
			updateDE(&d, &e, &m, c.m62)
			check(m, 62, x, y, d.integer(), m.u, m.v, d == split(d.integer()))
			check(m, 62, x, y, e.integer(), m.q, m.r, e == split(e.integer()))

			m = matrixOf(1 << 30)
			d30, e30 := split30(x), split30(y)
			updateDE30(&d30, &e30, &matrix30{int32(m.u), int32(m.v), int32(m.q), int32(m.r)}, c.m30)
			check(m, 30, x, y, d30.integer(), m.u, m.v, d30 == split30(d30.integer()))
			check(m, 30, x, y, e30.integer(), m.q, m.r, e30 == split30(e30.integer()))
		}
	}
}

// TestUpdateFG checks the results of updateFG for all numbers of digits (I7).
func TestUpdateFG(t *testing.T) {
	r := oracle.New(t)
	for n := 1; n <= 5; n++ {
		for range oracle.Cases(4000) {
			draw := func() *big.Int { // |x| < 2⁶²ⁿ⁻²
				x := new(big.Int).Lsh(oracle.FromLimbs(r.Limbs()), 64)
				x.Or(x, new(big.Int).SetUint64(r.Uint64())).Rsh(x, uint(322-62*n))
				if r.IntN(2) == 0 {
					x.Neg(x)
				}
				return x
			}
			x, y := draw(), draw()
			x.SetBit(x, 0, 1)
			f, g := split(x), split(y)
			if n == 1 { // the only digit also holds the sign
				f, g = signed62{x.Int64()}, signed62{y.Int64()}
			}
			for _, a := range []*signed62{&f, &g} {
				for i := n; i < 5; i++ { // the higher digits only extend the sign
					a[n-1] |= a[i] << (62 * (i - n + 1))
					a[i] = 0
				}
			}
			var m matrix
			divsteps62Vartime(-1, uint64(f[0]), uint64(g[0]), &m)
			updateFG(&f, &g, &m, n)
			for i, got := range []*signed62{&f, &g} {
				want := combine([]int64{m.u, m.q}[i], x, []int64{m.v, m.r}[i], y)
				if got.integer().Cmp(want.Rsh(want, 62)) != 0 {
					t.Fatalf("%d digits: %x, %x times %x gives %x, want %x", n, x, y, m, got.integer(), want)
				}
			}
		}
	}
}

// TestUpdateFG30 checks the results of updateFG30 (I7).
func TestUpdateFG30(t *testing.T) {
	r := oracle.New(t)
	draw := func() *big.Int { // |x| < 2²⁵⁷
		x := oracle.FromLimbs(r.Limbs())
		x.Lsh(x, 1).Rsh(x, uint(r.IntN(3)/2*r.IntN(258)))
		if r.IntN(2) == 0 {
			x.Neg(x)
		}
		return x
	}
	for range oracle.Cases(20000) {
		x, y := draw(), draw()
		x.SetBit(x, 0, 1)
		f, g := split30(x), split30(y)
		var m matrix30
		divsteps30Vartime(-1, uint32(f[0]), uint32(g[0]), &m)
		updateFG30(&f, &g, &m)
		for i, got := range []*signed30{&f, &g} {
			want := combine(int64([]int32{m.u, m.q}[i]), x, int64([]int32{m.v, m.r}[i]), y)
			want.Rsh(want, 30)
			if *got != split30(want) {
				t.Fatalf("%x, %x times %x gives %x, want %x", x, y, m, got.integer(), want)
			}
		}
	}
}
