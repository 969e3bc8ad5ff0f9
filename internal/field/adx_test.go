//go:build amd64 && !purego

package field

import (
	"testing"

	"p256k1.mleku.dev/internal/asmtest"
	"p256k1.mleku.dev/internal/oracle"
)

// TestADX compares the assembly with its twins in Go, limb for limb.
func TestADX(t *testing.T) {
	asmtest.Need(t, useADX, "BMI2, ADX or AVX2")
	r := oracle.New(t)
	for range rounds(100000) {
		x, y := elem(oracle.FromLimbs(r.Limbs())), elem(oracle.FromLimbs(r.Limbs()))
		n := 1 + r.IntN(4)
		var got, want Element
		check := func(name string) {
			t.Helper()
			if got.Limbs() != want.Limbs() {
				t.Fatalf("%s of %x and %x, %d: %x, want %x", name, x.Limbs(), y.Limbs(), n, got.Limbs(), want.Limbs())
			}
		}
		mulADX(&got, &x, &y)
		mulGeneric(&want, &x, &y)
		check("mul")
		squareADX(&got, &x)
		squareGeneric(&want, &x)
		check("square")
		squareNADX(&got, &x, n)
		squareNGeneric(&want, &x, n)
		check("squareN")
	}
}
