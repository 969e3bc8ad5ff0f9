//go:build exhaustive

package exhaustive

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// TestScalars calls functions of package curve, and of package scalar, with every pair of scalars.
func TestScalars(t *testing.T) {
	c := newCount(t, "scalar arithmetic")
	check := func(what string, a, b int, got *curve.Scalar, want int) {
		same(t, intOf(got), mod(want), "%s of %d and %d", what, a, b)
		c.add("results")
	}
	for v := range c.every(cases(t), n, n) {
		a, b := v[0], v[1]
		x, y, i := curveScalar(a), curveScalar(b), c.IntN(2)
		z := new(curve.Scalar)
		check("Add", a, b, z.Add(x, y), a+b)
		check("Sub", a, b, z.Sub(x, y), a-b)
		check("Mul", a, b, z.Mul(x, y), a*b)
		check("Select", a, b, z.Select(x, y, i), []int{b, a}[i])
		check("CondNegate", a, i, z.CondNegate(x, i), []int{a, -a}[i])
		same(t, x.Equal(y), choose(a == b, 1, 0), "Equal of %d and %d", a, b)
	}
	for k := range 2*n + 3 {
		b := bytes32(k)
		s, err := new(curve.Scalar).SetBytes(b[:])
		failsLike(t, err, k < n, curve.ErrRange, "scalar %d", k)
		if k < n {
			check("SetBytes", k, k, s, k)
			check("Negate", k, k, new(curve.Scalar).Negate(s), -k)
			check("Invert", k, k, new(curve.Scalar).Invert(s), inverse[k])
			check("InvertVartime", k, k, new(curve.Scalar).InvertVartime(s), inverse[k])
			a, half := scalarOf(k), scalar.Scalar{}
			half.Half(&a)
			failIf(t, half != scalarOf(mod(k*inverse[2])), "Half of %d is %v", k, half)
			failIf(t, s.IsZero() == 1 != (k == 0) || s.IsHigh() == 1 != (k > (n-1)/2), "IsZero or IsHigh of %d", k)
		}
		for range 10 {
			b = congruent(c.Rand, k%n)
			check("SetBytesReduced", k, k, new(curve.Scalar).SetBytesReduced(&b), k)
		}
	}
}

// TestLifts checks how this build replaces scalars before multiplications, and checks the split, which is the code of
// secp256k1 with a lattice of this group.
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
			same(t, v.Mod(v, order).Int64(), int64(k), "%s of %d mod n", name, k)
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
				failIf(t, k1.BitLen() > 128 || k2.BitLen() > 128, "Split of %d has parts %x and %x", k, k1, k2)
				c.addIf(k1.BitLen() > 120 && k2.BitLen() > 120, "into halves longer than 120 bits")
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
