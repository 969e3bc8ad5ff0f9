// Command soak runs all operations of tools/evidence/operations on all cores for the given time, checks every result,
// and checks that memory does not grow.
//
//	go run ./tools/evidence/soak -time 1h
//
// Keys and messages are random, from a seed that it prints. The operations verify signatures and check that changed
// signatures are refused. An independent implementation computes a quarter of all results again. The first quarter of
// the time is the warm-up, and memory.go has the bounds for memory after the warm-up. The command fails if a result was
// wrong or memory grew.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// Exit statuses.
const (
	statusGood        = 0
	statusBad         = 1
	statusUsage       = 2
	statusInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	f.SetOutput(stderr)
	length := f.Duration("time", 10*time.Second, "duration of the run")
	seed := f.String("seed", os.Getenv(oracle.SeedEnv), "seed of a run to repeat: any text (default random)")
	only := f.Int64("turn", 0, "run only this turn of the seed, to repeat a failure")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return statusGood
	} else if err != nil {
		return statusUsage
	}
	switch {
	case f.NArg() > 0 || *length <= 0 || *only < 0 || *only > 0 && *seed == "":
		fmt.Fprintln(stderr, "soak: -time must be above zero, such as 10s or 1h; -turn must be positive and needs -seed; there are no other arguments")
		return statusUsage
	case *seed == "":
		*seed = rand.Text()
	}
	if *only == 0 {
		return soak(ctx, *length, *seed, turn, stdout, stderr)
	}
	if _, err := turn(*seed, *only); err != nil {
		fmt.Fprintf(stdout, "turn %d of seed %s: %v\n", *only, *seed, err)
		return statusBad
	}
	fmt.Fprintf(stdout, "turn %d of seed %s: nothing wrong\n", *only, *seed)
	return statusGood
}

// recomputed is the number of results of which the oracle computes one again. The oracle takes longer than the
// operations, so it does not compute all results.
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

// soak runs turns until the time is over or a result is wrong.
func soak(ctx context.Context, length time.Duration, seed string, turn func(seed string, n int64) (counts, error), stdout, stderr io.Writer) int {
	goroutines := runtime.GOMAXPROCS(0)
	// This line comes first, so that even a killed run can be repeated with its seed.
	fmt.Fprintf(stdout, "seed %s, %d goroutines, %v, backend %s\n", seed, goroutines, length, platform.Name())
	work, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var (
		mu    sync.Mutex // guards total and bad
		total counts
		bad   []error

		next atomic.Int64
		wg   sync.WaitGroup
	)
	start := time.Now()
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
					bad = append(bad, fmt.Errorf("turn %d, to repeat with -seed %s -turn %d: %w", n, seed, n, err))
					cancel()
				}
				mu.Unlock()
			}
		})
	}
	line := progress.On(stderr)
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
			if ctx.Err() != nil || !time.Now().Before(end) {
				continue // the sample may count the goroutine that ends the work
			}
			samples = append(samples, s)
			line.Show("%v left: turn %d, %s resident", (length - s.at).Round(time.Second), next.Load(), kib(s.resident))
		}
	}
	wg.Wait()
	line.Show("")

	text, failures := judge(samples)
	fmt.Fprintf(stdout, "result: soak: seed %s, %v on %d goroutines, backend %s: %d turns of all %d operations, %d results, of which %d were computed again by the oracle; %d wrong\n",
		seed, time.Since(start).Round(time.Second), goroutines, platform.Name(), total.turns, len(operations.All), total.operations, total.recomputed, len(bad))
	for _, t := range text {
		fmt.Fprintln(stdout, "result: soak:", t)
	}
	for _, err := range bad {
		fmt.Fprintln(stdout, "result: soak: WRONG:", err)
	}
	for _, t := range failures {
		fmt.Fprintln(stdout, "result: soak: FAILED:", t)
	}
	switch {
	case len(bad) > 0 || len(failures) > 0:
		return statusBad
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "soak: interrupted")
		return statusInterrupted
	}
	return statusGood
}
