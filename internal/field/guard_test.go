//go:build linux && (amd64 || arm64) && !purego

package field

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
)

// TestGuard places the operands of the assembly next to pages without access, so that reading or writing outside of the
// operands crashes.
func TestGuard(t *testing.T) {
	asmtest.NeedBroadwell(t, platform.Name())
	r := oracle.New(t)
	x, y := elem(oracle.FromLimbs(r.Limbs())), elem(oracle.FromLimbs(r.Limbs()))
	for _, side := range []asmtest.Where{asmtest.After, asmtest.Before} {
		v, a, b := asmtest.New[Element](t, side), asmtest.New[Element](t, side), asmtest.New[Element](t, side)
		a.Set(&x)
		b.Set(&y)
		var want Element
		check := func(name string) {
			t.Helper()
			if v.Equal(&want) == 0 || a.Limbs() != x.Limbs() || b.Limbs() != y.Limbs() {
				t.Errorf("%s of %x and %x: %x, want %x", name, x.Limbs(), y.Limbs(), v.Limbs(), want.Limbs())
			}
		}
		mul(v, a, b)
		mulGeneric(&want, &x, &y)
		check("mul")
		square(v, a)
		squareGeneric(&want, &x)
		check("square")
		squareN(v, a, 3)
		squareNGeneric(&want, &x, 3)
		check("squareN")
	}
}
