//go:build linux && (amd64 || arm64) && !purego

package modinv

import (
	"testing"

	"p256k1.mleku.dev/internal/asmtest"
	"p256k1.mleku.dev/internal/backend"
	"p256k1.mleku.dev/internal/oracle"
)

// TestGuard gives the assembly operands next to memory that it must not touch: it would crash.
func TestGuard(t *testing.T) {
	asmtest.Need(t, backend.Name() != backend.Portable, "BMI2, ADX or AVX2")
	x := oracle.New(t).Limbs()
	x[3] >>= 1
	for _, at := range []asmtest.Where{asmtest.After, asmtest.Before} {
		s, m := asmtest.New[state](t, at), asmtest.New[Modulus](t, at)
		*m = N
		s.start(&x, m)
		want := *s
		batchGeneric(&want, &N)
		if batch(s, m); *s != want || *m != N {
			t.Errorf("batch for %x: %x, want %x", x, *s, want)
		}
	}
}
