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

// equal compares p with a finite point.
func equal(p *group.Jacobian, want oracle.Point) bool {
	var j group.Jacobian
	j.SetAffine(&group.Affine{X: elem(want.X), Y: elem(want.Y)})
	return p.Equal(&j) != 0
}

// TestGenerator derives every entry from one before it, and some from the oracle.
func TestGenerator(t *testing.T) {
	r := oracle.New(t)
	table := RegularGeneratorVartime()
	odd := GeneratorVartime()
	if len(table) != recode.RegularGeneratorEntries || len(odd) != recode.GeneratorEntries || &odd[0] != &table[0] {
		t.Fatalf("%d entries, %d of odd ones", len(table), len(odd))
	}
	if at := uintptr(unsafe.Pointer(&table[0])); at%64 != 0 {
		t.Errorf("the table is at %#x: its entries lie across cache lines", at)
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
		if atA, atB = a, b; got.Equal(&want) == 0 {
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

// TestFirstUse holds the table to its price: 700 KiB, and 10 ms on an idle machine (this one may be busy).
func TestFirstUse(t *testing.T) {
	best := time.Hour
	for range 3 {
		start := time.Now()
		buildOddVartime()
		half := time.Since(start)
		buildEvenVartime()
		t.Logf("the table takes %v, of which the odd entries %v", time.Since(start), half)
		best = min(best, time.Since(start))
	}
	if best > 100*time.Millisecond {
		t.Errorf("the table takes %v", best)
	}
	if size := uintptr(cap(generator)) * unsafe.Sizeof(generator[0]); size > 700<<10 {
		t.Errorf("the table takes %d bytes", size)
	}
}

func BenchmarkBuildGenerator(b *testing.B) {
	for b.Loop() {
		buildOddVartime()
		buildEvenVartime()
	}
}
