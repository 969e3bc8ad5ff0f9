package bulk

import (
	"context"
	"io"
	"iter"
	"sync/atomic"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/check"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/ordered"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/unpack"
)

// largeBatches is how many bytes batches of long lines may hold in all, unless
// a single line may be longer.
const largeBatches = 32 << 20

// A reader turns inputs into batches.
type reader struct {
	maxLine int
	inner   bool          // as in Options
	header  *check.Header // of inner lines
	large   *budget
}

// files reads all inputs, or until the run ends.
func (r *reader) files(inputs iter.Seq[Input], f *ordered.Feed[batch]) {
	for input := range inputs {
		err := r.file(input, f)
		b := f.Next()
		if b == nil {
			return
		}
		b.reset(input.Name)
		b.end, b.err = true, err
		f.Put()
	}
}

// file reads an input. It returns why that was not possible to the end.
func (r *reader) file(input Input, f *ordered.Feed[batch]) error {
	file, err := input.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	var plain io.Reader = source{f.Context(), file}
	packed := false
	if !r.inner {
		if plain, packed, err = unpack.NewReader(plain); err != nil {
			return err
		}
	}
	var s stream = steady{plain}
	if packed || !isSteady(file) {
		ended, end := context.WithCancel(f.Context())
		defer end()
		s = readAhead(plain, ended.Done())
	}
	split := newSplitter(s, r.maxLine)
	split.inner = r.inner
	header := r.header
	for b := f.Next(); b != nil; b = f.Next() {
		b.reset(input.Name)
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
		if n := int64(cap(b.buf)); n > maxKept {
			b.weight = min(n, r.large.all)
		}
		if err := r.large.take(f.Context(), b.weight); err != nil {
			return err
		}
		f.Put()
	}
	return f.Context().Err()
}

// source is a reader that fails once its context is done.
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

// A budget is memory that one goroutine takes from, and any give back to.
type budget struct {
	all   int64
	free  atomic.Int64
	given chan struct{} // receives when there is more than before
}

func newBudget(all int64) *budget {
	b := &budget{all: all, given: make(chan struct{}, 1)}
	b.free.Store(all)
	return b
}

// take waits until there are n bytes, of at most all, and takes them.
func (b *budget) take(ctx context.Context, n int64) error {
	for b.free.Load() < n {
		select {
		case <-b.given:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b.free.Add(-n)
	return nil
}

func (b *budget) give(n int64) {
	b.free.Add(n)
	select {
	case b.given <- struct{}{}:
	default:
	}
}
