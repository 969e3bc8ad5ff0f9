package bulk

import (
	"context"
	"io"
	"iter"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/unpack"
)

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
	var s stream = steady{plain}
	if packed || !isSteady(file) {
		ended, end := context.WithCancel(ctx)
		defer end()
		s = readAhead(plain, ended.Done())
	}
	split := newSplitter(s, r.maxLine)
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
