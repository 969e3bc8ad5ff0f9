package ecmult

import (
	"testing"
	"time"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

// TestLookup looks up all windows in tables for both widths of digits, and negates entries with every edge case of y.
func TestLookup(t *testing.T) {
	r := oracle.New(t)
	for _, w := range []int{recode.BaseWidth, recode.VariableWidth} {
		n := 1 << (w - 1)
		table := make([]entry, n)
		points := make([]oracle.Point, n)
		for j := range points {
			points[j] = r.Point()
			table[j].Set(&group.Affine{X: elem(points[j].X), Y: elem(points[j].Y)})
		}
		for window := range uint64(1 << w) {
			digit := 2*int(window) - (1<<w - 1)
			want := points[max(digit, -digit)/2]
			if digit < 0 {
				want = want.Neg()
			}
			var p group.Affine
			var j group.Jacobian
			lookup(&p, table, window)
			j.SetAffine(&p)
			if !point(&j).Equal(want) {
				t.Errorf("width %d, window %d: %x, want %x", w, window, point(&j), want)
			}
		}
		for _, b := range oracle.FieldEdges() { // 0 and p among them
			y := oracle.Int(b[:])
			for j := range table {
				table[j].Y = oracle.Limbs(y)
			}
			var p group.Affine
			lookup(&p, table, r.Uint64N(uint64(n)))
			if got := oracle.FromLimbs(p.Y.Limbs()); oracle.Fp.Add(got, y).Sign() != 0 {
				t.Errorf("width %d: −%x = %x", w, y, got)
			}
		}
	}
}

// TestKeyFirstUse checks that the table of a key takes at most 88 KiB, and that each entry fills one cache line. It
// also checks that the table is built in at most 100 ms. An idle machine needs less than 1 ms.
func TestKeyFirstUse(t *testing.T) {
	const limit = 100 * time.Millisecond
	best := time.Hour
	for try := 0; try < 3 || (best > limit && try < 50); try++ {
		start := time.Now()
		table := precomputed(oracle.G)
		best = min(best, time.Since(start))
		if address := uintptr(unsafe.Pointer(table)); address%64 != 0 {
			t.Errorf("the table is at %#x: its entries lie across cache lines", address)
		}
	}
	t.Logf("it takes %v", best)
	if best > limit {
		t.Errorf("it takes %v", best)
	}
	if size := unsafe.Sizeof(tables.Precomputed{}); size > 88<<10 {
		t.Errorf("it takes %d bytes", size)
	}
}
