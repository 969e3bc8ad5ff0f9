package geth

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
)

// strided divides txs among goroutines as core.SenderCacher of go-ethereum does: goroutine i of n calls types.Sender
// for the transactions i, i + n, i + 2·n and so on.
func strided(signer types.Signer, txs []*types.Transaction) {
	var wg sync.WaitGroup
	threads := runtime.GOMAXPROCS(0)
	if len(txs) < 4*threads {
		threads = (len(txs) + 3) / 4
	}
	for from := range threads {
		wg.Go(func() {
			for i := from; i < len(txs); i += threads {
				types.Sender(signer, txs[i])
			}
		})
	}
	wg.Wait()
}

// BenchmarkBlock measures the recovery of the senders of blocks, including hashing, with Prepare and without Prepare.
// go-ethereum uses libsecp256k1 with CGO_ENABLED=1, and Decred's module with CGO_ENABLED=0.
func BenchmarkBlock(b *testing.B) {
	signer := signers["Prague"]
	all := good(b, 1500)
	for _, n := range []int{1, 4, 16, 200, 1500} {
		for _, way := range []struct {
			name string
			do   func(txs []*types.Transaction)
		}{
			{"go-ethereum", func(txs []*types.Transaction) { strided(signer, txs) }},
			{"Prepare", func(txs []*types.Transaction) {
				if got, err := Prepare(b.Context(), signer, txs); got != n || err != nil {
					b.Fatal(got, err)
				}
			}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, way.name), func(b *testing.B) {
				b.ReportAllocs()
				txs := make([]*types.Transaction, n)
				for b.Loop() {
					b.StopTimer()
					for i := range txs {
						txs[i] = all[i]()
					}
					b.StartTimer()
					way.do(txs)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/tx")
			})
		}
	}
}
