// Package pool implements the command "bench pool", which compares a Pool with verifying one by one in each goroutine.
package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// New returns the command pool.
func New() *cobra.Command {
	b := bench{}
	cmd := &cobra.Command{
		Use:   "pool",
		Short: "Measure what a Pool gains for programs with many goroutines",
		Long: `pool lets goroutines verify signatures one after the other, through a Pool and
one by one, in turns, and prints for each number of goroutines per core the
quickest tenth of the turns. Then signatures arrive at random times, each in
a goroutine of its own, and latencies count from these times; the figures are
medians of the rounds. Arrivals are late by what Go's timers are late.`,
		Example: "  go run ./tools/bench pool\n  GODEBUG=cpu.avx512ifma=off go run ./tools/bench pool --rounds 20",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			defer must.Recover(&err)
			if min(b.rounds, int(b.turn)) < 1 {
				return errors.New("--rounds and --turn must be positive")
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer stop()
			defer context.AfterFunc(ctx, stop)() // a second Ctrl-C ends the program as usual
			b.ctx, b.w = ctx, cmd.OutOrStdout()
			b.run()
			return ctx.Err()
		},
	}
	f := cmd.Flags()
	f.IntVar(&b.rounds, "rounds", 5, "number of turns of each figure")
	f.DurationVar(&b.turn, "turn", 100*time.Millisecond, "duration of a turn")
	f.BoolVar(&b.ecdsa, "ecdsa", false, "verify ECDSA signatures in DER, not Schnorr signatures")
	return cmd
}

type bench struct {
	rounds int
	turn   time.Duration
	ecdsa  bool
	ctx    context.Context
	w      io.Writer
	items  [1024]struct {
		pub, msg, sig []byte
		valid         bool
	}
}

// ways returns functions that verify item i: one by one, and by a new Pool. The third verifies 256 items by a Batch.
func (b *bench) ways() (one, pool func(i int) bool, batch func(i int)) {
	var e ecdsa.Pool
	var s schnorr.Pool
	var eBatch ecdsa.Batch
	var sBatch schnorr.Batch
	one = func(i int) bool { return schnorr.VerifyBytes(b.items[i].pub, b.items[i].msg, b.items[i].sig) }
	pool = func(i int) bool {
		return must.Get(s.Verify(context.Background(), b.items[i].pub, b.items[i].msg, b.items[i].sig))
	}
	if b.ecdsa {
		one = func(i int) bool { return ecdsa.VerifyDER(b.items[i].pub, b.items[i].msg, b.items[i].sig) }
		pool = func(i int) bool {
			return must.Get(e.VerifyDER(context.Background(), b.items[i].pub, b.items[i].msg, b.items[i].sig))
		}
	}
	return one, pool, func(i int) {
		eBatch.Reset()
		sBatch.Reset()
		for _, it := range b.items[i:][:256] {
			if b.ecdsa {
				eBatch.AddDER(it.pub, it.msg, it.sig)
			} else {
				sBatch.Add(it.pub, it.msg, it.sig)
			}
		}
		_ = eBatch.Invalid(nil)
		_ = sBatch.Invalid(nil)
	}
}

// spoil makes a share of the items invalid, in random places.
func (b *bench) spoil(share float64) {
	for i, in := range engine.NewInputs("pool", len(b.items)) {
		it := &b.items[i]
		it.pub, it.msg, it.sig, it.valid = in.Pub[1:], in.Digest[:], in.Schnorr[:], rand.Float64() >= share
		if b.ecdsa {
			it.pub, it.sig = in.Pub[:], in.DER
		}
		if !it.valid {
			it.msg = in.Secret[:]
		}
	}
}

// closed verifies in the given number of goroutines for a turn, and returns nanoseconds per item: of processor time and
// of elapsed time.
func (b *bench) closed(callers int, verify func(i int) bool) (cpu, wall float64) {
	var ready, wg sync.WaitGroup
	var stop atomic.Bool
	var total, wrong atomic.Int64
	start := make(chan bool)
	ready.Add(callers)
	for range callers {
		wg.Go(func() {
			verify(0) // the stack grows
			ready.Done()
			<-start
			for i := rand.IntN(len(b.items)); !stop.Load(); i = (i + 1) % len(b.items) {
				if verify(i) != b.items[i].valid {
					wrong.Add(1)
				}
				total.Add(1)
			}
		})
	}
	ready.Wait()
	begin, used := time.Now(), measure.CPUTime()
	close(start)
	time.Sleep(b.turn)
	stop.Store(true)
	wg.Wait()
	if wrong.Load() > 0 {
		must.Fail("%d wrong verdicts", wrong.Load())
	}
	return float64(measure.CPUTime()-used) / float64(total.Load()), float64(time.Since(begin)) / float64(total.Load())
}

