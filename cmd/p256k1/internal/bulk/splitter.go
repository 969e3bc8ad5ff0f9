package bulk

import (
	"bytes"
	"io"
)

// byteOrderMark is what some editors put before UTF-8 text. RFC 8259 lets
// readers ignore it.
const byteOrderMark = "\ufeff"

// A splitter cuts what it reads into batches of whole lines. It never waits for
// more while it has a whole line, and never holds more of a line than max bytes
// and one reading.
type splitter struct {
	r    io.Reader
	max  int
	line int64 // number of the line at from

	buf      []byte
	from, to int // what was read and not yet cut is buf[from:to]
	scanned  int // there is no newline in buf[from:scanned]
	err      error
	empty    int // readings in turn that led to nothing
}

func newSplitter(r io.Reader, buf []byte, max int) *splitter {
	return &splitter{r: r, max: max, line: 1, buf: buf}
}

// next sets the lines of b, which is empty. The error is io.EOF after the last
// line, or that of the reader, which lost the rest of a line that it cut off.
func (s *splitter) next(b *batch) error {
	b.line = s.line
	for {
		if s.cut(b) {
			return nil
		}
		switch pending := s.to - s.from; {
		case pending > s.max:
			return s.skip(b)
		case s.err == nil:
			s.read()
		case pending > 0 && s.err == io.EOF:
			s.take(b, pending, 1)
			return nil
		default:
			return s.err
		}
	}
}

// cut moves whole lines of up to max bytes from the buffer to b and reports
// whether there were any.
func (s *splitter) cut(b *batch) bool {
	n, lines := 0, 0
	from := s.from
	for search := max(s.scanned, from); lines < batchLines && n < batchBytes; search = from {
		k := bytes.IndexByte(s.buf[search:s.to], '\n')
		if k < 0 {
			s.scanned = s.to
			break
		}
		end := search + k
		if end-from > s.max {
			s.scanned = end
			break
		}
		from = end + 1
		n = from - s.from
		lines++
	}
	if lines > 0 {
		s.take(b, n, int64(lines))
	}
	return lines > 0
}

// take moves n bytes, which are so many lines, to b.
func (s *splitter) take(b *batch, n int, lines int64) {
	data := s.buf[s.from : s.from+n]
	if s.line == 1 {
		data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	}
	b.data = append(b.data, data...)
	s.from += n
	s.line += lines
}

// skip throws a line away that is too long.
func (s *splitter) skip(b *batch) error {
	b.tooLong = true
	for {
		if k := bytes.IndexByte(s.buf[s.from:s.to], '\n'); k >= 0 {
			s.from += k + 1
			break
		}
		s.from = s.to
		if s.err != nil {
			break
		}
		s.read()
	}
	s.line++
	return nil
}

// read reads once, into a larger buffer if this one is full.
func (s *splitter) read() {
	switch {
	case s.from == s.to:
		s.from, s.to, s.scanned = 0, 0, 0
	case s.to == len(s.buf) && s.from > 0:
		s.to = copy(s.buf, s.buf[s.from:s.to])
		s.scanned = max(s.scanned-s.from, 0)
		s.from = 0
	}
	if s.to == len(s.buf) {
		// What fills it is at most max bytes, and one reading goes behind them.
		buf := make([]byte, max(len(s.buf)+min(len(s.buf), s.max+batchBytes-len(s.buf)), batchBytes))
		copy(buf, s.buf)
		s.buf = buf
	}
	n, err := s.r.Read(s.buf[s.to:])
	s.to += n
	s.err = err
	if n > 0 || err != nil {
		s.empty = 0
	} else if s.empty++; s.empty == 100 {
		s.err = io.ErrNoProgress
	}
}
