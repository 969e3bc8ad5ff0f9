package ordered

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

// numbers produces the numbers up to n.
func numbers(n int) func(*Feed[int]) {
	return func(f *Feed[int]) {
		for i := range n {
			item := f.Next()
			if item == nil {
				return
			}
			*item = i
			f.Put()
		}
	}
}

func TestOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		next := 0
		var atWork, most atomic.Int64
		err := Run(t.Context(), workers, Stages[int]{
			Produce: numbers(500),
			Worker: func() func(*int) {
				return func(i *int) {
					if n := atWork.Add(1); n > most.Load() {
						most.Store(n)
					}
					time.Sleep(time.Duration(rand.IntN(100)) * time.Microsecond)
					*i *= 3
					atWork.Add(-1)
				}
			},
			Collect: func(i *int) error {
				if *i != 3*next {
					t.Fatalf("%d, want %d", *i, 3*next)
				}
				next++
				return nil
			},
		})
		if err != nil || next != 500 {
			t.Errorf("%d workers: %d items, %v", workers, next, err)
		}
		if n := most.Load(); n > int64(workers) || workers > 1 && n == 1 {
			t.Errorf("%d workers: %d at work at once", workers, n)
		}
	}
}

// TestBounded checks that no more items are on their way than there may be.
func TestBounded(t *testing.T) {
	var produced, collected atomic.Int64
	err := Run(t.Context(), 2, Stages[int]{
		Produce: func(f *Feed[int]) {
			for range 1000 {
				if item := f.Next(); f.Next() != item {
					t.Error("Next without Put gives another item")
				}
				if n := produced.Add(1) - collected.Load(); n > 2*itemsPerWorker+1 {
					t.Errorf("%d on their way", n)
				}
				f.Put()
			}
		},
		Worker: func() func(*int) { return func(*int) {} },
		Collect: func(*int) error {
			collected.Add(1)
			return nil
		},
	})
	if err != nil || collected.Load() != 1000 {
		t.Errorf("%d, %v", collected.Load(), err)
	}
}

func TestCollectError(t *testing.T) {
	wrong := errors.New("wrong")
	n := 0
	ended := make(chan struct{})
	err := Run(t.Context(), 2, Stages[int]{
		Produce: func(f *Feed[int]) {
			defer close(ended)
			numbers(1 << 30)(f)
		},
		Worker: func() func(*int) { return func(*int) {} },
		Collect: func(*int) error {
			if n++; n == 10 {
				return wrong
			}
			return nil
		},
	})
	if err != wrong || n != 10 {
		t.Errorf("%v after %d", err, n)
	}
	<-ended
}

// TestCancel cancels while a worker, the producer or the collector waits.
func TestCancel(t *testing.T) {
	for name, block := range map[string]func(s *Stages[int], release chan struct{}){
		"worker": func(s *Stages[int], release chan struct{}) {
			s.Worker = func() func(*int) { return func(*int) { <-release } }
		},
		"producer": func(s *Stages[int], release chan struct{}) {
			s.Produce = func(*Feed[int]) { <-release }
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		release := make(chan struct{})
		s := Stages[int]{
			Produce: numbers(100),
			Worker:  func() func(*int) { return func(*int) {} },
			Collect: func(*int) error { return nil },
		}
		block(&s, release)
		time.AfterFunc(10*time.Millisecond, cancel)
		if err := Run(ctx, 2, s); err != context.Canceled {
			t.Errorf("%s: %v", name, err)
		}
		close(release)
	}

	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := Run(ctx, 2, Stages[int]{
		Produce: numbers(100),
		Worker:  func() func(*int) { return func(*int) {} },
		Collect: func(*int) error {
			if n++; n == 5 {
				cancel()
			}
			return nil
		},
	})
	if err != context.Canceled || n != 5 {
		t.Errorf("%v after %d", err, n)
	}
}
