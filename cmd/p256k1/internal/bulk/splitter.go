package bulk

import (
	"bytes"
	"io"
)

// byteOrderMark is a mark that some editors write before UTF-8 text. RFC 8259 allows readers to ignore it.
const byteOrderMark = "\ufeff"

// A stream is the input that a splitter cuts into lines.
type stream interface {
	io.Reader
	// Waits reports whether Read may have to wait for more input.
	Waits() bool
}

// A splitter cuts a stream into batches of whole lines. It reads directly into the buffers of the batches until a
// buffer is full, or until it has a whole line and would have to wait for more input. It never holds more than max
// bytes of a line plus the bytes of one read.
type splitter struct {
	r     stream
	max   int
	inner bool   // whether the stream begins in the middle of a file
	line  int64  // number of the line with which rest begins
	rest  []byte // bytes that have been read but are not yet in a batch
	err   error
}

func newSplitter(r stream, max int) *splitter {
	return &splitter{r: r, max: max, line: 1}
}

// next reads lines into b, which must be empty. The error is io.EOF after the last line, or the error of the reader. If
// the reader fails in the middle of a line, that line is lost.
func (s *splitter) next(b *batch) error {
	b.line = s.line
	if cap(b.buf) < batchBytes {
		b.buf = make([]byte, 0, batchBytes)
	}
	b.buf = append(b.buf, s.rest...)
	if s.rest = s.rest[:0]; cap(s.rest) > maxKept {
		s.rest = nil
	}
	end, searched := 0, 0 // end of the whole lines; end of the bytes searched for newlines
	for {
		if k := bytes.LastIndexByte(b.buf[searched:], '\n'); k >= 0 {
			end = searched + k + 1
		}
		searched = len(b.buf)
		switch {
		case end > 0 && (searched >= batchBytes || s.err != nil || s.r.Waits()):
			s.cut(b, end)
			return nil
		case end == 0 && searched > s.max+len(byteOrderMark): // A byte order mark does not count towards the length; take looks for it.
			return s.skip(b)
		case s.err == nil:
			s.read(b)
		case searched > 0 && s.err == io.EOF:
			s.take(b, searched, 1)
			return nil
		default:
			return s.err
		}
	}
}

// cut gives b the lines before end, or as many of them as a batch may have, and keeps the rest for the next batch.
func (s *splitter) cut(b *batch, end int) {
	lines := bytes.Count(b.buf[:end], newline)
	if lines > batchLines {
		lines, end = batchLines, 0
		for range batchLines {
			end += bytes.IndexByte(b.buf[end:], '\n') + 1
		}
	}
	s.rest = append(s.rest, b.buf[end:]...)
	s.take(b, end, int64(lines))
}

var newline = []byte{'\n'}

// take sets the lines of b to the first n bytes of its buffer, which contain the given number of lines.
func (s *splitter) take(b *batch, n int, lines int64) {
	b.data = b.buf[:n]
	if s.line == 1 && !s.inner {
		b.data = bytes.TrimPrefix(b.data, []byte(byteOrderMark))
	}
	s.line += lines
}

// skip discards a line that is too long.
func (s *splitter) skip(b *batch) error {
	b.tooLong = true
	if cap(b.buf) > maxKept {
		b.buf = make([]byte, 0, batchBytes)
	}
	for s.err == nil {
		b.buf = b.buf[:0]
		s.read(b)
		if k := bytes.IndexByte(b.buf, '\n'); k >= 0 {
			s.rest = append(s.rest, b.buf[k+1:]...)
			break
		}
	}
	s.line++
	return nil
}

// read reads once and appends the input to the buffer of b. If the buffer is full, read first replaces it by a larger
// buffer.
func (s *splitter) read(b *batch) {
	if len(b.buf) == cap(b.buf) {
		// The buffer has room for max bytes of a line and for one more read after them.
		larger := min(2*cap(b.buf), max(cap(b.buf), s.max)+batchBytes)
		b.buf = append(make([]byte, 0, larger), b.buf...)
	}
	for range 100 {
		var n int
		n, s.err = s.r.Read(b.buf[len(b.buf):cap(b.buf)])
		b.buf = b.buf[:len(b.buf)+n]
		if n > 0 || s.err != nil {
			return
		}
	}
	s.err = io.ErrNoProgress
}
