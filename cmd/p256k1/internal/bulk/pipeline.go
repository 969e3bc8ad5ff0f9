package bulk

import (
	"context"
	"sync"
)

// batchesPerWorker is large enough that no worker is idle while another worker or the collector spends a long time on a
// batch.
const batchesPerWorker = 4

// run moves batches from the reader to workers, and from the workers to the collector in the order in which they were
// read. read runs in one goroutine, the functions that worker returns run in the given number of goroutines, and
// collect runs in the caller's goroutine. read passes batches to put, which waits while many batches are on their way,
// and returns false once the run must end. The error is the error of collect or of ctx. After an error, run does not
// wait for the other goroutines: read continues until it calls put, and the workers continue until they have judged all
// batches that were put.
func run(ctx context.Context, workers int, read func(ctx context.Context, put func(*batch) bool), worker func() func(*batch),
	collect func(*batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs, order := make(chan *batch, batchesPerWorker*workers), make(chan *batch, batchesPerWorker*workers)
	put := func(b *batch) bool {
		b.judged = make(chan struct{})
		for _, to := range []chan *batch{order, jobs} {
			select {
			case to <- b:
			case <-ctx.Done():
				return false
			}
		}
		return true
	}
	go func() {
		defer close(order)
		defer close(jobs)
		read(ctx, put)
	}()
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			work := worker()
			for b := range jobs {
				work(b)
				close(b.judged)
			}
		})
	}
	for {
		var b *batch
		select {
		case b = <-order:
		case <-ctx.Done():
		}
		if b != nil {
			select {
			case <-b.judged:
			case <-ctx.Done():
			}
		}
		// When ctx is done, no more batches are collected, even if they are ready.
		if err := ctx.Err(); err != nil {
			return err
		}
		if b == nil {
			running.Wait()
			return nil
		}
		if err := collect(b); err != nil {
			return err
		}
	}
}
