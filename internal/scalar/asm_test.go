//go:build amd64 && !purego

package scalar

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestAssembly compares the assembly with its twins in Go, limb for limb.
func TestAssembly(t *testing.T) {
	asmtest.Need(t, useBroadwell, "BMI2, ADX or AVX2")
	check := func(a, b Scalar) {
		t.Helper()
		x, y := a, b
		var got, want Scalar
		mulGeneric(&want, &a, &b)
		for i, run := range []func(){
			func() { mulBroadwell(&got, &x, &y) },
			func() { got = x; mulBroadwell(&got, &got, &y) },
			func() { got = y; mulBroadwell(&got, &x, &got) },
		} {
			run()
			if got != want || x != a || y != b {
				t.Fatalf("mul of %x and %x, way %d: %x, want %x", a.Limbs(), b.Limbs(), i, got.Limbs(), want.Limbs())
			}
		}
		mulGeneric(&want, &a, &a)
		mulBroadwell(&x, &x, &x)
		if x != want {
			t.Fatalf("mul of %x by itself, in its place: %x, want %x", a.Limbs(), x.Limbs(), want.Limbs())
		}
	}
	r := oracle.New(t)
	anything := func() Scalar { // any limbs, even if the integer is n or more
		l := r.Limbs()
		return FromLimbs(l[0], l[1], l[2], l[3])
	}
	for range oracle.Cases(50000) {
		check(anything(), anything())
		check(scalarOf(r.Scalar()), scalarOf(r.Scalar()))
		x, y := r.Pair(fn)
		check(scalarOf(x), scalarOf(y))
	}
	for _, x := range oracle.LimbEdges() {
		for _, y := range oracle.LimbEdges() {
			check(FromLimbs(x[0], x[1], x[2], x[3]), FromLimbs(y[0], y[1], y[2], y[3]))
		}
	}
	t.Logf("result: %d cases of the scalars' mul with that in Go", 3*oracle.Cases(50000))
}
