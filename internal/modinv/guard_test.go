//go:build linux && (amd64 || arm64) && !purego

package modinv

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
	x := oracle.New(t).Limbs()
	x[3] >>= 1
	for _, side := range []asmtest.Where{asmtest.After, asmtest.Before} {
		s, m := asmtest.New[state](t, side), asmtest.New[modulus62](t, side)
		*m = n62
		s.start(&x, m)
		want := *s
		batchGeneric(&want, &n62)
		batch(s, m)
		if *s != want || *m != n62 {
			t.Errorf("batch for %x: %x, want %x", x, *s, want)
		}
	}
}
