package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Names lists the names of the fields of an event.
var Names = [...]string{"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}

// Fields holds the values of an event's fields as JSON, in the order of Names.
type Fields [len(Names)][]byte

// These are the indexes of Fields.
const (
	fieldID = iota
	fieldPubKey
	fieldCreatedAt
	fieldKind
	fieldTags
	fieldContent
	fieldSig
)

// Event is an event whose tags and content are still encoded as JSON.
type Event struct {
	unstored

	ID        [32]byte // as in the line
	PubKey    [32]byte // x only, BIP-340
	CreatedAt int64    // Unix time in seconds
	Kind      uint16
	Tags      []byte // JSON: an array of arrays of strings
	Content   []byte // JSON: a string
	Sig       [64]byte

	// Sum is the SHA-256 of the event's serialization by NIP-01. ID should equal Sum.
	Sum [32]byte
}

// Event sets e to the event with the field values f, which Object has read. None of the values may be nil. Event does
// not verify the signature, and does not check the id; CheckID checks the id. If several fields are wrong, errors of
// the kind ErrFormat take precedence over errors of the kind ErrField. After the call, e refers to parts of the line.
func (r *Reader) Event(e *Event, f *Fields) error {
	for i, want := range [...]byte{String, String, Number, Number, Array, String, String} {
		if err := Expect(Names[i], f[i], want); err != nil {
			return err
		}
	}
	if err := e.numbers(f); err != nil {
		return err
	}
	e.Tags, e.Content = f[fieldTags], f[fieldContent]
	malformed := r.Hex(e.PubKey[:], Names[fieldPubKey], f[fieldPubKey])
	serialized, err := r.serialize(e)
	if err != nil {
		return err
	}
	if malformed != nil {
		return malformed
	}
	e.Sum = sha256.Sum256(serialized)
	if err := r.Hex(e.ID[:], Names[fieldID], f[fieldID]); err != nil {
		return err
	}
	return r.Hex(e.Sig[:], Names[fieldSig], f[fieldSig])
}

// Line sets e to the event in a line. It calls Object with Names, and then Event. The error is of the kind ErrFormat or
// ErrField. Fields with unknown names are ignored.
func (r *Reader) Line(e *Event, line []byte) error {
	var f Fields
	if err := r.Object(line, Names[:], f[:]); err != nil {
		return err
	}
	for i, v := range f {
		if v == nil {
			return &failure{ErrFormat, fmt.Sprintf("no field %q", Names[i])}
		}
	}
	return r.Event(e, &f)
}

// numbers reads the numbers of the event, or returns an error for the first number that NIP-01 does not allow.
func (e *Event) numbers(f *Fields) error {
	createdAt, ok := integer(f[fieldCreatedAt], math.MinInt64, math.MaxInt64)
	if !ok {
		return &failure{ErrFormat, fmt.Sprintf("created_at is %s, want an integer of 64 bits", number(f[fieldCreatedAt]))}
	}
	kind, ok := integer(f[fieldKind], 0, math.MaxUint16)
	if !ok {
		return &failure{ErrFormat, fmt.Sprintf("kind is %s, want an integer from 0 to %d", number(f[fieldKind]), math.MaxUint16)}
	}
	e.CreatedAt, e.Kind = createdAt, uint16(kind)
	return nil
}

// integer returns the value of a JSON number that is an integer from lo to hi. Only one form is accepted for each
// integer.
func integer(raw []byte, lo, hi int64) (n int64, ok bool) {
	if string(raw) == "-0" {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil && lo <= n && n <= hi
}

// CheckID returns an error of the kind ErrID if the id of the event is wrong. e must have been set by Event or Line,
// and the line must not have changed since.
func (r *Reader) CheckID(e *Event) error {
	if e.Sum == e.ID {
		return nil
	}
	serialized, _ := r.serialize(e)
	return wrongID(serialized, &e.Sum, &e.ID)
}

// CheckSerialized returns an error of the kind ErrID unless id is the SHA-256 of an event's serialization by NIP-01.
// Its message is the message of CheckID.
func CheckSerialized(serialized []byte, id *[32]byte) error {
	sum := sha256.Sum256(serialized)
	if sum == *id {
		return nil
	}
	return wrongID(serialized, &sum, id)
}

// wrongID returns the error for an event whose hash is sum and not id. The error says whether id is the hash of the
// serialization with control characters as \u00xx, as JavaScript's JSON.stringify writes them, because nostr-tools,
// go-nostr and other programs compute such ids.
func wrongID(serialized []byte, sum, id *[32]byte) error {
	reason := fmt.Sprintf("id is not the SHA-256 of the event, which is %x", *sum)
	h, from := sha256.New(), 0
	for i, char := range serialized {
		if char < ' ' {
			h.Write(serialized[from:i])
			h.Write(appendControl(nil, char))
			from = i + 1
		}
	}
	h.Write(serialized[from:])
	if [32]byte(h.Sum(nil)) == *id {
		reason += `; it is that with control characters as \u00xx, which NIP-01 wants verbatim`
	}
	return &failure{ErrID, reason}
}

// maxHead is an upper bound on the bytes of the serialized event that belong neither to tags nor to content.
const maxHead = 128

// serialize returns the bytes whose hash is the id of an event. The bytes are valid until the next call. The error says
// why the tags are invalid.
func (r *Reader) serialize(e *Event) (serialized []byte, err error) {
	// No string becomes longer when it is serialized.
	b := append(slices.Grow(r.event[:0], len(e.Tags)+len(e.Content)+maxHead), `[0,"`...)
	b = hex.AppendEncode(b, e.PubKey[:])
	b = append(b, `",`...)
	b = strconv.AppendInt(b, e.CreatedAt, 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(e.Kind), 10)
	b = append(b, ',')
	b, err = r.appendTags(b, e.Tags)
	if err != nil {
		return nil, err
	}
	b = append(b, ',')
	b = r.appendString(b, e.Content)
	b = append(b, ']')
	r.event = b
	return b, nil
}

// Tags returns the tags of an event that Event has read, or nil if there are no tags.
func (r *Reader) Tags(tags []byte) (all [][]string) {
	d := r.decode(tags)
	_, _ = d.ReadToken()
	for d.PeekKind() == jsontext.KindBeginArray {
		_, _ = d.ReadToken()
		tag := []string{}
		for d.PeekKind() == jsontext.KindString {
			v, _ := d.ReadValue()
			tag = append(tag, string(r.Text(v)))
		}
		_, _ = d.ReadToken()
		all = append(all, tag)
	}
	return all
}

// appendTags appends the tags, or returns an error that says why they are invalid. The errors of the decoder are
// ignored, because it has already read the same text without an error.
func (r *Reader) appendTags(b, tags []byte) ([]byte, error) {
	if s := (scanner{line: tags}); len(s.lists()) == len(tags) {
		return append(b, tags...), nil // the serialization of NIP-01 is the same text
	}
	d := r.decode(tags)
	defer r.decode(nil)
	_, _ = d.ReadToken()
	b = append(b, '[')
	for comma := false; d.PeekKind() != jsontext.KindEndArray; comma = true {
		if kind := d.PeekKind(); kind != jsontext.KindBeginArray {
			return nil, &failure{ErrFormat, fmt.Sprintf("tags has %s, want arrays of strings", describe(kind))}
		}
		if comma {
			b = append(b, ',')
		}
		_, _ = d.ReadToken()
		b = append(b, '[')
		for comma := false; d.PeekKind() != jsontext.KindEndArray; comma = true {
			v, _ := d.ReadValue()
			if kind := v.Kind(); kind != jsontext.KindString {
				return nil, &failure{ErrFormat, fmt.Sprintf("a tag has %s, want strings", describe(kind))}
			}
			if comma {
				b = append(b, ',')
			}
			b = r.appendString(b, v)
		}
		_, _ = d.ReadToken()
		b = append(b, ']')
	}
	return append(b, ']'), nil
}

// appendString appends a string in quotation marks.
func (r *Reader) appendString(b, value []byte) []byte {
	if isCanonical(value) {
		return append(b, value...)
	}
	return appendQuoted(b, r.Text(value), true)
}

// AppendNIP01 appends a text, which must be UTF-8, as a string of the NIP-01 serialization: in quotation marks, with
// control characters verbatim, except the five whose escape sequence is a letter. The result may not be valid JSON.
func AppendNIP01(b []byte, text string) []byte {
	return appendQuoted(b, text, true)
}

// AppendJSON appends a text, which must be UTF-8, as a JSON string. It escapes only the characters that JSON requires
// to be escaped.
func AppendJSON(b []byte, text string) []byte {
	return appendQuoted(b, text, false)
}

// appendQuoted appends a text in quotation marks. If verbatim is true, control characters for which NIP-01, "Events and
// signatures", names no escape sequence are verbatim, and otherwise \u00xx.
func appendQuoted[T []byte | string](b []byte, text T, verbatim bool) []byte {
	b = append(b, '"')
	from := 0 // text[:from] has been appended
	for i := range len(text) {
		char := text[i]
		if char >= ' ' && char != '"' && char != '\\' {
			continue
		}
		letter := escapes[char]
		if letter == 0 && verbatim {
			continue
		}
		b = append(b, text[from:i]...)
		from = i + 1
		if letter == 0 {
			b = appendControl(b, char)
		} else {
			b = append(b, '\\', letter)
		}
	}
	b = append(b, text[from:]...)
	return append(b, '"')
}

// appendControl appends the JSON escape sequence of a control character.
func appendControl(b []byte, char byte) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', digits[char>>4], digits[char&15])
}

// escapes holds the letter of a character's escape sequence, or 0 if NIP-01 names no escape sequence.
var escapes = [...]byte{'\n': 'n', '"': '"', '\\': '\\', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f'}
