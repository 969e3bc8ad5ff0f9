// Package wire reads events of Nostr (NIP-01) from lines of JSON, as strictly as signatures require, and computes
// their ids without decoding more than it must. Package nostr is built on it. Programs can use it directly if they
// need only verdicts on lines, or if their lines hold other objects as well.
//
// It accepts JSON as RFC 8259 and I-JSON (RFC 7493) define it: UTF-8, no name twice in an object at any depth, no
// half of a surrogate pair, nothing after the object. The numbers of an event must be integers in their only plain
// form: no exponent, no fraction, no -0. Hexadecimal digits must be lower-case.
package wire

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// The kinds of errors, for errors.Is. Their texts say what is wrong, and repeat at most a few characters of the line,
// because it may hold a secret.
var (
	// ErrFormat means that a text is not JSON of the expected kind.
	ErrFormat = errors.New("not the JSON of an event")
	// ErrField means that a field does not hold the bytes that it should, in hexadecimal digits.
	ErrField = errors.New("malformed field")
	// ErrID means that the id of an event is not the SHA-256 of the event.
	ErrID = errors.New("wrong id")
)

// failure is an error of one of the kinds.
type failure struct {
	kind error
	text string
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.kind }

// Reader reads lines. The zero value is ready for use, by one goroutine at a time. It keeps
// buffers from one line to the next, and so allocates nothing for lines without errors.
type Reader struct {
	input   bytes.Buffer // the input of the decoder
	decoder jsontext.Decoder
	text    []byte // the text of a string with escape sequences
	event   []byte // the serialized event

	// controls says whether the event has control characters for which NIP-01 names no escape
	// sequence.
	controls bool
}

// maxKept is the largest size of a buffer that is kept for the next line.
const maxKept = 1 << 20

// trim drops buffers that a long line has left behind.
func (r *Reader) trim() {
	if cap(r.event)+cap(r.text) > maxKept {
		r.event, r.text = nil, nil
	}
}
