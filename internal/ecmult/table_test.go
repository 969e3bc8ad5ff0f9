package ecmult

import (
	"math/big"
	"testing"
	"time"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
)

// baseEntry is what these tests know of the layout of tables for constant-time look-ups.

func baseEntry(i, j int) *group.Affine {
	t := &baseTable[i][j]
	return &group.Affine{X: elem(oracle.FromLimbs(t.x)), Y: elem(oracle.FromLimbs(t.y))}
}

// TestLookup reads all windows of both widths.
func TestLookup(t *testing.T) {
	r := oracle.New(t)
	for _, w := range []int{recode.BaseWidth, recode.VariableWidth} {
		n := 1 << (w - 1)
		table := make([]entry, n)
		points := make([]oracle.Point, n)
		for j := range points {
			points[j] = r.Point()
			table[j].set(&group.Affine{X: elem(points[j].X), Y: elem(points[j].Y)})
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
			if j.SetAffine(&p); !point(&j).Equal(want) {
				t.Errorf("width %d, window %d: %x, want %x", w, window, point(&j), want)
			}
		}
	}
}

// TestTables derives every entry from one before it, and some from the oracle.
func TestTables(t *testing.T) {
	buildBaseTable()
	r := oracle.New(t)
	var base, twice, want, got group.Jacobian
	base.SetAffine(&group.Generator)
	for i := range baseTable {
		twice.Double(&base)
		want.Set(&base)
		for j := range baseTable[i] {
			if got.SetAffine(baseEntry(i, j)); got.Equal(&want) == 0 {
				t.Fatalf("baseTable: entry %d of row %d is wrong", j, i)
			}
			if j == 0 || j == recode.BaseEntries-1 || r.IntN(recode.BaseEntries/8) == 0 {
				k := new(big.Int).Lsh(big.NewInt(int64(2*j+1)), recode.BaseWidth*uint(i))
				if !point(&got).Equal(oracle.G.Mul(k)) {
					t.Fatalf("baseTable: entry %d of row %d is not %x·G", j, i, k)
				}
			}
			want.AddVartime(&want, &twice)
		}
		for range recode.BaseWidth {
			base.Double(&base)
		}
	}
}

// TestFirstUse holds the tables to their price: 88 or 280 KiB, and 10 ms each on an idle machine (this one may be busy).
func TestFirstUse(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func()
		size  uintptr
		most  uintptr
	}{
		{"the table of Base", buildBaseTable, unsafe.Sizeof(baseTable), 88 << 10},
		{"the table of a key", func() { precomputed(oracle.G) }, uintptr(recode.PrecomputedKey.Table) * unsafe.Sizeof(group.Affine{}), 88 << 10},
		{"the multiples of G for all places", buildGeneratorPrecomputedVartime,
			uintptr(recode.PrecomputedGenerator.Table) * unsafe.Sizeof(group.Affine{}), 280 << 10},
	} {
		if c.size > c.most {
			t.Errorf("%s takes %d bytes", c.name, c.size)
		}
		best := time.Hour
		for range 3 {
			start := time.Now()
			c.build()
			best = min(best, time.Since(start))
		}
		t.Logf("%s takes %v", c.name, best)
		if best > 100*time.Millisecond {
			t.Errorf("%s takes %v", c.name, best)
		}
	}
}
