package nostr

import (
	"context"
	"fmt"
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
