package concurrency

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// do runs an operation and returns its results as text, or the reason why they are wrong. If judged is true, do also
// compares them with the oracle.
func do(o *operations.Op, in *operations.In, out *operations.Out, judged bool) string {
	if err := o.Check(in, out, judged); err != nil {
		return "wrong: " + err.Error() + "\n"
	}
	return out.Results().Stable()
}

// TestShared runs all operations in all goroutines on the same values.
func TestShared(t *testing.T) {
	const goroutines = 16
	rounds := oracle.CasesOr(15)
	all, in, alone := operations.All, operations.Seeded("concurrency"), operations.NewOut()
	var want []string
	for i := range all {
		want = append(want, do(&all[i], in, alone, true))
		if strings.HasPrefix(want[i], "wrong: ") {
			t.Error(want[i])
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(4, runtime.NumCPU()))) // at least 4 threads, so that operations run at once, or are interrupted in the middle
	start := make(chan struct{})
	var calls, wrong atomic.Int64
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			out := operations.NewOut()
			<-start
			for round := range rounds {
				for i := range all {
					index := (i + g + round) % len(all)
					if g%2 == 1 {
						index = len(all) - 1 - index
					}
					if got := do(&all[index], in, out, false); got != want[index] && wrong.Add(1) < 5 {
						t.Errorf("%s: %s\nalone\n%s", all[index].Name, got, want[index])
					}
					calls.Add(1)
				}
			}
		})
	}
	close(start)
	wg.Wait()
	if want := int64(goroutines * rounds * len(all)); calls.Load() != want || want == 0 {
		t.Errorf("%d calls, not %d", calls.Load(), want)
	}
	for i := range all {
		if got := do(&all[i], in, alone, false); got != want[i] {
			t.Errorf("%s: a shared value has changed: %s\nbefore\n%s", all[i].Name, got, want[i])
		}
	}
	t.Logf("result: %d operations, each run %d times by each of %d goroutines on shared values: %d of %d results differ from those of one goroutine alone (race detector %s, backend %s)",
		len(all), rounds, goroutines, wrong.Load(), calls.Load(), raceDetector, platform.Name())
}
