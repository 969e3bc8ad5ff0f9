//go:build linux && amd64 && !purego

package scalar

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestGuard places the operands of the assembly next to pages without access, so that reading or writing outside of the
// operands crashes.
func TestGuard(t *testing.T) {
	asmtest.Need(t, useBroadwell, "BMI2, ADX or AVX2")
	r := oracle.New(t)
	x, y := scalarOf(r.Scalar()), scalarOf(r.Scalar())
	for _, side := range []asmtest.Where{asmtest.After, asmtest.Before} {
		v, a, b := asmtest.New[Scalar](t, side), asmtest.New[Scalar](t, side), asmtest.New[Scalar](t, side)
		*a, *b = x, y
		var want Scalar
		mulBroadwell(v, a, b)
		mulGeneric(&want, &x, &y)
		if *v != want || *a != x || *b != y {
			t.Errorf("mul of %x and %x: %x, want %x", x, y, *v, want)
		}
	}
}
