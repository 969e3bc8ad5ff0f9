//go:build exhaustive

package exhaustive

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// TestScalars does everything to every scalar and every two.
func TestScalars(t *testing.T) {
	c := newCount(t, "scalar arithmetic")
	all := ^uint64(0)
	check := func(name string, a, b int, got *scalar.Scalar, want int) {
		t.Helper()
		if w := scalarOf(mod(want)); *got != w {
			t.Fatalf("%s of %d and %d: %v, want %d", name, a, b, *got, mod(want))
		}
		c.add("results")
	}
	mask := func(name string, a int, got uint64, want bool) {
		t.Helper()
		if got != 0 && got != all || (got != 0) != want {
			t.Fatalf("%s of %d: %x", name, a, got)
		}
		c.add("results")
	}
	for k := range n {
		a := scalarOf(k)
		var v scalar.Scalar
		check("SetUint64", k, k, v.SetUint64(uint64(k)), k)
		check("Negate", k, k, v.Negate(&a), -k)
		check("CondNegate", k, k, v.CondNegate(&a, all), -k)
		check("CondNegate", k, k, v.CondNegate(&a, 0), k)
		check("Half", k, k, v.Half(&a), k*inverse[2])
		check("Invert", k, k, v.Invert(&a), inverse[k])
		check("InvertVartime", k, k, v.InvertVartime(&a), inverse[k])
		mask("IsZero", k, a.IsZero(), k == 0)
		mask("IsHigh", k, a.IsHigh(), k > (n-1)/2)
		for i := range 10 {
			b := congruent(c.Rand, k)
			if i == 0 {
				b = bytes32(k)
			}
			canonical := v.SetBytes(&b)
			mask("SetBytes", k, canonical, b == bytes32(k))
			check("SetBytes", k, k, &v, k)
			if v.FillBytes(&b); b != bytes32(k) {
				t.Fatalf("FillBytes of %d: %x", k, b)
			}
		}
	}
	for v := range c.every(cases(t), n, n) {
		x, y := v[0], v[1]
		a, b := scalarOf(x), scalarOf(y)
		var z scalar.Scalar
		check("Add", x, y, z.Add(&a, &b), x+y)
		check("Sub", x, y, z.Sub(&a, &b), x-y)
		check("Mul", x, y, z.Mul(&a, &b), x*y)
		check("Select", x, y, z.Select(&a, &b, all), x)
		check("Select", x, y, z.Select(&a, &b, 0), y)
		mask("Equal", x, a.Equal(&b), x == y)
	}
}

// TestLifts checks what this build does to scalars before multiplications, and the split, which is the code of secp256k1 with
// a lattice of this group.
func TestLifts(t *testing.T) {
	c := newCount(t, "the split by the endomorphism")
	defer func() { scalar.Lifts = scalar.Random }()
	order, lambda := big.NewInt(n), big.NewInt(params.Lambda)
	integer := func(h scalar.Signed128) *big.Int {
		v := oracle.FromLimbs([4]uint64{h.Lo, h.Hi})
		if h.Neg != 0 {
			v.Neg(v)
		}
		return v
	}
	for k := range n {
		s := scalarOf(k)
		check := func(name string, v *big.Int) {
			t.Helper()
			if v := v.Mod(v, order); v.Int64() != int64(k) {
				t.Fatalf("%s of %d is %d mod n", name, k, v)
			}
		}
		for _, scalar.Lifts = range []scalar.Lift{scalar.Least, scalar.Greatest, scalar.Random} {
			for range max(10, cases(t)/n/4) {
				v := oracle.FromLimbs(s.Limbs())
				switch {
				case scalar.Lifts == scalar.Least && v.Cmp(big.NewInt(n)) >= 0, scalar.Lifts == scalar.Greatest && v.BitLen() < 256:
					t.Fatalf("the lift %d of %d is %x", scalar.Lifts, k, v)
				}
				check("lift", v)
				h1, h2 := s.Split()
				k1, k2 := integer(h1), integer(h2)
				if k1.BitLen() > 128 || k2.BitLen() > 128 {
					t.Fatalf("Split of %d has parts %x and %x", k, k1, k2)
				}
				if k1.BitLen() > 120 && k2.BitLen() > 120 {
					c.add("into halves longer than 120 bits")
				}
				check("sum of the split", new(big.Int).Add(k1, new(big.Int).Mul(k2, lambda)))
				c.add("splits of all scalars")
				if scalar.Lifts != scalar.Random {
					break
				}
			}
		}
	}
	if long, all := c.results["into halves longer than 120 bits"], c.results["splits of all scalars"]; long < all/2 {
		t.Errorf("only %d of %d splits are as long as those of secp256k1", long, all)
	}
}
