// Command soak uses all of the library on all cores for as long as it is told,
// checks every result, and watches that memory stays flat.
//
//	go run ./tools/evidence/soak -time 1h
//
// Keys and messages are random, from a seed that it prints. Every signature is
// verified, and what was changed in a bit has to be refused; of some turns all
// results are computed again by an independent implementation. The first quarter of
// the time is for warming up; what memory may then do is in memory.go. It ends with
// an error if a result was wrong or memory grew.
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

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// What the program returns to the shell.
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

type options struct {
	time       time.Duration
	seed       string
	goroutines int
	every      int64 // of how many turns one is with the oracle
	only       int64
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.DurationVar(&o.time, "time", 10*time.Second, "how long it runs")
	f.StringVar(&o.seed, "seed", os.Getenv("P256K1_SEED"), "any text, to repeat a run (default random)")
	f.IntVar(&o.goroutines, "goroutines", runtime.GOMAXPROCS(0), "how many turns go on at once")
	f.Int64Var(&o.every, "oracle", 32, "one of how many turns is computed again")
	f.Int64Var(&o.only, "turn", 0, "run this turn of the seed alone, to repeat a failure")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("no argument expected: %q", f.Args())
	case o.time <= 0:
		return o, errors.New("-time wants a duration above zero, such as 10s or 1h")
	case o.goroutines < 1 || o.every < 1:
		return o, errors.New("-goroutines and -oracle want 1 or more")
	case o.only < 0 || o.only > 0 && o.seed == "":
		return o, errors.New("-turn wants the number of a turn, 1 or more, and its -seed")
	}
	if o.seed == "" {
		o.seed = rand.Text()
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return statusGood
	} else if err != nil {
		fmt.Fprintln(stderr, "soak:", err)
		return statusUsage
	}
	if o.only > 0 {
		if _, err := runTurn(o.seed, o.only, true); err != nil {
			fmt.Fprintf(stdout, "turn %d of seed %s: %v\n", o.only, o.seed, err)
			return statusBad
		}
		fmt.Fprintf(stdout, "turn %d of seed %s: nothing wrong\n", o.only, o.seed)
		return statusGood
	}
	return soak(ctx, o, runTurn, stdout, stderr)
}

// soak runs turns until the time is over or one is wrong.
func soak(ctx context.Context, o options, turn func(seed string, n int64, withOracle bool) (counts, error), stdout, stderr io.Writer) int {
	// The first line, for those who have to kill it.
	fmt.Fprintf(stdout, "seed %s, %d goroutines, %v, backend %s\n", o.seed, o.goroutines, o.time, platform.Name())
	work, cancel := context.WithTimeout(ctx, o.time)
	defer cancel()
	var (
		mu    sync.Mutex // of these:
		total counts
		bad   []error

		next atomic.Int64
		wg   sync.WaitGroup
	)
	start := time.Now()
	for range o.goroutines {
		wg.Go(func() {
			for work.Err() == nil {
				n := next.Add(1)
				c, err := turn(o.seed, n, n%o.every == 1%o.every)
				mu.Lock()
				total.add(c)
				if err != nil {
					bad = append(bad, fmt.Errorf("turn %d, to repeat with -seed %s -turn %d: %w", n, o.seed, n, err))
					cancel()
				}
				mu.Unlock()
			}
		})
	}
	done := func() counts {
		mu.Lock()
		defer mu.Unlock()
		return total
	}
	line := progress.On(stderr)
	var samples []sample
	// Some hundreds of samples, whatever the time.
	tick := time.NewTicker(min(max(o.time/400, 20*time.Millisecond), 5*time.Second))
	defer tick.Stop()
	end, _ := work.Deadline()
	for work.Err() == nil {
		select {
		case <-work.Done():
		case <-tick.C:
			s := takeSample(start, done().turns)
			if ctx.Err() != nil || !time.Now().Before(end) {
				continue // A goroutine that ends the work may have been counted.
			}
			samples = append(samples, s)
			line.Show("%v left: %d turns, %.0f a second, %s resident", (o.time - s.at).Round(time.Second), s.turns, float64(s.turns)/s.at.Seconds(), kib(s.resident))
		}
	}
	wg.Wait()
	line.Show("")

	took := time.Since(start)
	v := judge(samples)
	fmt.Fprintf(stdout, "result: soak: seed %s, %v on %d goroutines, backend %s: %d turns with %d keys, %d signatures verified, %d secrets agreed on, %d forgeries refused, %d values computed again by the oracle; %d wrong\n",
		o.seed, took.Round(time.Second), o.goroutines, platform.Name(), total.turns, total.keys, total.signatures, total.secrets, total.refused, total.recomputed, len(bad))
	for _, text := range v.text {
		fmt.Fprintln(stdout, "result: soak:", text)
	}
	for _, err := range bad {
		fmt.Fprintln(stdout, "result: soak: WRONG:", err)
	}
	for _, text := range v.failures {
		fmt.Fprintln(stdout, "result: soak: FAILED:", text)
	}
	switch {
	case len(bad) > 0 || len(v.failures) > 0:
		return statusBad
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "soak: interrupted")
		return statusInterrupted
	}
	return statusGood
}
