package tables

import (
	"math/big"
	"testing"
	"time"
	"unsafe"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
)

func elem(x *big.Int) field.Element {
	l := oracle.Limbs(x)
	return field.FromLimbs(l[0], l[1], l[2], l[3])
}

// equal reports whether p is the finite point want.
func equal(p *group.Jacobian, want oracle.Point) bool {
	var j group.Jacobian
	j.SetAffine(&group.Affine{X: elem(want.X), Y: elem(want.Y)})
	return p.Equal(&j) != 0
}

// TestGenerator compares every entry with the previous entry plus a step, and some entries with the oracle.
func TestGenerator(t *testing.T) {
	r := oracle.New(t)
	table := RegularGeneratorVartime()
	odd := GeneratorVartime()
	if len(table) != recode.RegularGeneratorEntries || len(odd) != recode.GeneratorEntries || &odd[0] != &table[0] {
		t.Fatalf("%d entries, %d of odd ones", len(table), len(odd))
	}
	endo := oracle.G.Endo()
	var base, lambda, want, got group.Jacobian
	base.SetAffine(&group.Generator)
	lambda.SetAffine(&group.Affine{X: elem(endo.X), Y: elem(endo.Y)})
	atA, atB := 1, 0
	want.Set(&base)
	move := func(steps int, p group.Jacobian) { // want += steps·p
		p.CondNegate(&p, uint64(int64(steps)>>63))
		for range max(steps, -steps) {
			want.AddVartime(&want, &p)
		}
	}
	for i := range table {
		got.SetAffine(&table[i])
		a, b := recode.RegularGeneratorMultiple(i)
		move(a-atA, base)
		move(b-atB, lambda)
		atA, atB = a, b
		if got.Equal(&want) == 0 {
			t.Fatalf("entry %d is not (%d + %d·λ)·G", i, a, b)
		}
		if r.IntN(256) == 0 || i == len(table)-1 {
			k := new(big.Int).Mul(big.NewInt(int64(b)), oracle.Lambda)
			if !equal(&got, oracle.G.Mul(k.Add(k, big.NewInt(int64(a))))) {
				t.Fatalf("entry %d is not (%d + %d·λ)·G, says the oracle", i, a, b)
			}
		}
	}
}

// point returns the point whose coordinates have the limbs x and y.
func point(x, y [4]uint64) (p group.Jacobian) {
	p.SetAffine(&group.Affine{X: field.FromLimbs(x[0], x[1], x[2], x[3]), Y: field.FromLimbs(y[0], y[1], y[2], y[3])})
	return p
}

// TestBase compares every entry of the tables for secret scalars with the previous entry plus a step, and some entries
// with the oracle.
func TestBase(t *testing.T) {
	side := func(words func(k int) uint64) group.Jacobian { // reads an entry of a row in the layout of LanesRow
		return point([4]uint64{words(0), words(1), words(2), words(3)}, [4]uint64{words(4), words(5), words(6), words(7)})
	}
	r := oracle.New(t)
	for _, c := range []struct {
		name          string
		rows, entries int
		width         uint
		entry         func(i, j int) group.Jacobian
	}{
		{"Base", recode.BaseDigits, recode.BaseEntries, recode.BaseWidth, func(i, j int) group.Jacobian {
			return point(Base()[i][j].X, Base()[i][j].Y)
		}},
		{"BaseLanes", recode.LanesDigits, recode.LanesEntries, recode.LanesWidth, func(i, j int) group.Jacobian {
			return side(func(k int) uint64 { return BaseLanes()[i][k][j] })
		}},
		{"BaseLanesOne", recode.VariableDigits, recode.VariableEntries, recode.VariableWidth, func(i, j int) group.Jacobian {
			return side(func(k int) uint64 { return BaseLanesOne()[i][k][j] })
		}},
	} {
		var base, twice, want group.Jacobian
		base.SetAffine(&group.Generator)
		for i := range c.rows {
			twice.Double(&base)
			want.Set(&base)
			for j := range c.entries {
				got := c.entry(i, j)
				if got.Equal(&want) == 0 {
					t.Fatalf("%s: entry %d of row %d is wrong", c.name, j, i)
				}
				if j == 0 || j == c.entries-1 || r.IntN(c.entries/8) == 0 {
					k := new(big.Int).Lsh(big.NewInt(int64(2*j+1)), c.width*uint(i))
					if !equal(&got, oracle.G.Mul(k)) {
						t.Fatalf("%s: entry %d of row %d is not %x·G", c.name, j, i, k)
					}
				}
				want.AddVartime(&want, &twice)
			}
			for range c.width {
				base.Double(&base)
			}
		}
	}
	for i, row := range BaseLanesOne()[recode.VariableDigits:] {
		if row != (LanesOneRow{}) {
			t.Errorf("row %d, after the last window of BaseLanesOne, is not zero", i)
		}
	}
}

