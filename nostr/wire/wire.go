// Package wire reads Nostr events (NIP-01) from lines of JSON, as strictly as signatures require, and computes their
// ids without decoding more than necessary. Package nostr is built on package wire. Programs can use package wire
// directly if they need only verdicts on lines, or if their lines also contain other objects.
//
// The package accepts JSON as RFC 8259 and I-JSON (RFC 7493) define it: UTF-8, no repeated name in any object, no
// half of a surrogate pair, and nothing after the object. The numbers of an event must be integers without exponent,
// fraction or leading zeros, and not -0. Hexadecimal digits must be lower-case.
package wire

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// These are the kinds of errors, for errors.Is. Error messages say what is wrong, and repeat at most a few characters
// of the line, because the line may contain a secret.
var (
	// ErrFormat means that a text is not JSON of the expected kind.
	ErrFormat = errors.New("not the JSON of an event")
	// ErrField means that a field is not the right number of bytes in hexadecimal digits.
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

// Reader reads lines. The zero value is ready for use. Only one goroutine at a time may use a Reader. A Reader reuses
// its buffers for the next line, so it allocates nothing for lines without errors.
type Reader struct {
	input   bytes.Buffer // the input of the decoder
	decoder jsontext.Decoder
	text    []byte // the text of a string with escape sequences
	event   []byte // the serialized event

	// controls is true if the event has control characters for which NIP-01 defines no escape sequence.
	controls bool
}

// maxKept is the size up to which a buffer is kept for the next line.
const maxKept = 1 << 20

// trim discards buffers that have become larger than maxKept.
func (r *Reader) trim() {
	if cap(r.event)+cap(r.text) > maxKept {
		r.event, r.text = nil, nil
	}
}
