package jsonline

import (
	"bytes"
	"iter"
	"unicode/utf8"
)

// Kind is what a value is. Its zero value stands for no value.
type Kind byte

// The kinds of values.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Value is a value of a line, which it refers to. The zero value is none.
type Value struct {
	raw     []byte
	kind    Kind
	escaped bool
}

// Kind returns what v is.
func (v Value) Kind() Kind {
	return v.kind
}

// String returns v as it stands in the line, or the beginning of it, for
// messages.
func (v Value) String() string {
	return string(beginning(v.raw))
}

// Raw returns v as it stands in the line.
func (v Value) Raw() []byte {
	return v.raw
}

// Verbatim returns the text of a string that stands in the line without escape
// sequences. It holds no quotation mark, backslash or character below space.
func (v Value) Verbatim() (text []byte, ok bool) {
	if v.kind != String || v.escaped {
		return nil, false
	}
	return v.raw[1 : len(v.raw)-1], true
}

// AppendText appends the text of a string to dst.
func (v Value) AppendText(dst []byte) []byte {
	if v.kind != String {
		return dst
	}
	b := v.raw[1 : len(v.raw)-1]
	for {
		k := bytes.IndexByte(b, '\\')
		if k < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:k]...)
		r, n := unescape(b[k:])
		dst = utf8.AppendRune(dst, r)
		b = b[k+max(n, 1):]
	}
}

// Elements returns the values of an array; none if v is something else.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.kind == Array {
			c := cursor{b: v.raw}
			c.array(0, yield) // which was read before without an error
		}
	}
}