// quickest returns the mean of the quickest tenth.
func quickest(turns []float64) (mean float64) {
	slices.Sort(turns)
	turns = turns[:max(1, len(turns)/10)]
	for _, t := range turns {
		mean += t / float64(len(turns))
	}
	return mean
}

// compare returns the times of one by one, of a Pool and of a Batch of 256, which have turns.
func (b *bench) compare(callers int, share float64) (cpu, wall [3]float64) {
	var cpus, walls [3][]float64
	b.spoil(share)
	one, pool, batch := b.ways()
	for range b.rounds {
		must.Do(b.ctx.Err())
		for k, verify := range []func(i int) bool{one, pool} {
			c, w := b.closed(callers, verify)
			cpus[k], walls[k] = append(cpus[k], c), append(walls[k], w)
		}
		begin, n := measure.CPUTime(), 0
		for ; n == 0 || measure.CPUTime()-begin < b.turn/2; n += 256 {
			batch(n % len(b.items))
		}
		cpus[2] = append(cpus[2], float64(measure.CPUTime()-begin)/float64(n))
	}
	return [3]float64{quickest(cpus[0]), quickest(cpus[1]), quickest(cpus[2])}, [3]float64{quickest(walls[0]), quickest(walls[1])}
}

// open lets items arrive at random for ten turns, with the given mean time between two in nanoseconds, and returns two
// quantiles of the latency in microseconds.
func (b *bench) open(between float64, verify func(i int) bool) (median, p99 float64) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var latency []float64
	begin, due := time.Now(), 0.
	for n := 0; due < float64(10*b.turn); n++ {
		time.Sleep(time.Duration(due) - time.Since(begin))
		arrival := due
		wg.Go(func() {
			verify(n % len(b.items))
			mu.Lock()
			defer mu.Unlock()
			latency = append(latency, (float64(time.Since(begin))-arrival)/1000)
		})
		due += rand.ExpFloat64() * between
	}
	wg.Wait()
	slices.Sort(latency)
	return latency[len(latency)/2], latency[len(latency)*99/100]
}

func (b *bench) run() {
	cores := runtime.GOMAXPROCS(0)
	m := measure.DescribeMachine()
	fmt.Fprintf(b.w, "%s, %d cores, %s, %s\n%s\n", m.Processor, cores, m.Go, m.Commit, platform.Name())
	fmt.Fprintf(b.w, "\nGoroutines   One by one   Pool      Gain of the Pool   Pool's share of\n")
	fmt.Fprintf(b.w, "per core             ns     ns         CPU      wall   a Batch of 256's\n")
	row := func(first string, callers int, share float64) (wall float64) {
		cpu, walls := b.compare(callers, share)
		fmt.Fprintf(b.w, "%8s %14.0f %6.0f %11.2f %9.2f %15.0f %%\n", first, cpu[0], cpu[1], cpu[0]/cpu[1], walls[0]/walls[1], 100*cpu[2]/cpu[1])
		return walls[0]
	}
	row("lone", 1, 0)
	var every float64 // nanoseconds from one verdict to the next, one by one
	for _, n := range []int{1, 2, 4, 16, 64, 256, 1000} {
		every = row(fmt.Sprint(n), n*cores, 0)
	}
	fmt.Fprintf(b.w, "\nShare of invalid ones, with 64 goroutines per core\n")
	for _, share := range []string{"0", "1/64", "1/4", "1"} {
		n, d := 0., 1.
		fmt.Sscanf(share, "%f/%f", &n, &d)
		row(share, 64*cores, n/d)
	}
	fmt.Fprintf(b.w, "\nArrivals at random   One by one, µs     Pool, µs\nof all that fit        p50     p99      p50     p99\n")
	b.spoil(0)
	for _, load := range []float64{0.5, 0.9} {
		var latency [4][]float64
		for range b.rounds {
			must.Do(b.ctx.Err())
			one, pool, _ := b.ways()
			for k, verify := range []func(i int) bool{one, pool} {
				p50, p99 := b.open(every/load, verify)
				latency[2*k], latency[2*k+1] = append(latency[2*k], p50), append(latency[2*k+1], p99)
			}
		}
		median := func(k int) float64 { slices.Sort(latency[k]); return latency[k][b.rounds/2] }
		fmt.Fprintf(b.w, "%8.1f %17.0f %7.0f %8.0f %7.0f\n", load, median(0), median(1), median(2), median(3))
	}
}
