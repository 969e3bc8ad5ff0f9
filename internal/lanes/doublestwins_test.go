//go:build linux && amd64 && !purego

package lanes

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"

	"p256k1.mleku.dev/v2/internal/asmtest"
	"p256k1.mleku.dev/v2/internal/asmtest/mxcsr"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/recode"
	"p256k1.mleku.dev/v2/internal/tables"
)

var inFMA = version{
	mulVartimeFMA, addVartimeFMA, subVartimeFMA, squareNVartimeFMA, squarePairNVartimeFMA, squareTripleNVartimeFMA,
	negateVartimeFMA, blendVartimeFMA, packVartimeFMA, doubleNegateNVartimeFMA, doubleNegatePairNVartimeFMA, addMixedVartimeFMA,
	addCoZVartimeFMA, addAffinePairVartimeFMA, addMixedXYZZVartimeFMA, addXYZZVartimeFMA, completeVartimeFMA,
	completeRescaledVartimeFMA, gatherPointVartimeFMA, gatherGeneratorVartimeFMA, gatherVartimeFMA, loadElementsVartimeFMA,
	loadPointsVartimeFMA,
}

// needFMA skips a test if the processor cannot run the assembly in doubles. It does not ask platform.FMA, which is
// false if there is AVX-512 IFMA.
func needFMA(t *testing.T) {
	t.Helper()
	asmtest.Need(t, cpu.X86.HasAVX2 && cpu.X86.HasFMA, "AVX2 or FMA3")
}

// guarded returns operands each of which is next to a page without access.
func guarded(t *testing.T, side asmtest.Where) *operands {
	o := newOperands(func(n int) []uint64 { return asmtest.Slice[uint64](t, n, side) })
	o.generator = asmtest.New[tables.Generator](t, side)
	*o.generator = *tables.RegularGeneratorVartime()
	return o
}

// TestDoublesTwins compares the assembly in doubles with its twins in Go, bit by bit, for every mask of lanes. Operands
// and results are next to pages without access.
func TestDoublesTwins(t *testing.T) {
	needFMA(t)
	r := oracle.New(t)
	all, _ := numbers(r)
	classesOnce.Do(buildClasses)
	start, want := newOperands(zerosOnHeap), newOperands(zerosOnHeap)
	sides := []*operands{guarded(t, asmtest.After), guarded(t, asmtest.Before)}
	rounds := max(320, oracle.Cases(2000))
	for round := range rounds {
		k := uint8(round)
		if round >= 256 && round%2 == 0 {
			k = 255 // has code of its own
		}
		start.random(r, all)
		for _, f := range runs(k, uint8(r.Uint64()), 1+round%N, r.IntN(recode.RegularPointDigits)) {
			want.set(start)
			f.call(&inGoDoubles, want)
			o := sides[r.IntN(2)]
			o.set(start)
			f.call(&inFMA, o)
			for i := range want.memory {
				if !slices.Equal(o.memory[i], want.memory[i]) {
					t.Fatalf("%s%s, lanes %08b: operand %d is %x, want %x", f.name, f.how, k, i, o.memory[i], want.memory[i])
				}
			}
		}
	}
	t.Logf("result: %d cases of each routine in doubles with its twin in Go", N*rounds)
}

// TestControl calls the routines with other control bits in MXCSR: each way to round, denormal numbers taken as zero in
// operands or in results, and each exception unmasked, so that it would trap. The results must be the same, and the
// control bits must stay.
func TestControl(t *testing.T) {
	needFMA(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector computes with doubles
	const controls, normal = 0xFFC0, 0x1F80
	words := []uint32{normal, normal | 1<<13, normal | 2<<13, normal | 3<<13, normal | 1<<15, normal | 1<<6, 1<<15 | 3<<13 | 1<<6}
	for exception := 7; exception <= 12; exception++ {
		words = append(words, normal&^(1<<exception))
	}
	r := oracle.New(t)
	all, _ := numbers(r)
	classesOnce.Do(buildClasses)
	begin, want, got := newOperands(zerosOnHeap), newOperands(zerosOnHeap), newOperands(zerosOnHeap)
	for _, word := range words {
		begin.random(r, all)
		for _, f := range runs(uint8(r.Uint64()), uint8(r.Uint64()), 1+r.IntN(N), r.IntN(recode.RegularPointDigits)) {
			want.set(begin)
			got.set(begin)
			f.call(&inFMA, want)
			before := mxcsr.Get()
			mxcsr.Set(word)
			f.call(&inFMA, got)
			after := mxcsr.Get()
			mxcsr.Set(before)
			if after&controls != word {
				t.Errorf("%s: MXCSR is %#x, want %#x", f.name, after, word)
			}
			for i := range want.memory {
				if !slices.Equal(got.memory[i], want.memory[i]) {
					t.Errorf("%s, MXCSR %#x: operand %d is %x, want %x", f.name, word, i, got.memory[i], want.memory[i])
				}
			}
		}
	}
}
