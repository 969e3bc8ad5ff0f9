package model

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/cpu"
)

var update = flag.Bool("update", false, "write testdata/budget.txt")

// tolerance is the largest accepted difference from the budget, as a fraction of the budget. Smaller differences may be
// caused by another version of Go.
const tolerance = 0.03

// calls is the number of calls of an operation, each on a different input.
const calls = 4

// TestBudget counts the instructions of operations on ARM64. The test fails if a count differs from the budget by more
// than the tolerance. If there are fewer instructions, the flag -update records the improvement.
func TestBudget(t *testing.T) {
	err := Available()
	if err != nil {
		libtest.Untested(t, err)
	}
	program := Build(t.Context(), t.TempDir())
	budget := libtest.Must(os.ReadFile("testdata/budget.txt"))
	var counted strings.Builder
	parts := Trace(t.Context(), program, calls, append([]string{"p256k1"}, cpu.Operations...)...)
	if len(parts) != len(cpu.Operations) {
		t.Fatalf("%d operations of %d", len(parts), len(cpu.Operations))
	}
	for i, op := range cpu.Operations {
		n := len(parts[i]) / calls
		fmt.Fprintf(&counted, "%s %d\n", op, n)
		var want int
		_, rest, _ := strings.Cut("\n"+string(budget), "\n"+op+" ")
		fmt.Sscan(rest, &want)
		ratio := float64(n) / float64(want)
		if !*update && (want == 0 || ratio < 1-tolerance || ratio > 1+tolerance) {
			t.Errorf("%s: %d instructions, the budget is %d", op, n, want)
		}
	}
	if *update {
		libtest.Check(t, os.WriteFile("testdata/budget.txt", []byte(counted.String()), 0o644))
	}
}

const mark = "Trace 3: 0x7f7db75e9a40 [0000000001009331/00000000001a89c0/00000001/00080200] main.mark\n"

// TestParse counts a block that one processor runs twice and another processor once.
func TestParse(t *testing.T) {
	printed := string(libtest.Must(os.ReadFile("testdata/trace.txt")))
	parts, err := parse(strings.NewReader(printed + mark))
	if want := "[[mul      x1, x2, x3 b.ne     #0x1a8a00 mul      x1, x2, x3 b.ne     #0x1a8a00]]"; err != nil || fmt.Sprint(parts) != want {
		t.Errorf("%v, %v", parts, err)
	}
	for _, bad := range []string{printed, strings.ReplaceAll(printed, "0x001a8a00:", "0x001a8b00:"), "Trace 3:\n"} {
		if parts, err := parse(strings.NewReader(bad)); err == nil {
			t.Errorf("%v of\n%s", parts, bad)
		}
	}
}

// TestCycles predicts the cycles of a chain of 100 products. A product takes four cycles on Neoverse N1 and two on V1.
func TestCycles(t *testing.T) {
	if _, err := predictor(); err != nil {
		t.Skip(err)
	}
	chain := strings.Split(strings.Repeat("mul x1, x1, x2\nb.ne #0x1a8a00\n", 100), "\n")
	for core, want := range map[string]int{"neoverse-n1": 400, "neoverse-v1": 200} {
		if n := Cycles(t.Context(), core, chain); n < want || n > want+20 {
			t.Errorf("%s: %d cycles, want %d", core, n, want)
		}
	}
}
