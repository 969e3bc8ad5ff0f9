package ecmult

import (
	"math/big"
	"testing"
	"time"
	"unsafe"

	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/oracle"
	"p256k1.mleku.dev/internal/recode"
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
	buildVartimeTables()
	if len(generatorTable) != recode.GeneratorEntries {
		t.Fatalf("generatorTable has %d entries", len(generatorTable))
	}
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

	if at := uintptr(unsafe.Pointer(&generatorTable[0])); at%64 != 0 {
		t.Errorf("generatorTable is at %#x: its entries lie across cache lines", at)
	}
	endo := jacobian(r, oracle.G.Endo())
	base.SetAffine(&group.Generator)
	atA, atB := 1, 0
	want.Set(&base)
	move := func(steps int, p group.Jacobian) { // want += steps·p
		p.CondNegate(&p, uint64(int64(steps)>>63))
		for range max(steps, -steps) {
			want.AddVartime(&want, &p)
		}
	}
	for i := range generatorTable {
		got.SetAffine(&generatorTable[i])
		a, b := recode.GeneratorMultiple(i)
		move(a-atA, base)
		move(b-atB, endo)
		if atA, atB = a, b; got.Equal(&want) == 0 {
			t.Fatalf("generatorTable: entry %d is not (%d + %d·λ)·G", i, a, b)
		}
		if r.IntN(256) == 0 {
			k := new(big.Int).Mul(big.NewInt(int64(b)), oracle.Lambda)
			if !point(&got).Equal(oracle.G.Mul(k.Add(k, big.NewInt(int64(a))))) {
				t.Fatalf("generatorTable: entry %d is not (%d + %d·λ)·G, says the oracle", i, a, b)
			}
		}
	}
}

// TestFirstUse holds the tables to their price: 600 KiB, and 10 ms each on an idle machine (this one may be busy).
func TestFirstUse(t *testing.T) {
	if size := unsafe.Sizeof(baseTable) + uintptr(cap(generatorTable))*unsafe.Sizeof(generatorTable[0]); size > 600<<10 {
		t.Errorf("the tables take %d bytes", size)
	}
	for _, c := range []struct {
		name  string
		build func()
	}{{"baseTable", buildBaseTable}, {"the tables for sums", buildVartimeTables}} {
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
