package bulk

import (
	"context"
	"sync"
)

// batchesPerWorker is enough that no worker waits while another has a batch that takes
// long, or the collector does.
const batchesPerWorker = 4

// A pipeline moves batches from the reader to workers, and from them to the collector in
// the order in which they were read. The same few batches are used again and again.
type pipeline struct {
	ctx   context.Context // ends with the run
	free  chan *batch     // nobody uses them
	jobs  chan *batch     // for the workers
	order chan *batch     // the same for the collector
	next  *batch          // the reader has it
}

// take waits for a batch that nobody uses. Its old contents are still in it. It returns
// nil once the run has to end. Until put is called it returns the same batch.
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

// put passes on the batch that take returned.
func (p *pipeline) put() {
	// Neither blocks: there are no more batches than fit.
	p.jobs <- p.next
	p.order <- p.next
	p.next = nil
}

// run runs the stages until everything is collected: read in one goroutine, what worker
// returns in so many others, and collect here. The error is that of collect or of ctx,
// and then run does not wait for the other goroutines: read goes on until it calls take,
// workers until they are done with the batches on their way.
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

// collectable waits until a worker is done with the next batch, and returns nil after the
// last.
func (p *pipeline) collectable() (*batch, error) {
	select {
	case b, ok := <-p.order:
		if ok {
			select {
			case <-b.judged:
			case <-p.ctx.Done():
			}
		}
		// Nothing more is collected after the end of ctx, ready or not.
		return b, p.ctx.Err()
	case <-p.ctx.Done():
		return nil, p.ctx.Err()
	}
}
