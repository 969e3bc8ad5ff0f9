package bulk

import (
	"context"
	"testing"
	"time"
)

// TestBudget takes more than there is while others give.
func TestBudget(t *testing.T) {
	b := newBudget(100)
	if err := b.take(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	taken := make(chan error)
	go func() { taken <- b.take(t.Context(), 60) }()
	for range 2 {
		b.give(25)
		select {
		case err := <-taken:
			t.Fatalf("taken of 50 bytes: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	b.give(10)
	if err := <-taken; err != nil || b.free.Load() != 0 {
		t.Errorf("%v, %d left", err, b.free.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { taken <- b.take(ctx, 1) }()
	cancel()
	if err := <-taken; err != context.Canceled || b.free.Load() != 0 {
		t.Errorf("%v, %d left", err, b.free.Load())
	}
}
