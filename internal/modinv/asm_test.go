//go:build (amd64 || arm64) && !purego

package modinv

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
)

// compare runs a batch in assembly and in Go, checks that the resulting states are equal, and returns the state.
func compare(t *testing.T, s state, m *modulus62) state {
	t.Helper()
	got, want := s, s
	batch(&got, m)
	batchGeneric(&want, m)
	if got != want {
		t.Fatalf("batch of %x: %x, want %x", s, got, want)
	}
	return got
}

// TestAssembly compares the assembly with its twin in Go, digit for digit. It tests the states that inversions reach,
// and random states with d and e near the ends of (−2m, m) and f and g of up to 257 bits.
func TestAssembly(t *testing.T) {
	asmtest.NeedBroadwell(t, platform.Name())
	r := oracle.New(t)
	random := func() *big.Int {
		p := oracle.FromLimbs(r.Limbs())
		return p.SetBit(p, 0, 1).SetBit(p, 255, 1)
	}
	for i := range oracle.Cases(50000) {
		m, p := &p62, oracle.P
		switch i % 3 {
		case 0:
			m, p = &n62, oracle.N
		case 1:
			p = random()
			m = newModulus62(p)
		}
		f := extremeOf(r, p)
		s := state{r.Int64N(1400) - 700, split(f.SetBit(f, 0, 1)), split(extremeOf(r, p)), split(extremeOf(r, p)), split(extremeOf(r, p))}
		if i%5 == 0 {
			s.zeta = r.Int64N(5) - 2
		}
		compare(t, s, m)
	}
	all := func(m *modulus62, x [4]uint64) {
		t.Helper()
		var s state
		s.start(&x, m)
		for range 10 {
			s = compare(t, s, m)
		}
		if s.g != (signed62{}) {
			t.Fatalf("g is %x after the inversion of %x", s.g, x)
		}
	}
	for _, c := range []struct {
		m *modulus62
		p *big.Int
	}{{&p62, oracle.P}, {&n62, oracle.N}} {
		for _, edges := range [][][32]byte{oracle.FieldEdges(), oracle.ScalarEdges()} {
			for _, b := range edges {
				all(c.m, oracle.Limbs(new(big.Int).Mod(oracle.Int(b[:]), c.p)))
			}
		}
		for range oracle.Cases(2000) {
			all(c.m, oracle.Limbs(new(big.Int).Mod(oracle.FromLimbs(r.Limbs()), c.p)))
			p := random()
			all(newModulus62(p), oracle.Limbs(new(big.Int).Mod(oracle.FromLimbs(r.Limbs()), p)))
		}
	}
	t.Logf("result: %d cases of a batch of divsteps with that in Go", oracle.Cases(50000))
}
