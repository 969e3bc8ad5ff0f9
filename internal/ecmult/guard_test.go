//go:build linux && (amd64 || arm64) && !purego

package ecmult

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
)

// TestGuard places the operands of the look-ups next to pages without access, so that reading or writing outside of the
// operands crashes.
func TestGuard(t *testing.T) {
	for _, l := range lookups {
		t.Run(l.name, func(t *testing.T) {
			asmtest.Need(t, l.has, l.needs)
			r := oracle.New(t)
			for _, n := range []int{recode.VariableEntries, recode.BaseEntries} {
				for _, side := range []asmtest.Where{asmtest.After, asmtest.Before} {
					p, table := asmtest.New[group.Affine](t, side), asmtest.Slice[entry](t, n, side)
					for i := range table {
						table[i] = randomEntry(r)
					}
					for window := range uint64(2 * n) {
						var want group.Affine
						l.do(p, table, window)
						lookupGeneric(&want, table, window)
						if p.X.Limbs() != want.X.Limbs() || p.Y.Limbs() != want.Y.Limbs() {
							t.Fatalf("window %d of %d entries is wrong", window, n)
						}
					}
				}
			}
		})
	}
}
