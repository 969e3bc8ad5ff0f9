package flood

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// NewPool returns the command pool, which compares a Pool with verifying one by one in each goroutine.
func NewPool() *cobra.Command {
	var rounds int
	var b pools
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
		RunE:    func(cmd *cobra.Command, _ []string) error { return measure.InTurns(cmd, rounds, b.prepare, b.write) },
	}
	cmd.Flags().IntVar(&rounds, "rounds", 5, "number of turns of each figure")
	cmd.Flags().BoolVar(&b.ecdsa, "ecdsa", false, "verify ECDSA signatures in DER, not Schnorr signatures")
	return cmd
}

// turn is the duration of a turn.
var turn = 100 * time.Millisecond

type pools struct {
	ecdsa         bool
	crowds, loads []*row
}

// A row has the figures of verifying one by one, with a Pool and with a Batch of 256.
type row struct {
	name    string
	callers int
	load    float64 // of arrivals at random, relative to what fits one by one
	busy    *row    // the row that says what fits
	items   [1024]item
	valid   [1024]bool
	verify  [2]func(pub, msg, sig []byte) bool // one by one, and with the Pool
	batch   func(items []item) (invalid int)
	cpu     [3][]float64 // ns per item
	wall    [2][]float64
	latency [4][]float64 // µs: median and p99, one by one and with the Pool
}

// row returns a row with a new Pool, for which a share of the items is invalid, in random places.
func (b *pools) row(name string, callers int, share float64, inputs []engine.Input) *row {
	s, pool := subjects[0], new(schnorr.Pool).Verify
	if b.ecdsa {
		s, pool = subjects[1], new(ecdsa.Pool).VerifyDER
	}
	r := &row{name: name, callers: callers, batch: s.batch()}
	r.verify[0] = s.one
	r.verify[1] = func(pub, msg, sig []byte) bool { return must.Get(pool(context.Background(), pub, msg, sig)) }
	for i := range r.items {
		r.items[i], r.valid[i] = s.sign(&inputs[i]), rand.Float64() >= share
		if !r.valid[i] {
			r.items[i].msg = inputs[i].Secret[:]
		}
	}
	return r
}

func (b *pools) prepare() (turns []measure.Turn) {
	inputs, cores := engine.NewInputs("pool", 1024), runtime.GOMAXPROCS(0)
	b.crowds = []*row{b.row("lone", 1, 0, inputs)}
	for _, n := range []int{1, 2, 4, 16, 64, 256, 1000} {
		b.crowds = append(b.crowds, b.row(fmt.Sprint(n), n*cores, 0, inputs))
	}
	busy := b.crowds[7]
	for _, d := range []int{64, 4, 1} {
		b.crowds = append(b.crowds, b.row(fmt.Sprint("64, 1/", d), 64*cores, 1/float64(d), inputs))
	}
	for _, r := range b.crowds {
		turns = append(turns, measure.Turn{Name: r.name + " goroutines per core", Run: r.crowd})
	}
	for _, load := range []float64{0.5, 0.9} {
		r := b.row(fmt.Sprint(load), 0, 0, inputs)
		r.load, r.busy = load, busy
		b.loads = append(b.loads, r)
		turns = append(turns, measure.Turn{Name: r.name + " of all that fits", Run: r.arrive})
	}
	return turns
}

// call verifies item i one by one, or with the Pool.
func (r *row) call(way, i int) bool {
	return r.verify[way](r.items[i].pub, r.items[i].msg, r.items[i].sig)
}

// crowd lets the callers verify, one by one and with the Pool, and then a Batch.
func (r *row) crowd() {
	for k := range r.verify {
		var ready, wg sync.WaitGroup
		var stop atomic.Bool
		var total, wrong atomic.Int64
		start := make(chan bool)
		ready.Add(r.callers)
		for range r.callers {
			wg.Go(func() {
				r.call(k, 0) // the stack grows
				ready.Done()
				<-start
				for i := rand.IntN(len(r.items)); !stop.Load(); i = (i + 1) % len(r.items) {
					if r.call(k, i) != r.valid[i] {
						wrong.Add(1)
					}
					total.Add(1)
				}
			})
		}
		ready.Wait()
		begin, used := time.Now(), measure.CPUTime()
		close(start)
		time.Sleep(turn)
		stop.Store(true)
		wg.Wait()
		if wrong.Load() > 0 {
			must.Fail("%d wrong verdicts", wrong.Load())
		}
		r.cpu[k] = append(r.cpu[k], float64(measure.CPUTime()-used)/float64(total.Load()))
		r.wall[k] = append(r.wall[k], float64(time.Since(begin))/float64(total.Load()))
	}
	begin, n := measure.CPUTime(), 0
	for ; n == 0 || measure.CPUTime()-begin < turn/2; n += 256 {
		r.batch(r.items[n%len(r.items):][:256])
	}
	r.cpu[2] = append(r.cpu[2], float64(measure.CPUTime()-begin)/float64(n))
}

// arrive lets items arrive at random for ten turns, one by one and with the Pool.
func (r *row) arrive() {
	between := measure.Quantile(r.busy.wall[0], .1) / r.load
	for k := range r.verify {
		var wg sync.WaitGroup
		var mu sync.Mutex
		var latency []float64
		begin, due := time.Now(), 0.
		for n := 0; n == 0 || due < float64(10*turn); n++ {
			time.Sleep(time.Duration(due) - time.Since(begin))
			arrival := due
			wg.Go(func() {
				r.call(k, n%len(r.items))
				mu.Lock()
				defer mu.Unlock()
				latency = append(latency, (float64(time.Since(begin))-arrival)/1000)
			})
			due += rand.ExpFloat64() * between
		}
		wg.Wait()
		r.latency[2*k] = append(r.latency[2*k], measure.Quantile(latency, .5))
		r.latency[2*k+1] = append(r.latency[2*k+1], measure.Quantile(latency, .99))
	}
}

func (b *pools) write(w io.Writer) {
	fmt.Fprintf(w, "Goroutines   One by one   Pool      Gain of the Pool   Pool's share of\n")
	fmt.Fprintf(w, "per core             ns     ns         CPU      wall   a Batch of 256's\n")
	for i, r := range b.crowds {
		if i == 8 {
			fmt.Fprintln(w, "\nGoroutines per core, and share of invalid ones")
		}
		q := func(times []float64) float64 { return measure.Quantile(times, .1) }
		one, pool := q(r.cpu[0]), q(r.cpu[1])
		fmt.Fprintf(w, "%8s %14.0f %6.0f %11.2f %9.2f %15.0f %%\n", r.name, one, pool, one/pool, q(r.wall[0])/q(r.wall[1]), 100*q(r.cpu[2])/pool)
	}
	fmt.Fprintf(w, "\nArrivals at random   One by one, µs     Pool, µs\nof all that fit        p50     p99      p50     p99\n")
	for _, r := range b.loads {
		q := func(k int) float64 { return measure.Quantile(r.latency[k], .5) }
		fmt.Fprintf(w, "%8s %17.0f %7.0f %8.0f %7.0f\n", r.name, q(0), q(1), q(2), q(3))
	}
}
