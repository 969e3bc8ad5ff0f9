//go:build (amd64 || arm64) && !purego

package ecmult

import (
	"testing"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
)

// lookupCode is a look-up in assembly and the instruction set extension that it needs.
type lookupCode struct {
	name  string
	needs string
	has   bool
	do    func(p *group.Affine, table []entry, window uint64)
}

// lookups lists the look-ups in assembly: lookup itself, or the routines from which lookup chooses.
var lookups = []lookupCode{{"lookup", "", true, lookup}}

// randomEntry returns an entry with random limbs.
func randomEntry(r *oracle.Rand) entry { return entry{X: r.Limbs(), Y: r.Limbs()} }

// TestLookupTwins compares the look-ups in assembly with the look-up in Go, for all windows of tables of many lengths
// and at all alignments. All bits of the memory around the table are ones, so that reading outside of the table would
// change the result.
func TestLookupTwins(t *testing.T) {
	for _, l := range lookups {
		t.Run(l.name, func(t *testing.T) {
			asmtest.Need(t, l.has, l.needs)
			r := oracle.New(t)
			const words = int(unsafe.Sizeof(entry{}) / 8)
			for n := 4; n <= 128; n *= 2 {
				for offset := range words {
					memory := make([]uint64, (n+16)*words)
					for i := range memory {
						memory[i] = ^uint64(0)
					}
					table := unsafe.Slice((*entry)(unsafe.Pointer(&memory[8*words+offset])), n)
					for i := range table {
						table[i] = randomEntry(r)
					}
					for window := range uint64(2 * n) {
						var got, want group.Affine
						l.do(&got, table, window)
						lookupGeneric(&want, table, window)
						if got.X.Limbs() != want.X.Limbs() || got.Y.Limbs() != want.Y.Limbs() {
							t.Fatalf("%d entries, window %d: %x, %x, want %x, %x",
								n, window, got.X.Limbs(), got.Y.Limbs(), want.X.Limbs(), want.Y.Limbs())
						}
					}
				}
			}
		})
	}
}

// TestLookupNegative compares the look-ups in assembly with the look-up in Go for entries whose y is an edge case, with
// digits of both signs.
func TestLookupNegative(t *testing.T) {
	for _, l := range lookups {
		t.Run(l.name, func(t *testing.T) {
			asmtest.Need(t, l.has, l.needs)
			r := oracle.New(t)
			table := make([]entry, recode.VariableEntries)
			check := func(y [4]uint64) {
				t.Helper()
				window := r.Uint64N(2 * recode.VariableEntries)
				for i := range table {
					table[i].Y = y
				}
				var got, want group.Affine
				l.do(&got, table, window)
				lookupGeneric(&want, table, window)
				if got.Y.Limbs() != want.Y.Limbs() {
					t.Fatalf("window %d of %x: %x, want %x", window, y, got.Y.Limbs(), want.Y.Limbs())
				}
			}
			for _, y := range oracle.LimbEdges() {
				check(y)
			}
			for _, b := range oracle.FieldEdges() {
				check(oracle.Limbs(oracle.Int(b[:])))
			}
			for range oracle.Cases(10000) {
				check(r.Limbs())
			}
			t.Logf("result: %d cases of %s, a look-up, with that in Go", oracle.Cases(10000), l.name)
		})
	}
}
