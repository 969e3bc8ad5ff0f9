// Package wire reads Nostr events (NIP-01) from lines of JSON, as strictly as signatures require, and computes their
// ids without decoding more than necessary. Package nostr uses package wire. Programs can use package wire directly if
// they only verify lines, or if their lines also hold objects that are not events.
//
// The package accepts JSON as RFC 8259 and I-JSON (RFC 7493) define it: a line must be UTF-8, without a repeated name
// in any object, half of a surrogate pair, or text after the object. The numbers of an event must be integers without
// exponent, fraction or leading zeros, and must not be -0. Hexadecimal digits must be lower-case. Arrays and objects
// may be nested at most 256 levels deep in the line's object, and each object may have at most 1,024 names.
package wire

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"p256k1.mleku.dev/v2"
)

// These are the kinds of errors, for errors.Is. Error messages say what is wrong, and repeat at most a few characters
// of the line, because the line may contain a secret.
var (
	// ErrFormat means that a line is not JSON that this package accepts, that an event lacks a field, or that a JSON
	// value has the wrong type or is out of range.
	ErrFormat = errors.New("not the JSON of an event")
	// ErrField means that a field is not the right number of bytes in hexadecimal digits.
	ErrField = errors.New("malformed field")
	// ErrID means that the id of an event is not the SHA-256 of the event.
	ErrID = errors.New("wrong id")
)

// failure is an error of the kind ErrFormat, ErrField or ErrID.
type failure struct {
	kind error
	text string
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.kind }

// unstored is embedded in types that have no text form: in Reader, and in Event, whose fields are parts of a line.
type unstored struct{}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json do not write hashes as numbers.
func (unstored) MarshalText() ([]byte, error) { return nil, errUnstored() }

// UnmarshalText returns p256k1.ErrMarshal.
func (*unstored) UnmarshalText([]byte) error { return errUnstored() }

func errUnstored() error {
	return fmt.Errorf("wire: %w: parts of a line have no text form", p256k1.ErrMarshal)
}

// Reader reads lines. The zero value is ready for use. Only one goroutine at a time may use a Reader. A Reader reuses
// its buffers for the next line, unless they are above 1 MiB, so that Object, Event, Line and CheckID usually allocate
// no memory for lines without errors.
type Reader struct {
	unstored

	input   bytes.Buffer // the input of the decoder
	decoder jsontext.Decoder
	text    []byte // the text of a string with escape sequences
	event   []byte // the serialized event
}

// maxKept is the largest total size of the buffers that are kept for the next line.
const maxKept = 1 << 20

// trim discards the buffers if they have become larger than maxKept.
func (r *Reader) trim() {
	if cap(r.event)+cap(r.text) > maxKept {
		r.event, r.text = nil, nil
	}
}
