package bulk

import (
	"bytes"
	"io"
	"io/fs"
)

// byteOrderMark is a mark that some editors write before UTF-8 text. RFC 8259 allows readers to ignore it.
const byteOrderMark = "\ufeff"

// A splitter cuts a stream into batches of whole lines. It reads directly into the memory of a batch until that is
// full, or until it has a whole line and would have to wait for more input. It never holds more than max bytes of a
// line plus the bytes of one read.
type splitter struct {
	r     io.Reader
	waits func() bool // reports whether r may have to wait for more input
	max   int
	inner bool   // whether the stream begins in the middle of a file
	line  int64  // number of the line with which rest begins
	rest  []byte // bytes that have been read but are not yet in a batch
	err   error
}

func newSplitter(r io.Reader, waits func() bool, max int) *splitter {
	return &splitter{r: r, waits: waits, max: max, line: 1}
}

// never is for a reader that never waits.
func never() bool { return false }

// next reads lines into b, which must be empty. The error is io.EOF after the last line, or the error of the reader. If
// the reader fails in the middle of a line, that line is lost.
func (s *splitter) next(b *batch) error {
	b.line = s.line
	if end := bytes.LastIndexByte(s.rest, '\n') + 1; bytes.Count(s.rest[:end], newline) >= batchLines {
		s.cut(b, s.rest, end) // the lines are short, so batches share the memory into which their lines were read
		return nil
	}
	buf := append(make([]byte, 0, max(batchBytes, len(s.rest)+1)), s.rest...)
	s.rest = nil
	end, searched := 0, 0 // end of the whole lines; end of the bytes searched for newlines
	for {
		if k := bytes.LastIndexByte(buf[searched:], '\n'); k >= 0 {
			end = searched + k + 1
		}
		searched = len(buf)
		switch {
		case end > 0 && (searched >= batchBytes || s.err != nil || s.waits()):
			s.cut(b, buf, end)
			return nil
		case end == 0 && searched > s.max+len(byteOrderMark): // A byte order mark does not count towards the length; take looks for it.
			s.skip(b)
			return nil
		case s.err == nil:
			buf = s.read(buf)
		case searched > 0 && s.err == io.EOF:
			s.take(b, buf, 1)
			return nil
		default:
			return s.err
		}
	}
}

// cut gives b the lines before end, or as many of them as a batch may have, and keeps the rest for the next batch.
func (s *splitter) cut(b *batch, buf []byte, end int) {
	lines := bytes.Count(buf[:end], newline)
	if lines > batchLines {
		lines, end = batchLines, 0
		for range batchLines {
			end += bytes.IndexByte(buf[end:], '\n') + 1
		}
	}
	s.rest = buf[end:]
	s.take(b, buf[:end], int64(lines))
}

var newline = []byte{'\n'}

// take sets the lines of b, and adds their number to the number of the next line.
func (s *splitter) take(b *batch, data []byte, lines int64) {
	b.data, b.long = data, cap(data) > maxUsual
	if s.line == 1 && !s.inner {
		b.data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	}
	s.line += lines
}

// skip discards the rest of a line that is too long.
func (s *splitter) skip(b *batch) {
	b.tooLong = true
	buf := make([]byte, 0, batchBytes)
	for s.err == nil {
		buf = s.read(buf[:0])
		if k := bytes.IndexByte(buf, '\n'); k >= 0 {
			s.rest = buf[k+1:]
			break
		}
	}
	s.line++
}

// read reads once and appends the input to buf.
func (s *splitter) read(buf []byte) []byte {
	if len(buf) == cap(buf) {
		// The memory has room for max bytes of a line and for one more read after them.
		larger := min(2*cap(buf), max(cap(buf), s.max)+batchBytes)
		buf = append(make([]byte, 0, larger), buf...)
	}
	for range 100 {
		n, err := s.r.Read(buf[len(buf):cap(buf)])
		buf, s.err = buf[:len(buf)+n], err
		if n > 0 || err != nil {
			return buf
		}
	}
	s.err = io.ErrNoProgress
	return buf
}

const (
	// aheadBytes and aheadPieces limit how much is read ahead from an input whose Read may have to wait.
	aheadBytes  = 64 << 10
	aheadPieces = 8
)

// isSteady reports whether a file is a regular file. Reading a regular file never waits for input.
func isSteady(file io.Reader) bool {
	f, ok := file.(fs.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// ahead is a stream that a goroutine reads in advance, so that the consumer can tell whether more input has arrived.
type ahead struct {
	pieces chan []byte
	piece  []byte // the bytes that Read returns next
	err    error  // the error after the last piece; set before pieces is closed
}

// readAhead returns a stream whose goroutine reads r in advance, until r returns an error or done is closed.
func readAhead(r io.Reader, done <-chan struct{}) *ahead {
	a := &ahead{pieces: make(chan []byte, aheadPieces)}
	go func() {
		defer close(a.pieces)
		b := make([]byte, aheadBytes)
		for a.err == nil {
			var n int
			n, a.err = r.Read(b)
			select {
			case a.pieces <- bytes.Clone(b[:n]):
			case <-done:
				a.err = io.ErrClosedPipe
				return
			}
		}
	}()
	return a
}

// waits reports whether Read has to wait for more input.
func (a *ahead) waits() bool { return len(a.piece) == 0 && len(a.pieces) == 0 }

func (a *ahead) Read(b []byte) (int, error) {
	if len(a.piece) == 0 {
		piece, ok := <-a.pieces
		if !ok {
			return 0, a.err
		}
		a.piece = piece
	}
	n := copy(b, a.piece)
	a.piece = a.piece[n:]
	return n, nil
}
