//go:build (amd64 || arm64) && !purego

package field

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
)

// TestAssembly compares the assembly with its twins in Go, limb for limb. On ARM64, square has no assembly.
func TestAssembly(t *testing.T) {
	asmtest.NeedBroadwell(t, platform.Name())
	r := oracle.New(t)
	for range oracle.Cases(100000) {
		i, j := r.Pair(fp)
		x, y := elem(i), elem(j)
		n := 1 + r.IntN(4)
		var got, want Element
		check := func(name string) {
			t.Helper()
			if got.Limbs() != want.Limbs() {
				t.Fatalf("%s of %x and %x, %d: %x, want %x", name, x.Limbs(), y.Limbs(), n, got.Limbs(), want.Limbs())
			}
		}
		mul(&got, &x, &y)
		mulGeneric(&want, &x, &y)
		check("mul")
		square(&got, &x)
		squareGeneric(&want, &x)
		check("square")
		squareN(&got, &x, n)
		squareNGeneric(&want, &x, n)
		check("squareN")
	}
	t.Logf("result: %d cases of mul, square and squareN with those in Go", oracle.Cases(100000))
}