// TestPrecomputed compares every entry of some tables with the result of repeated additions, and some entries with the
// oracle.
func TestPrecomputed(t *testing.T) {
	r := oracle.New(t)
	check := func(f *recode.PrecomputedForm, p oracle.Point, table []group.Affine) {
		t.Helper()
		if len(table) != f.Table {
			t.Errorf("the table has %d entries", len(table))
		}
		var base group.Jacobian
		base.SetAffine(&group.Affine{X: elem(p.X), Y: elem(p.Y)})
		windows := recode.WindowsOf(f.Width)
		for row := range f.Places {
			var omega, first, want, got group.Jacobian // first is v·ω·2ʷⁱ
			omega.Set(&base)
			omega.X.Mul(&omega.X, &group.Beta)
			omega.AddVartime(&omega, &base)
			place := table[row*f.Entries():]
			for v := range 1 << f.Width {
				for i, u := range windows.U {
					if int(windows.V[i]) != v || i >= len(place) {
						continue
					}
					want.Set(&first)
					for range u {
						want.AddVartime(&want, &base)
					}
					got.SetAffine(&place[i])
					if got.Equal(&want) == 0 {
						t.Fatalf("entry %d is not (%d + %d·ω)·2^%d times the point", i, u, v, f.Width*row)
					}
					if r.IntN(200) == 0 {
						k := new(big.Int).Mul(big.NewInt(int64(v)), new(big.Int).Add(big.NewInt(1), oracle.Lambda))
						k.Lsh(k.Add(k, big.NewInt(int64(u))), uint(f.Width*row))
						if !equal(&got, p.Mul(oracle.Fn.Reduce(k))) {
							t.Fatalf("entry %d is not %x times the point, says the oracle", i, k)
						}
					}
				}
				first.AddVartime(&first, &omega)
			}
			base.DoubleN(&base, f.Width)
		}
	}
	for _, p := range []oracle.Point{oracle.G, r.Point(), oracle.EdgePoints()[0]} {
		table := make([]group.Affine, recode.PrecomputedKey.Table)
		FillPrecomputedVartime(table, &group.Affine{X: elem(p.X), Y: elem(p.Y)}, &recode.PrecomputedKey)
		check(&recode.PrecomputedKey, p, table)
	}
	check(&recode.PrecomputedGenerator, oracle.G, PrecomputedVartime())
}

// TestFirstUse checks that no table is larger than builders allows, and that each is aligned to cache lines. It also
// checks that each table is built in at most 100 ms. An idle machine needs at most 10 ms, even with 32-bit words.
func TestFirstUse(t *testing.T) {
	const limit = 100 * time.Millisecond
	for _, c := range builders {
		best := time.Hour
		for try := 0; try < 3 || (best > limit && try < 50); try++ {
			start := time.Now()
			c.build()
			best = min(best, time.Since(start))
		}
		t.Logf("%s takes %v", c.name, best)
		if best > limit {
			t.Errorf("%s takes %v", c.name, best)
		}
		address, size := c.made()
		if uintptr(address)%64 != 0 {
			t.Errorf("%s is at %p: its entries lie across cache lines", c.name, address)
		}
		if size > c.most<<10 {
			t.Errorf("%s takes %d bytes", c.name, size)
		}
	}
}

// builders lists the functions that build the tables. The field most is the largest size that the table may have, in
// KiB.
var builders = []struct {
	name  string
	build func()
	made  func() (unsafe.Pointer, uintptr)
	most  uintptr
}{
	{"Base", buildBase, func() (unsafe.Pointer, uintptr) { return unsafe.Pointer(base), unsafe.Sizeof(*base) }, 88},
	{"BaseLanes", buildBaseLanes, func() (unsafe.Pointer, uintptr) { return unsafe.Pointer(baseLanes), unsafe.Sizeof(*baseLanes) }, 148},
	{"BaseLanesOne", buildBaseLanesOne, func() (unsafe.Pointer, uintptr) { return unsafe.Pointer(baseLanesOne), unsafe.Sizeof(*baseLanesOne) }, 32},
	{"Generator", buildGeneratorVartime, func() (unsafe.Pointer, uintptr) { return unsafe.Pointer(generator), unsafe.Sizeof(*generator) }, 700},
	{"RegularGenerator", buildRegularGeneratorVartime, func() (unsafe.Pointer, uintptr) { return unsafe.Pointer(generator), unsafe.Sizeof(*generator) }, 700},
	{"Precomputed", buildPrecomputedVartime, func() (unsafe.Pointer, uintptr) {
		return unsafe.Pointer(&precomputed[0]), uintptr(cap(precomputed)) * unsafe.Sizeof(precomputed[0])
	}, 280},
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range builders {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.build()
			}
		})
	}
}
