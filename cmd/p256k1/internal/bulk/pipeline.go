package bulk

import (
	"context"
	"io"
	"iter"
	"sync"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/unpack"
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
		for _, stage := range []chan *batch{order, jobs} {
			select {
			case stage <- b:
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

// A reader divides inputs into batches.
type reader struct {
	maxLine int
	inner   bool          // as in Options
	header  *check.Header // the CSV header for inner lines
	long    chan struct{} // full while the pipeline holds a batch that takes much memory
}

// files reads all inputs, unless the run ends earlier.
func (r *reader) files(ctx context.Context, inputs iter.Seq[Input], put func(*batch) bool) {
	for input := range inputs {
		err := r.file(ctx, input, put)
		if !put(&batch{file: input.Name, end: true, err: err}) {
			return
		}
	}
}

// file reads an input. If it cannot read to the end, it returns the error.
func (r *reader) file(ctx context.Context, input Input, put func(*batch) bool) error {
	file, err := input.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	var plain io.Reader = source{ctx, file}
	packed := false
	if !r.inner {
		if plain, packed, err = unpack.NewReader(plain); err != nil {
			return err
		}
	}
	waits := never
	if packed || !isSteady(file) {
		ended, end := context.WithCancel(ctx)
		defer end()
		a := readAhead(plain, ended.Done())
		plain, waits = a, a.waits
	}
	split := newSplitter(plain, waits, r.maxLine)
	split.inner = r.inner
	header := r.header
	for {
		b := &batch{file: input.Name}
		if err := split.next(b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if b.tooLong {
			b.add(b.line, tooLong(r.maxLine))
		} else if b.line == 1 && !r.inner {
			if header, err = b.takeHeader(r.maxLine); err != nil {
				return err
			}
		}
		b.header = header
		if b.long {
			select {
			case r.long <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if !put(b) {
			return ctx.Err()
		}
	}
}

// source is a reader that fails when its context is done.
type source struct {
	ctx context.Context
	r   io.Reader
}

func (s source) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(b)
}
