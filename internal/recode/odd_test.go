package recode

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/scalar"
)

var (
	fn  = oracle.Fn
	one = big.NewInt(1)
)

func pow2(i uint) *big.Int { return new(big.Int).Lsh(one, i) }

func scalarOf(x *big.Int) scalar.Scalar {
	l := oracle.Limbs(fn.Reduce(x))
	return scalar.FromLimbs(l[0], l[1], l[2], l[3])
}

func TestOffsets(t *testing.T) {
	base := new(big.Int).Sub(pow2(BaseWidth*BaseDigits), one)
	const m = VariableWidth * VariableDigits
	variable := new(big.Int).Sub(pow2(m), pow2(m-1))
	variable.Sub(variable, one).Mul(variable, new(big.Int).Add(one, oracle.Lambda))
	for name, c := range map[string]struct {
		got  scalar.Scalar
		want *big.Int
	}{"baseOffset": {baseOffset, base}, "lanesOffset": {lanesOffset, new(big.Int).Sub(pow2(LanesWidth*LanesDigits), one)}, "variableOffset": {variableOffset, variable}} {
		if c.got != scalarOf(c.want) {
			t.Errorf("%s is %x, want %x", name, c.got.Limbs(), fn.Reduce(c.want))
		}
	}
}

// sum returns Σ (2·window(i) − (2ʷ − 1))·2ʷⁱ, and fails the test if a window has more than w bits.
func sum(t *testing.T, w uint, n int, window func(int) uint64) *big.Int {
	t.Helper()
	s := new(big.Int)
	for i := n - 1; i >= 0; i-- {
		b := window(i)
		if b >= 1<<w {
			t.Fatalf("window %d is %x", i, b)
		}
		s.Lsh(s, w).Add(s, big.NewInt(2*int64(b)-(1<<w-1)))
	}
	return s
}

// TestOdd checks S10 and S12: the digits sum to the scalar, and no bit is above the last window.
func TestOdd(t *testing.T) {
	r := oracle.New(t)
	check := func(k *big.Int) {
		t.Helper()
		s := scalarOf(k)
		base := Base(&s)
		if got := sum(t, BaseWidth, BaseDigits, base.BaseWindow); fn.Reduce(got).Cmp(fn.Reduce(k)) != 0 {
			t.Fatalf("the digits of %x for Base sum to %x", k, got)
		}
		inLanes := Lanes(&s)
		if got := sum(t, LanesWidth, LanesDigits, inLanes.LanesWindow); fn.Reduce(got).Cmp(fn.Reduce(k)) != 0 {
			t.Fatalf("the digits of %x for Lanes sum to %x", k, got)
		}
		k1, k2 := Variable(&s)
		got := sum(t, VariableWidth, VariableDigits, k2.VariableWindow)
		got.Mul(got, oracle.Lambda).Add(got, sum(t, VariableWidth, VariableDigits, k1.VariableWindow))
		if fn.Reduce(got).Cmp(fn.Reduce(k)) != 0 {
			t.Fatalf("the digits of %x for Variable sum to %x", k, got)
		}
		top := VariableWidth*VariableDigits - 128 // a variable, so that the test also compiles if a mutant makes it negative
		for _, d := range []*Odd{&k1, &k2} {
			if d[2]>>top != 0 || d[3] != 0 {
				t.Fatalf("the digits of %x for Variable are the windows of %x", k, *d)
			}
		}
	}
	for _, edges := range [][][32]byte{oracle.ScalarEdges(), oracle.LambdaSplitEdges()} {
		for _, b := range edges {
			check(oracle.Int(b[:]))
		}
	}
	for range oracle.Cases(5000) {
		check(r.Scalar())
	}
}

func TestWindow(t *testing.T) {
	r := oracle.New(t)
	for range oracle.Cases(1000) {
		d := Odd(r.Limbs())
		for place := range 256 {
			for _, width := range []int{BaseWidth, LanesWidth, VariableWidth} {
				want := new(big.Int).Rsh(oracle.FromLimbs(d), uint(place))
				want.And(want, big.NewInt(1<<width-1))
				if got := d.window(place, width); got != want.Uint64() {
					t.Fatalf("%d bits of %x from %d on: %x, want %x", width, d, place, got, want)
				}
			}
		}
	}
}
