package nostr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"p256k1.mleku.dev/v2/nostr/wire"
)

// ErrTooLong means that a line is longer than the limit of a Reader. The Reader skips the line.
var ErrTooLong = errors.New("line too long")

// MaxLine is the largest number of bytes in a line, unless NewReader is given another limit.
const MaxLine = 1 << 20

// byteOrderMark may precede the first line. RFC 8259 allows readers to ignore it.
const byteOrderMark = "\ufeff"

// space lists the white space that may surround the contents of a line.
const space = " \t\r\n"

// Frame holds the contents of a line, which is an event or a message between clients and relays (NIP-01).
type Frame struct {
	Line         int64  // number of the line, from 1
	Label        string // such as "EVENT" or "EOSE"; empty for a bare event
	Subscription string // the subscription in ["EVENT", subscription, event]
	Event        []byte // JSON, not checked yet; nil in messages without an event, which wire.Reader.Message defines
}

// Reader reads lines of JSON: events, and messages such as ["EVENT",{…}], ["EVENT","id",{…}] and ["AUTH",{…}]. The
// memory that a Reader uses depends on the longest line, and not on the length of the stream. Only one goroutine at a
// time may use a Reader.
type Reader struct {
	unstored

	r    io.Reader
	max  int
	line int64 // number of the line at from

	buf      []byte
	from, to int // buf[from:to] has been read but not yet returned
	err      error
	ended    bool // Next has returned err
	wire     wire.Reader
}

// NewReader returns a Reader that reads from r. A line may have at most maxLine bytes, or MaxLine bytes if maxLine is 0
// or negative. A maxLine above 1 GiB counts as 1 GiB.
func NewReader(r io.Reader, maxLine int) *Reader {
	if maxLine <= 0 {
		maxLine = MaxLine
	}
	return &Reader{r: r, max: min(maxLine, 1<<30)} // so that sums with max do not overflow on 32-bit machines
}

// Next returns the contents of the next line that does not consist of white space alone. The contents are valid until
// the next call. An error of the kind ErrFormat or ErrTooLong concerns only this line, whose number is in the Frame,
// and the next call continues after the line. Any other error comes from the underlying reader, is io.EOF at the end,
// or is io.ErrNoProgress, and all later calls return the same error. Next does not check that Frame.Event is a valid
// event.
func (r *Reader) Next() (Frame, error) {
	for {
		line, err := r.next()
		if err != nil {
			return Frame{Line: r.line}, err
		}
		if line = bytes.Trim(line, space); len(line) > 0 {
			f, err := r.frame(line)
			f.Line = r.line
			return f, err
		}
	}
}

// All returns an iterator over the lines that Next returns. An error of the kind ErrFormat or ErrTooLong concerns only
// its line. If reading fails, the last element is the error that Next returns.
func (r *Reader) All() iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		for {
			f, err := r.Next()
			if (r.ended && err == io.EOF) || !yield(f, err) || r.ended {
				return
			}
		}
	}
}

// frame parses a line, without the line feed.
func (r *Reader) frame(line []byte) (Frame, error) {
	if line[0] == '{' {
		return Frame{Event: line}, nil
	}
	label, rest, err := r.wire.Message(line)
	if err != nil {
		return Frame{}, fmt.Errorf("nostr: %w", err)
	}
	return Frame{Label: label, Subscription: rest.Subscription, Event: rest.Event}, nil
}

// next returns the next line, with or without its line feed.
func (r *Reader) next() ([]byte, error) {
	searched := 0 // number of bytes from r.from on that contain no line feed
	for {
		if k := bytes.IndexByte(r.buf[r.from+searched:r.to], '\n'); k >= 0 {
			return r.take(searched + k + 1)
		}
		searched = r.to - r.from
		switch {
		case searched > r.max+len(byteOrderMark): // take allows for a byte order mark
			return nil, r.skip()
		case r.err == nil:
			r.read()
		case searched > 0 && r.err == io.EOF:
			return r.take(searched)
		default:
			r.ended = true
			return nil, r.err
		}
	}
}

// take returns the next n bytes as a line, or an error if the line is too long.
func (r *Reader) take(n int) ([]byte, error) {
	line := r.buf[r.from : r.from+n]
	r.from += n
	r.line++
	if r.line == 1 {
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	if len(bytes.TrimSuffix(line, []byte{'\n'})) > r.max {
		return nil, r.tooLong()
	}
	return line, nil
}

func (r *Reader) tooLong() error {
	return fmt.Errorf("nostr: %w: more than %d bytes", ErrTooLong, r.max)
}

// skip discards the rest of a line that exceeds the limit.
func (r *Reader) skip() error {
	r.line++
	for {
		if k := bytes.IndexByte(r.buf[r.from:r.to], '\n'); k >= 0 {
			r.from += k + 1
			return r.tooLong()
		}
		r.from = r.to
		if r.err != nil {
			return r.tooLong()
		}
		r.read()
	}
}

// read reads more input into the buffer, and enlarges the buffer if it is full.
func (r *Reader) read() {
	const least = 64 << 10
	if r.from > 0 {
		r.to = copy(r.buf, r.buf[r.from:r.to])
		r.from = 0
	}
	if r.to == len(r.buf) {
		// The buffer has room for max bytes of a line, a byte order mark, and one more read.
		buf := make([]byte, max(least, min(2*len(r.buf), r.max+least)))
		copy(buf, r.buf)
		r.buf = buf
	}
	for range 100 {
		n, err := r.r.Read(r.buf[r.to:])
		r.to += n
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}
