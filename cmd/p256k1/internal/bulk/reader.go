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
	size    atomic.Int64 // how many bytes were read since the last batch
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
	var plain io.Reader = source{f.Context(), file, &r.size}
	packed := false
	if !r.inner {
		if plain, packed, err = unpack.NewReader(plain); err != nil {
			return err
		}
	}
	var s stream = steady{plain}
	if packed || !IsSteady(file) {
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
		r.put(b, f)
	}
	return f.Context().Err()
}

func (r *reader) put(b *batch, f *ordered.Feed[batch]) {
	b.size = r.size.Swap(0)
	f.Put()
}

// source is a reader that fails once its context is done and adds how much it
// has read to size.
type source struct {
	ctx  context.Context
	r    io.Reader
	size *atomic.Int64
}

func (s source) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(b)
	s.size.Add(int64(n))
	return n, err
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
