package bulk

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/sync/semaphore"

	"p256k1.mleku.dev/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/cmd/p256k1/internal/ordered"
)

// largeBatches is how many bytes batches of long lines may hold in all, unless
// a single line may be longer.
const largeBatches = 64 << 20

// A reader turns inputs into batches.
type reader struct {
	maxLine int
	buf     []byte // for the splitter
	large   *semaphore.Weighted
}

// files reads all inputs, or until the run ends.
func (r *reader) files(inputs []Input, f *ordered.Feed[batch]) {
	for _, input := range inputs {
		err := r.file(input, f)
		b := f.Next()
		if b == nil {
			return
		}
		if err != nil {
			b.reset(input.Name)
			b.err = err
			f.Put()
		}
	}
}

// file reads an input. It returns why that was not possible to the end.
func (r *reader) file(input Input, f *ordered.Feed[batch]) error {
	file, err := input.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	s := newSplitter(contextReader{f.Context(), file}, r.buf, r.maxLine)
	defer func() { r.buf = s.buf }()
	for b := f.Next(); b != nil; b = f.Next() {
		b.reset(input.Name)
		if err := s.next(b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if b.tooLong {
			b.judge(b.line, check.Result{Verdict: check.Unreadable, Reason: fmt.Sprintf("longer than %d bytes", r.maxLine)})
		}
		if err := r.large.Acquire(f.Context(), b.weight()); err != nil {
			return err
		}
		f.Put()
	}
	return f.Context().Err()
}

// contextReader is a reader that fails once its context is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
