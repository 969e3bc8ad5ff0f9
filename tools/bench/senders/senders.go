// Package senders implements the command "bench senders", which recovers the senders of a block while it is decoded.
package senders

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/sha3"

	"p256k1.mleku.dev/v2/ethereum"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// New returns the command senders.
func New() *cobra.Command {
	var sizes []int
	var rounds int
	cmd := &cobra.Command{
		Use:   "senders",
		Short: "Recover the senders of a block while it is decoded",
		Long: `senders measures the time until the first and until the last sender of a block
is known: by ethereum.Recoverer, and by libsecp256k1, called through cgo by one
goroutine for each core. Both hash each transaction, of 160 bytes, when its turn
comes, as a node does that decodes a payload. Each figure is a median.`,
		Example: "  go run ./tools/bench senders\n  go run ./tools/bench senders --n 150 --rounds 100",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return run(cmd, sizes, rounds) },
	}
	cmd.Flags().IntSliceVar(&sizes, "n", []int{200, 1500, 5000}, "numbers of transactions in a block")
	cmd.Flags().IntVar(&rounds, "rounds", 25, "number of rounds, in which each way has a turn")
	return cmd
}

// A way recovers the senders of a block, and calls known after each.
type way struct {
	name    string
	recover func(b []transaction, known func())
}

// A transaction has its hash replaced by one for which the signature is valid; the hash of text is computed, for its
// time, and not used.
type transaction struct {
	text [160]byte
	engine.Input
}

// row holds the times of one size, number of cores and way.
type row struct {
	n, cores    int
	way         way
	first, last []time.Duration
}

func run(cmd *cobra.Command, sizes []int, rounds int) (err error) {
	defer must.Recover(&err)
	if len(sizes) == 0 || slices.Min(sizes) < 1 || rounds < 1 {
		return errors.New("--n and --rounds must be positive")
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	defer context.AfterFunc(ctx, stop)() // a second Ctrl-C ends the program as usual
	bar := progress.Start(cmd.ErrOrStderr(), "making transactions")
	defer bar.Stop()
	var block []transaction
	for _, in := range engine.NewInputs("senders", slices.Max(sizes)) {
		block = append(block, transaction{Input: in})
	}
	ways := []way{{"ethereum.Recoverer", recoverer}}
	c := must.Get(engine.Find("libsecp256k1-cgo"))[0]
	if c.Err == nil {
		ways = append(ways, way{"libsecp256k1 by cgo", calls(c.Engine, block)})
	}
	var rows []*row
	for _, n := range sizes {
		for _, cores := range slices.Compact([]int{1, runtime.NumCPU()}) {
			for _, w := range ways {
				rows = append(rows, &row{n: n, cores: cores, way: w})
			}
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for round := range rounds {
		for i, r := range rows {
			bar.Set(round*len(rows)+i, rounds*len(rows), fmt.Sprint(r.n, " transactions"))
			if ctx.Err() == nil {
				r.measure(block[:r.n])
			}
		}
	}
	bar.Stop()
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(cmd.OutOrStdout(), measure.DescribeMachine().Processor)
	fmt.Fprintln(out, "transactions\tcores\t\tfirst sender, µs\tlast sender, µs")
	for _, r := range rows {
		if len(r.last) > 0 {
			fmt.Fprintf(out, "%d\t%d\t%s\t%.0f\t%.0f\n", r.n, r.cores, r.way.name, median(r.first), median(r.last))
		}
	}
	must.Do(out.Flush())
	if c.Err != nil {
		fmt.Fprintln(cmd.OutOrStdout(), c)
	}
	return ctx.Err()
}

// measure recovers the block once.
func (r *row) measure(block []transaction) {
	runtime.GOMAXPROCS(r.cores)
	runtime.GC()
	var first, known atomic.Int64
	start := time.Now()
	r.way.recover(block, func() {
		if known.Add(1) == 1 {
			first.Store(int64(time.Since(start)))
		}
	})
	r.last, r.first = append(r.last, time.Since(start)), append(r.first, time.Duration(first.Load()))
	if int(known.Load()) != len(block) {
		must.Fail("%s recovered %d of %d senders", r.way.name, known.Load(), len(block))
	}
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2]) / float64(time.Microsecond)
}

func keccak(text []byte) (sum [32]byte) {
	h := sha3.NewLegacyKeccak256()
	h.Write(text)
	h.Sum(sum[:0])
	return sum
}

func recoverer(block []transaction, known func()) {
	must.Do(ethereum.Recoverer{AllowHighS: true}.Each(context.Background(), len(block), func(i int, hash *[32]byte, sig *[65]byte) error {
		keccak(block[i].text[:])
		*hash, *sig = block[i].Digest, block[i].Recoverable
		return nil
	}, func(_ int, _ ethereum.Address, err error) {
		if err == nil {
			known()
		}
	}))
}

// calls returns a way that calls the engine, in one goroutine for each core. It keeps the sessions.
func calls(e engine.Engine, all []transaction) func(block []transaction, known func()) {
	inputs := make([]engine.Input, len(all))
	for i := range all {
		inputs[i] = all[i].Input
	}
	var prepared []engine.Prepared
	for range runtime.NumCPU() {
		prepared = append(prepared, must.Get(must.Get(e.NewSession()).Prepare("recover", 0, inputs)))
	}
	return func(block []transaction, known func()) {
		var next atomic.Int64
		var wg sync.WaitGroup
		for _, p := range prepared[:runtime.GOMAXPROCS(0)] {
			wg.Go(func() {
				var key engine.Result
				for i := next.Add(1) - 1; int(i) < len(block); i = next.Add(1) - 1 {
					keccak(block[i].text[:])
					must.Do(p.Run(int(i), &key))
					keccak(key[:64]) // the address
					known()
				}
			})
		}
		wg.Wait()
	}
}
