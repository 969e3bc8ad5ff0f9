package ecdsa

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestPool compares a Pool's verdicts on items of many kinds with those of VerifyCompact and VerifyDER, for different
// numbers of cores.
func TestPool(t *testing.T) {
	items := batchItems(t, oracle.New(t))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 4, 64} {
		runtime.GOMAXPROCS(cores)
		var p Pool
		var wg sync.WaitGroup
		for i, c := range items {
			wg.Go(func() {
				sig, der := c.sig.rs[:], c.sig.DER()
				want, wantDER := VerifyCompact(c.pub, c.digest, sig), VerifyDER(c.pub, c.digest, der)
				got, err := p.VerifyCompact(t.Context(), c.pub, c.digest, sig)
				gotDER, errDER := p.VerifyDER(t.Context(), c.pub, c.digest, der)
				if got != want || gotDER != wantDER || err != nil || errDER != nil {
					t.Errorf("%d cores, item %d: %t and %t, %v, %v, want %t and %t", cores, i, got, gotDER, err, errDER, want, wantDER)
				}
				got, err = p.VerifyCompact(ended, c.pub, c.digest, sig)
				gotDER, errDER = p.VerifyDER(ended, c.pub, c.digest, der)
				if got || gotDER || err != context.Canceled || errDER != context.Canceled {
					t.Errorf("a context that has ended: %t and %t, %v, %v", got, gotDER, err, errDER)
				}
			})
		}
		wg.Wait()
	}
}
