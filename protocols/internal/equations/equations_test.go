package equations

import (
	"math/big"
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestInvalid adds wrong terms to a few of up to 5,000 equations i·G + i·P − i·(G + P) = 0, and checks that Invalid
// finds these equations.
func TestInvalid(t *testing.T) {
	var g, p, sum curve.Point
	var five curve.Scalar
	g.SetGenerator()
	p.ScalarMult(five.SetUint64(5), &g)
	sum.Add(&g, &p)
	for _, n := range []int{0, 1, 2, least - 1, least, 40, 64, largest, largest + 1, 3000, 5000} {
		if n == 5000 && testing.Short() {
			continue
		}
		for _, wrong := range [][]int{nil, {0}, {n - 1}, {n / 3, n / 2}, {0, n / 3, n / 2, n - 1}, {largest - 1, largest}} {
			wrong = slices.Compact(slices.DeleteFunc(wrong, func(i int) bool { return i < 0 || i >= n }))
			alone := 0
			s := System{
				Holds: func(i int) bool { alone++; return !slices.Contains(wrong, i) },
				Add: func(s *Sum, w *curve.Scalar, i int) {
					var k curve.Scalar
					k.Mul(w, k.SetUint64(uint64(i+1)))
					s.Add(&k, &p)
					s.AddBase(&k)
					s.Add(k.Negate(&k), &sum)
					if place := slices.Index(wrong, i); place >= 0 { // errors of +P and −P, which cancel without weights
						s.Add(k.CondNegate(w, place&1), &p)
					}
				},
			}
			indexes := make([]int, n)
			for i := range indexes {
				indexes[i] = i
			}
			if bad := s.Invalid(indexes); !slices.Equal(bad, wrong) {
				t.Errorf("%d equations: %v, want %v", n, bad, wrong)
			}
			if few := n%largest < least; alone > n || (!few && len(wrong) == 0 && alone != 0) || (few && alone < n%largest) {
				t.Errorf("%d equations, %v wrong: %d tested alone", n, wrong, alone)
			}
		}
	}
}

// TestFlood counts what is tested if no equation holds: a sample together, then each equation alone.
func TestFlood(t *testing.T) {
	alone, together := 0, 0
	s := System{
		Holds: func(int) bool { alone++; return false },
		Add:   func(s *Sum, w *curve.Scalar, _ int) { together++; s.AddBase(w) },
	}
	all := make([]int, 2*largest)
	for i := range all {
		all[i] = i
	}
	if bad := s.Invalid(all); !slices.Equal(bad, all) {
		t.Errorf("%d found, want all %d", len(bad), len(all))
	}
	if alone != len(all) || together > len(all)/4 {
		t.Errorf("%d equations: %d tested alone and %d together", len(all), alone, together)
	}
}

// TestSample checks that the order of the equations, and so the sample that is tested first, is random.
func TestSample(t *testing.T) {
	all := make([]int, many)
	for i := range all {
		all[i] = i
	}
	var orders [2][]int
	for call := range orders {
		s := System{
			Holds: func(int) bool { return true },
			Add:   func(_ *Sum, _ *curve.Scalar, i int) { orders[call] = append(orders[call], i) },
		}
		s.Invalid(all)
	}
	if len(orders[0]) != many || slices.Equal(orders[0], orders[1]) || slices.Equal(orders[0], all) {
		t.Errorf("two calls test %v and %v", orders[0], orders[1])
	}
}

// TestAlone checks that only Holds decides about a single equation.
func TestAlone(t *testing.T) {
	s := System{Holds: func(int) bool { return false }, Add: func(*Sum, *curve.Scalar, int) {}}
	if bad := s.Invalid([]int{7}); !slices.Equal(bad, []int{7}) {
		t.Errorf("%v, want 7", bad)
	}
}

// TestWeights checks that each equation gets a new weight a + b·λ in each test, and that both a and b are random.
func TestWeights(t *testing.T) {
	var one, lambda curve.Scalar
	one.SetWeight(new([16]byte))
	lambda.SetWeight(&[16]byte{15: 1})
	lambda.Sub(&lambda, &one).Invert(&lambda)
	seen := make(map[[32]byte]bool)
	s := System{Add: func(_ *Sum, w *curve.Scalar, _ int) {
		var a, b curve.Scalar
		a.Sub(w, &one)
		b.Mul(&a, &lambda)
		for _, c := range []*curve.Scalar{&a, &b} { // a value below 2⁶⁴ would mean that the other part is 0
			if c := [32]byte(c.Bytes()); seen[c] || [24]byte(c[:24]) == [24]byte{} {
				t.Errorf("weight with the part %x", c)
			} else {
				seen[c] = true
			}
		}
	}}
	s.Holds = func(int) bool { return true }
	for range 3 {
		s.Hold(make([]int, 100))
		s.Invalid(make([]int, 2*largest+many))
	}
	if len(seen) != 3*2*(100+2*largest+many) {
		t.Errorf("%d parts of weights", len(seen))
	}
}

// TestWeightsStream computes the weights of many equations again, from 16 bytes for each.
func TestWeightsStream(t *testing.T) {
	for _, n := range []int{1, 33, 257, 3 * largest} {
		libtest.SetRandom(t, mathrand.NewChaCha8([32]byte{}))
		stream := mathrand.NewChaCha8([32]byte{})
		for i, w := range weights(n) {
			var random [16]byte
			stream.Read(random[:])
			lo := new(big.Int).Add(oracle.Int(random[:8]), big.NewInt(1))
			want := oracle.Bytes(oracle.Fn.Add(lo, oracle.Fn.Mul(oracle.Int(random[8:]), oracle.Lambda)))
			if [32]byte(w.Bytes()) != want {
				t.Fatalf("weight %d of %d is %x, want %x", i, n, w.Bytes(), want)
			}
		}
	}
}
