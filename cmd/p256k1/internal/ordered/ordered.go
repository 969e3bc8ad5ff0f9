// Package ordered spreads work over goroutines and gives the results back in
// the order of the work, with a fixed number of items on the way.
package ordered

import (
	"context"
	"sync"
)

// itemsPerWorker is enough that no worker waits while another has an item that
// takes long, or the collector does.
const itemsPerWorker = 4

// Stages are what is done with items of type T. The items are used again and
// again: what is in one when it comes from Feed.Next is left from before, or
// the zero value.
type Stages[T any] struct {
	// Produce fills items, in a goroutine of its own.
	Produce func(*Feed[T])
	// Worker is called once in each worker's goroutine and returns what the
	// worker does with each of its items.
	Worker func() func(*T)
	// Collect is called by Run with the items in the order of Produce. An error
	// ends the run.
	Collect func(*T) error
}

type item[T any] struct {
	value T
	done  chan struct{} // receives when a worker is done with it
}

// Feed is where Produce gets items and leaves them.
type Feed[T any] struct {
	ctx   context.Context
	free  chan *item[T] // nobody uses them
	jobs  chan *item[T] // for the workers
	order chan *item[T] // the same for the collector
	next  *item[T]      // Produce has it
}

// Context returns the context that ends with the run.
func (f *Feed[T]) Context() context.Context {
	return f.ctx
}

// Next waits for an item that nobody uses. It returns nil once the run has to
// end. Until Put is called it returns the same item.
func (f *Feed[T]) Next() *T {
	if f.ctx.Err() != nil {
		return nil
	}
	if f.next == nil {
		select {
		case f.next = <-f.free:
		case <-f.ctx.Done():
			return nil
		}
	}
	return &f.next.value
}

// Put passes on the item that Next returned.
func (f *Feed[T]) Put() {
	// Neither blocks: there are no more items than fit.
	f.jobs <- f.next
	f.order <- f.next
	f.next = nil
}

// Run runs the stages with so many workers until everything is collected. The
// error is that of Collect or of ctx, and then Run does not wait for the other
// goroutines: Produce goes on until it calls Next, workers until they are done
// with the items on their way.
func Run[T any](ctx context.Context, workers int, s Stages[T]) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := itemsPerWorker * workers
	f := &Feed[T]{
		ctx:   ctx,
		free:  make(chan *item[T], n),
		jobs:  make(chan *item[T], n),
		order: make(chan *item[T], n),
	}
	for range n {
		f.free <- &item[T]{done: make(chan struct{}, 1)}
	}
	go func() {
		defer close(f.order)
		defer close(f.jobs)
		s.Produce(f)
	}()
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			work := s.Worker()
			for i := range f.jobs {
				work(&i.value)
				i.done <- struct{}{}
			}
		})
	}
	for {
		i, err := f.collectable()
		if err != nil {
			return err
		}
		if i == nil {
			running.Wait()
			return nil
		}
		if err := s.Collect(&i.value); err != nil {
			return err
		}
		f.free <- i
	}
}

// collectable waits until a worker is done with the next item, and returns nil
// after the last.
func (f *Feed[T]) collectable() (*item[T], error) {
	select {
	case i, ok := <-f.order:
		if ok {
			select {
			case <-i.done:
			case <-f.ctx.Done():
			}
		}
		// Nothing more is collected after the end of ctx, ready or not.
		return i, f.ctx.Err()
	case <-f.ctx.Done():
		return nil, f.ctx.Err()
	}
}
