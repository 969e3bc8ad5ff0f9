package bulk

import (
	"context"
	"sync"
)

// batchesPerWorker is large enough that no worker is idle while another worker or the collector spends a long time on a
// batch.
const batchesPerWorker = 4

// A pipeline moves batches from the reader to workers, and from the workers to the collector in the order in which they
// were read. The same few batches are reused.
type pipeline struct {
	ctx   context.Context // is done when the run ends
	free  chan *batch     // free batches
	jobs  chan *batch     // batches for the workers
	order chan *batch     // the same batches for the collector, in order
	next  *batch          // the batch that the reader holds
}

// take waits for a free batch and returns it, with its old contents. It returns nil once the run must end. Until put is
// called, take returns the same batch.
func (p *pipeline) take() *batch {
	if p.ctx.Err() != nil {
		return nil
	}
	if p.next == nil {
		select {
		case p.next = <-p.free:
		case <-p.ctx.Done():
			return nil
		}
	}
	return p.next
}

// put passes the batch that take returned to the workers and the collector.
func (p *pipeline) put() {
	// Neither send blocks, because each channel has room for all batches.
	p.jobs <- p.next
	p.order <- p.next
	p.next = nil
}

// run runs the stages until everything is collected: read runs in one goroutine, the functions that worker returns run
// in the given number of goroutines, and collect runs in the caller's goroutine. The error is the error of collect or
// of ctx. After an error, run does not wait for the other goroutines: read continues until it calls take, and the
// workers continue until they have judged all batches that were put.
func run(ctx context.Context, workers int, read func(*pipeline), worker func() func(*batch), collect func(*batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := batchesPerWorker * workers
	p := &pipeline{ctx: ctx, free: make(chan *batch, n), jobs: make(chan *batch, n), order: make(chan *batch, n)}
	for range n {
		p.free <- &batch{judged: make(chan struct{}, 1)}
	}
	go func() {
		defer close(p.order)
		defer close(p.jobs)
		read(p)
	}()
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			work := worker()
			for b := range p.jobs {
				work(b)
				b.judged <- struct{}{}
			}
		})
	}
	for {
		b, err := p.collectable()
		if err != nil {
			return err
		}
		if b == nil {
			running.Wait()
			return nil
		}
		if err := collect(b); err != nil {
			return err
		}
		p.free <- b
	}
}

// collectable waits until a worker is done with the next batch, and returns the batch. It returns nil after the last
// batch.
func (p *pipeline) collectable() (*batch, error) {
	select {
	case b, ok := <-p.order:
		if ok {
			select {
			case <-b.judged:
			case <-p.ctx.Done():
			}
		}
		// When ctx is done, no more batches are collected, even if they are ready.
		return b, p.ctx.Err()
	case <-p.ctx.Done():
		return nil, p.ctx.Err()
	}
}
