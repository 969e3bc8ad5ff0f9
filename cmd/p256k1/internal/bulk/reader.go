package bulk

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/sync/semaphore"

	"p256k1.mleku.dev/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/cmd/p256k1/internal/ordered"
	"p256k1.mleku.dev/cmd/p256k1/internal/unpack"
)

// largeBatches is how many bytes batches of long lines may hold in all, unless
// a single line may be longer.
const largeBatches = 64 << 20

// A reader turns inputs into batches.
type reader struct {
	maxLine int
	buf     []byte // for the splitter
	large   *semaphore.Weighted
	size    int64 // how many bytes were read since the last batch
}

// files reads all inputs, or until the run ends.
func (r *reader) files(inputs []Input, f *ordered.Feed[batch]) {
	for _, input := range inputs {
		err := r.file(input, f)
		b := f.Next()
		if b == nil {
			return
		}
		b.reset(input.Name)
		b.end, b.err = true, err
		r.put(b, f)
	}
}

// file reads an input. It returns why that was not possible to the end.
func (r *reader) file(input Input, f *ordered.Feed[batch]) error {
	file, err := input.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := unpack.NewReader(source{f.Context(), file, &r.size})
	if err != nil {
		return err
	}
	s := newSplitter(text, r.buf, r.maxLine)
	defer func() { r.buf = s.buf }()
	for b := f.Next(); b != nil; b = f.Next() {
		b.reset(input.Name)
		if err := s.next(b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if b.tooLong {
			b.add(b.line, check.Result{Verdict: check.Unreadable, Reason: fmt.Sprintf("longer than %d bytes", r.maxLine)})
		}
		if err := r.large.Acquire(f.Context(), b.weight()); err != nil {
			return err
		}
		r.put(b, f)
	}
	return f.Context().Err()
}

func (r *reader) put(b *batch, f *ordered.Feed[batch]) {
	b.size, r.size = r.size, 0
	f.Put()
}

// source is a reader that fails once its context is done and adds how much it
// has read to size.
type source struct {
	ctx  context.Context
	r    io.Reader
	size *int64
}

func (s source) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(b)
	*s.size += int64(n)
	return n, err
}
