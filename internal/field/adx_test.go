//go:build amd64 && !purego

package field

import (
	"os"
	"testing"

	"p256k1.mleku.dev/internal/oracle"
)

// needADX skips a test of the assembly where the processor cannot run it; in CI that is a failure.
func needADX(t *testing.T) {
	t.Helper()
	if !useADX {
		if os.Getenv("CI") != "" && os.Getenv("GODEBUG") == "" {
			t.Fatal("this processor lacks BMI2, ADX or AVX2: the assembly goes untested")
		}
		t.Skip("this processor does not run the assembly")
	}
}

// TestADX compares the assembly with its twins in Go, limb for limb.
func TestADX(t *testing.T) {
	needADX(t)
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
