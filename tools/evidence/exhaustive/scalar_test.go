//go:build exhaustive

package exhaustive

import (
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
)

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
