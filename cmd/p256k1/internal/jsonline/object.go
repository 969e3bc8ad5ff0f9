// Package jsonline reads lines that hold one JSON object each (RFC 8259), and
// refuses what makes two readers see two different objects: duplicate names of
// the object itself, invalid UTF-8 and halves of surrogate pairs (RFC 7493).
//
// It is there because encoding/json accepts all three. Values stay where they
// are in the line until somebody asks for them, and nothing is allocated for a
// line of the usual form.
package jsonline

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A Decoder reads objects one after another. The zero value is ready for use.
type Decoder struct {
	names names
}

// Object calls member with each name and value of the object that line holds,
// in their order. Both are valid until line changes or Object is called again.
// The error is a [*SyntaxError]; members before the place it names have been
// reported by then.
func (d *Decoder) Object(line []byte, member func(name []byte, v Value)) error {
	c := cursor{b: line}
	if !utf8.Valid(line) {
		return c.invalidUTF8()
	}
	c.space()
	if c.peek() != '{' {
		v, err := c.value(0)
		if err != nil {
			return err
		}
		return &SyntaxError{c.i - len(v.raw), fmt.Sprintf("%s, want an object", v.kind)}
	}
	d.names.reset()
	err := c.object(0, func(at int, name, v Value) error {
		text := name.raw[1 : len(name.raw)-1]
		if name.escaped {
			text = name.AppendText(nil)
		}
		if reason := d.names.add(text); reason != "" {
			return &SyntaxError{at, reason}
		}
		member(text, v)
		return nil
	})
	if err != nil {
		return err
	}
	c.space()
	if c.i < len(c.b) {
		return c.errorf("%s after the object", c.here())
	}
	return nil
}

// SyntaxError says where and why a line is not a JSON object.
type SyntaxError struct {
	Offset int // of the offending byte, from 0
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("column %d: %s", e.Offset+1, e.Reason)
}

// names holds the names of one object.
type names struct {
	few  [][]byte
	many map[string]struct{} // all of them, once there are manyNames
}

const (
	// manyNames is the number from which looking a name up costs less than
	// comparing it with each.
	manyNames = 24
	// maxNames keeps a line from taking many times its length of memory.
	maxNames = 1024
)

func (n *names) reset() {
	n.few = n.few[:0]
	n.many = nil
}

// add adds a name, which must stay as it is, and returns why that is wrong.
func (n *names) add(name []byte) (reason string) {
	if n.many == nil {
		for _, known := range n.few {
			if bytes.Equal(known, name) {
				return "duplicate name " + Quote(name)
			}
		}
		n.few = append(n.few, name)
		if len(n.few) == manyNames {
			n.many = make(map[string]struct{}, 2*manyNames)
			for _, known := range n.few {
				n.many[string(known)] = struct{}{}
			}
		}
		return ""
	}
	if _, ok := n.many[string(name)]; ok {
		return "duplicate name " + Quote(name)
	}
	if len(n.many) == maxNames {
		return fmt.Sprintf("more than %d names", maxNames)
	}
	n.many[string(name)] = struct{}{}
	return ""
}

// maxShown is how many bytes from a line a message repeats.
const maxShown = 40

// Quote returns text in quotation marks for a message: of bounded length and
// without control characters.
func Quote(text []byte) string {
	return fmt.Sprintf("%q", beginning(text))
}

// beginning returns the text, with an ellipsis for what is not shown of it.
func beginning(text []byte) []byte {
	if len(text) <= maxShown {
		return text
	}
	cut := maxShown
	for cut > maxShown-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return append(text[:cut:cut], "…"...)
}
