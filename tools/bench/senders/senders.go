// Package senders implements the command "bench senders", which recovers the senders of a block while it is decoded.
package senders

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/sha3"

	"p256k1.mleku.dev/v2/ethereum"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// sizes are the numbers of transactions in a block.
var sizes = []int{200, 1500, 5000}

// New returns the command senders.
func New() *cobra.Command {
	var rounds int
	cmd := &cobra.Command{
		Use:   "senders",
		Short: "Recover the senders of a block while it is decoded",
		Long: `senders measures the time until the first and until the last sender of a block
is known: by ethereum.Recoverer, and by libsecp256k1, called through cgo by one
goroutine for each core. Both hash each transaction, of 160 bytes, when its turn
comes, as a node does that decodes a payload. Each figure is a median.`,
		Example: "  CGO_ENABLED=1 go run ./tools/bench senders",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			var rows []*row
			c := must.Get(engine.Find("libsecp256k1-cgo"))[0]
			return measure.InTurns(cmd, rounds, func() (turns []measure.Turn) {
				inputs := engine.NewInputs("senders", slices.Max(sizes))
				for _, n := range sizes {
					for _, cores := range slices.Compact([]int{1, runtime.NumCPU()}) {
						rows = append(rows, &row{name: "ethereum.Recoverer", recover: recoverer, cores: cores, block: inputs[:n]})
						if c.Err == nil {
							rows = append(rows, &row{name: "libsecp256k1 by cgo", recover: calls(c.Engine, cores, inputs[:n]), cores: cores, block: inputs[:n]})
						}
					}
				}
				for _, r := range rows {
					turns = append(turns, measure.Turn{Name: fmt.Sprint(len(r.block), " transactions"), Run: r.measure})
				}
				return turns
			}, func(w io.Writer) {
				fmt.Fprintf(w, "transactions  cores  %-19s  first sender, µs  last sender, µs\n", "")
				for _, r := range rows {
					fmt.Fprintf(w, "%12d %6d  %-19s %17.0f %16.0f\n", len(r.block), r.cores, r.name, measure.Quantile(r.first, .5), measure.Quantile(r.last, .5))
				}
				if c.Err != nil {
					fmt.Fprintln(w, c)
				}
			})
		},
	}
	cmd.Flags().IntVar(&rounds, "rounds", 25, "number of rounds, in which each way has a turn")
	return cmd
}

// A row holds the times, in µs, of recovering a block. The function recover calls known after each sender.
type row struct {
	name        string
	recover     func(block []engine.Input, known func())
	cores       int
	block       []engine.Input
	first, last []float64
}

// measure recovers the block once.
func (r *row) measure() {
	runtime.GOMAXPROCS(r.cores)
	runtime.GC()
	var first, known atomic.Int64
	start := time.Now()
	r.recover(r.block, func() {
		if known.Add(1) == 1 {
			first.Store(int64(time.Since(start)))
		}
	})
	r.last, r.first = append(r.last, float64(time.Since(start))/1000), append(r.first, float64(first.Load())/1000)
	if int(known.Load()) != len(r.block) {
		must.Fail("%s recovered %d of %d senders", r.name, known.Load(), len(r.block))
	}
}

// keccak hashes a transaction for the time that this takes: the signature is one of another hash.
func keccak(text []byte) {
	h := sha3.NewLegacyKeccak256()
	h.Write(text)
	h.Sum(make([]byte, 0, 32))
}

var transaction [160]byte

func recoverer(block []engine.Input, known func()) {
	must.Do(ethereum.Recoverer{AllowHighS: true}.Each(context.Background(), len(block), func(i int, hash *[32]byte, sig *[65]byte) error {
		keccak(transaction[:])
		*hash, *sig = block[i].Digest, block[i].Recoverable
		return nil
	}, func(_ int, _ ethereum.Address, err error) {
		if err == nil {
			known()
		}
	}))
}

// calls returns a function that calls the engine, in one goroutine for each core. It keeps the sessions.
func calls(e engine.Engine, cores int, block []engine.Input) func([]engine.Input, func()) {
	var prepared []engine.Prepared
	for range cores {
		prepared = append(prepared, must.Get(must.Get(e.NewSession()).Prepare("recover", 0, block)))
	}
	return func(block []engine.Input, known func()) {
		var next atomic.Int64
		var wg sync.WaitGroup
		for _, p := range prepared {
			wg.Go(func() {
				var key engine.Result
				for i := int(next.Add(1)) - 1; i < len(block); i = int(next.Add(1)) - 1 {
					keccak(transaction[:])
					must.Do(p.Run(i, &key))
					keccak(key[:64]) // the address
					known()
				}
			})
		}
		wg.Wait()
	}
}
