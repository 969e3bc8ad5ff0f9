//go:build linux && amd64 && !purego

package scalar

import (
	"testing"

	"p256k1.mleku.dev/internal/asmtest"
	"p256k1.mleku.dev/internal/oracle"
)

// TestGuard gives the assembly operands next to memory that it must not touch: it would crash.
func TestGuard(t *testing.T) {
	asmtest.Need(t, useADX, "BMI2, ADX or AVX2")
	r := oracle.New(t)
	x, y := scalarOf(r.Scalar()), scalarOf(r.Scalar())
	for _, at := range []asmtest.Where{asmtest.After, asmtest.Before} {
		v, a, b, w := asmtest.New[Scalar](t, at), asmtest.New[Scalar](t, at), asmtest.New[Scalar](t, at), asmtest.New[[8]uint64](t, at)
		*a, *b = x, y
		var want Scalar
		var wide [8]uint64
		mulADX(v, a, b)
		mulGeneric(&want, &x, &y)
		mulWideADX(w, a, b)
		mulWideGeneric(&wide, &x, &y)
		if *v != want || *w != wide || *a != x || *b != y {
			t.Errorf("mul of %x and %x: %x, want %x; mulWide: %x, want %x", x, y, *v, want, *w, wide)
		}
	}
}
