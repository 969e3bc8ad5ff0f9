package nostr

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestPool compares the errors of a Pool with the errors of Event.Verify.
func TestPool(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var p Pool
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			e, err := Parse([]byte(publicEvents[i%len(publicEvents)]))
			libtest.Check(t, err)
			switch i % 5 {
			case 1:
				e.Sig[i%64] ^= 1
			case 2:
				e.Content += "x"
			case 3:
				e.PubKey = PubKey{}
				e.ID, err = e.ComputeID()
				libtest.Check(t, err)
			case 4:
				e.Content = "\xff"
			}
			for range 3 {
				if got, want := p.Verify(t.Context(), e), e.Verify(); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("event %d: %v, want %v", i, got, want)
				}
			}
			if err := p.Verify(ended, e); i%5 < 2 && err != context.Canceled {
				t.Errorf("a context that has ended: %v", err)
			}
		})
	}
	wg.Wait()
	libtest.CheckError(t, p.Verify(t.Context(), nil), ErrFormat)
}

// TestKept checks that buffers and Verifiers are kept for the next event, unless they are large.
func TestKept(t *testing.T) {
	var v Verifier
	for _, size := range []int{1, 1000, maxKept + 1, 2} {
		v.AddEvent(&Event{Content: strings.Repeat("x", size)})
		if (cap(v.serialized) == 0) != (size > maxKept) {
			t.Errorf("%d bytes: a buffer of %d", size, cap(v.serialized))
		}
	}
	for _, n := range []int{maxPooled, 4 * maxPooled} {
		kept := false
		for range 20 { // the pool may drop a Verifier, and does so often under the race detector
			libtest.CheckError(t, VerifyAll(make([]*Event, n)), ErrFormat)
			kept = kept || cap(verifiers.Get().(*Verifier).refused) >= n
		}
		if kept != (n == maxPooled) {
			t.Errorf("%d events: kept %v", n, kept)
		}
	}
}
