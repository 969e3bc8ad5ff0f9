package concurrency

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

var (
	soakTime = flag.Duration("soak", 0, "run TestSoak for this time, such as 1h")
	soakTurn = flag.Int64("turn", 0, "run only this turn of TestSoak, to repeat a failure with the same seed")
)

// TestSoak runs all operations on all cores for the time of the flag -soak, checks every result, and checks that memory
// does not grow after the first quarter of the time (see bounds). Keys and messages are random. The operations verify
// signatures and check that changed signatures are refused.
func TestSoak(t *testing.T) {
	seed := cmp.Or(os.Getenv(oracle.SeedEnv), crand.Text())
	t.Logf("repeat with %s=%s", oracle.SeedEnv, seed) // at once with -v, so that even a killed run can be repeated
	switch {
	case *soakTurn > 0:
		if _, err := turn(seed, *soakTurn); err != nil {
			t.Error(err)
		}
	case *soakTime > 0:
		text, failures := soak(t.Context(), *soakTime, seed)
		t.Logf("result: soak: %s", strings.Join(text, "\nresult: soak: "))
		for _, f := range failures {
			t.Error(f)
		}
	default:
		t.Skip("needs the flag -soak")
	}
}

// recomputed is the number of results of which the oracle, an independent implementation, computes one again. The
// oracle takes longer than the operations, so it does not compute all results.
const recomputed = 4

type counts struct{ turns, operations, recomputed int64 }

// between is locked for reading while an operation runs, and for writing while a sample of memory is taken, so that no
// sample counts the memory of a running operation.
var between sync.RWMutex

// turn runs all operations with fresh keys. About half of the keys have values at which carries occur. A turn depends
// only on the seed and its number, except for randomness that the library takes from the system.
func turn(seed string, n int64) (c counts, err error) {
	r := oracle.NewSeeded(fmt.Sprintf("%s\x00%d", seed, n))
	in, out := operations.New(operations.Draw(r, true)), operations.NewOut()
	defer in.Zero()
	for i := range operations.All {
		o, judged := &operations.All[i], r.IntN(recomputed) == 0
		between.RLock()
		err := o.Check(in, out, judged)
		out.Reset()
		between.RUnlock()
		if err != nil {
			return c, fmt.Errorf("key %x: %w", in.Secret, err)
		}
		c.operations++
		if judged && o.Oracle != nil {
			c.recomputed++
		}
	}
	c.turns = 1
	return c, nil
}

// soak runs turns until the time is over or a result is wrong. It returns figures, and what was wrong.
func soak(ctx context.Context, length time.Duration, seed string) (text, failures []string) {
	work, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var (
		mu    sync.Mutex // guards total and failures
		total counts

		next atomic.Int64
		wg   sync.WaitGroup
	)
	start, goroutines := time.Now(), runtime.GOMAXPROCS(0)
	for range goroutines {
		wg.Go(func() {
			for work.Err() == nil {
				n := next.Add(1)
				c, err := turn(seed, n)
				mu.Lock()
				total.turns += c.turns
				total.operations += c.operations
				total.recomputed += c.recomputed
				if err != nil {
					failures = append(failures, fmt.Sprintf("WRONG: turn %d, to repeat with -turn %[1]d: %v", n, err))
					cancel()
				}
				mu.Unlock()
			}
		})
	}
	var samples []sample
	// A run has about 400 samples, but no more than one in 20 ms and no fewer than one in 5 s.
	tick := time.NewTicker(min(max(length/400, 20*time.Millisecond), 5*time.Second))
	defer tick.Stop()
	end, _ := work.Deadline()
	for work.Err() == nil {
		select {
		case <-work.Done():
		case <-tick.C:
			between.Lock()
			s := takeSample(start)
			between.Unlock()
			if time.Now().Before(end) { // otherwise the sample may count the goroutine that ends the work
				samples = append(samples, s)
			}
		}
	}
	wg.Wait()
	if total.turns == 0 {
		failures = append(failures, "no turn has ended")
	}
	text, grown := judge(samples)
	return append(text, fmt.Sprintf("%v on %d goroutines, backend %s: %d turns of all %d operations, %d results, of which %d were computed again by the oracle; %d wrong",
			time.Since(start).Round(time.Second), goroutines, platform.Name(), total.turns, len(operations.All), total.operations, total.recomputed, len(failures))),
		append(failures, grown...)
}

// TestTurn runs a turn twice. Every operation must run, and the oracle must compute as many results again in both runs.
func TestTurn(t *testing.T) {
	a, err1 := turn("test", 1)
	b, err2 := turn("test", 1)
	if err1 != nil || err2 != nil || a != b || a.operations != int64(len(operations.All)) || a.recomputed < 10 {
		t.Errorf("%+v, %v and %+v, %v", a, err1, b, err2)
	}
}

func TestJudge(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		change func(i int, s *sample) // changes sample i of 400
		want   string                 // text expected in the failures, or in the summary
		good   bool
	}{
		"flat":                  {func(int, *sample) {}, "goroutines: 5 at first, 5 at last, 5 at most", true},
		"high while warming up": {func(i int, s *sample) { s.resident += int64(max(0, 60-i)) * mib; s.live += int64(max(0, 60-i)) * mib }, "live memory", true},
		"slow growth":           {func(i int, s *sample) { s.live += int64(i) * 4 << 10 }, "live memory: ", false},
		"resident":              {func(i int, s *sample) { s.resident += int64(i) * 30 << 10 }, "resident memory: ", false},
		"peak": {func(i int, s *sample) {
			if i == 300 {
				s.resident += 40 * mib
			}
		}, "resident memory: ", false},
		"goroutines":     {func(i int, s *sample) { s.goroutines += int64(i / 200) }, "goroutines: 5 at first, 6 at last", false},
		"one goroutine":  {func(i int, s *sample) { s.goroutines += int64(i / 390) }, "6 at most", false},
		"no /proc":       {func(_ int, s *sample) { s.resident = 0 }, "not known on this system", true},
		"a little lower": {func(i int, s *sample) { s.resident -= int64(i) * 10 << 10 }, "resident memory", true},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		samples := make([]sample, 400)
		for i := range samples {
			samples[i] = sample{resident: 20*mib + r.Int64N(mib), live: mib + r.Int64N(mib/4), goroutines: 5}
			c.change(i, &samples[i])
		}
		text, failures := judge(samples)
		if len(failures) == 0 != c.good || !strings.Contains(strings.Join(append(failures, text...), "\n"), c.want) {
			t.Errorf("%s: failures %q, %q, want %q", name, failures, text, c.want)
		}
	}
	if text, failures := judge(make([]sample, minSamples-1)); len(text) > 0 || len(failures) != 1 || !strings.Contains(failures[0], "not judged") {
		t.Errorf("few samples: %q, %q", text, failures)
	}
}
