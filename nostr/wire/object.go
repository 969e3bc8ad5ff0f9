package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// These are limits on the contents of a line, which are lower than the limits of package jsontext. Without these
// limits, a line could need many times its length in memory.
const (
	maxDepth = 256  // levels of nested arrays and objects in the object
	maxNames = 1024 // names in one object
)

// space is the white space of JSON.
const space = " \t\r\n"

// Object reads the JSON object in line. It sets values[i] to the JSON value with the name names[i], as a slice of line,
// or to nil if the object does not contain the name. Values with other names are checked just as strictly, but are
// ignored. The error is of the kind ErrFormat, and its message gives the position of the error as a byte number in the
// line, counted from 1.
func (r *Reader) Object(line []byte, names []string, values [][]byte) error {
	r.trim()
	clear(values)
	if scan(line, names, values) {
		return nil
	}
	clear(values)
	err := r.tokens(line, names, values)
	r.decode(nil) // because otherwise the decoder would retain the line
	return err
}

// tokens implements Object for lines of any form.
func (r *Reader) tokens(line []byte, names []string, values [][]byte) error {
	d := r.decode(line)
	first, err := d.ReadToken()
	if err != nil {
		return syntax(err)
	}
	if kind := first.Kind(); kind != jsontext.KindBeginObject {
		return at(len(line)-len(bytes.TrimLeft(line, space)), describe(kind)+", want an object")
	}
	for d.PeekKind() != jsontext.KindEndObject {
		name, err := r.next(line)
		if err != nil {
			return err
		}
		v, err := r.next(line)
		if err != nil {
			return err
		}
		text := r.Text(name)
		for i, known := range names {
			if string(text) == known {
				values[i] = v
				break
			}
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return syntax(err)
	}
	if rest := bytes.TrimLeft(line[d.InputOffset():], space); len(rest) > 0 {
		return at(len(line)-len(rest), "text after the object")
	}
	return nil
}

// decode returns r's decoder, ready to read text.
func (r *Reader) decode(text []byte) *jsontext.Decoder {
	r.input = *bytes.NewBuffer(text)
	r.decoder.Reset(&r.input)
	return &r.decoder
}

// next reads a name or a value of the object in line, and returns it as a slice of line. It reads token by token, so
// that it stops early if the contents exceed maxDepth or maxNames.
func (r *Reader) next(line []byte) (value []byte, err error) {
	d := &r.decoder
	start := d.InputOffset()
	for {
		if _, err := d.ReadToken(); err != nil {
			return nil, syntax(err)
		}
		end := d.InputOffset()
		depth := d.StackDepth()
		if depth > 1+maxDepth {
			return nil, at(int(end)-1, fmt.Sprintf("nested deeper than %d", maxDepth))
		}
		if kind, n := d.StackIndex(depth); kind == jsontext.KindBeginObject && n > 2*maxNames {
			return nil, at(int(end)-1, fmt.Sprintf("more than %d names", maxNames))
		}
		if depth == 1 {
			return bytes.TrimLeft(line[start:end], ",:"+space), nil
		}
	}
}

// syntax returns the error for a line that the decoder refuses.
func syntax(err error) error {
	e, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok: // io.EOF
		return at(0, "nothing, want an object")
	case e.Err == io.ErrUnexpectedEOF:
		return at(int(e.ByteOffset), "unexpected end of the line")
	case e.Err == jsontext.ErrDuplicateName:
		return at(int(e.ByteOffset), "duplicate name "+quote([]byte(e.JSONPointer.LastToken())))
	}
	return at(int(e.ByteOffset), e.Err.Error())
}

// at returns an error of the kind ErrFormat, whose message gives a position in the line.
func at(offset int, what string) error {
	return &failure{ErrFormat, fmt.Sprintf("column %d: %s", offset+1, what)}
}

// Text returns the text of a JSON string that Object has read. The result is valid until the next call of a method of
// r.
func (r *Reader) Text(value []byte) []byte {
	if isVerbatim(value) {
		return value[1 : len(value)-1]
	}
	r.text, _ = jsontext.AppendUnquote(slices.Grow(r.text[:0], len(value)), value) // no error: the decoder has accepted it
	return r.text
}

// isVerbatim reports whether a JSON string contains no escape sequences. If it contains none, its text is the bytes
// between the quotation marks.
func isVerbatim(value []byte) bool {
	return bytes.IndexByte(value, '\\') < 0
}

// isCanonical reports whether a JSON string is in the form that NIP-01 prescribes.
func isCanonical(value []byte) bool {
	for {
		i := bytes.IndexByte(value, '\\')
		if i < 0 {
			return true
		}
		if !isShort(value[i+1]) {
			return false
		}
		value = value[i+2:]
	}
}

// isShort reports whether a backslash and c form an escape sequence in JSON as well as in NIP-01.
func isShort(c byte) bool {
	switch c {
	case '"', '\\', 'n', 'r', 't', 'b', 'f':
		return true
	}
	return false
}

// These are the kinds of JSON values to pass to Expect. The constants have the values of jsontext.Kind.
const (
	String byte = '"'
	Number byte = '0'
	Array  byte = '['
)

// Expect returns an error of the kind ErrFormat unless value, which Object has read, is of the kind want: a String, a
// Number or an Array.
func Expect(name string, value []byte, want byte) error {
	if is := jsontext.Value(value).Kind(); byte(is) != want {
		return &failure{ErrFormat, fmt.Sprintf("%s is %s, want %s", name, describe(is), describe(jsontext.Kind(want)))}
	}
	return nil
}

// describe returns the name of a kind with its article, for error messages.
func describe(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindFalse, jsontext.KindTrue:
		return "a boolean"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	case jsontext.KindEndArray:
		return "nothing"
	}
	return kind.String()
}

// maxShown is the largest number of bytes of a line that an error message repeats. The longest integer of 64 bits has
// 20 characters, and a secret key is longer.
const maxShown = 20

// quote returns a text in quotation marks, or only its length if it is long enough to be a secret.
func quote(text []byte) string {
	if len(text) > maxShown {
		return fmt.Sprintf("of %d bytes", len(text))
	}
	return strconv.Quote(string(text))
}

// number returns a JSON number, or only its length if it has more than maxShown bytes.
func number(text []byte) string {
	if len(text) > maxShown {
		return fmt.Sprintf("a number of %d bytes", len(text))
	}
	return string(text)
}
