// Package check judges single lines: whether a line contains a valid signature, an invalid signature, or nothing that
// could be a signature.
package check

import (
	"strings"

	"p256k1.mleku.dev/v2/nostr/wire"
)

// Verdict is the outcome for a line.
type Verdict uint8

// These are the verdicts.
const (
	Good       Verdict = iota
	Bad                // has a known shape, but malformed bytes, or a wrong signature, id or tweak
	Unreadable         // is neither JSON nor a CSV row, or has none of the shapes, or values that are not of its shape
)

func (v Verdict) String() string { return [...]string{"good", "bad", "unreadable"}[v] }

// Shape is the kind of a line's contents.
type Shape uint8

// These are the shapes of lines.
const (
	None        Shape = iota // none of the shapes below
	Event                    // a Nostr event, NIP-01
	ECDSA                    // a public key, a digest and an ECDSA signature
	Schnorr                  // a public key, a message and a BIP-340 signature
	Recoverable              // a public key, a digest and an ECDSA signature from which the key can be recovered
	Tweak                    // an internal key, a tweak and an output key of BIP-341
)

func (s Shape) String() string {
	return [...]string{"", "event", "ecdsa", "schnorr", "recoverable", "tweak"}[s]
}

// Result is the verdict on a line, with its shape and the reason.
type Result struct {
	Verdict Verdict
	Shape   Shape
	Reason  string // empty if the verdict is Good
}

// Checker judges lines, one at a time or many together. The zero value is ready for use.
type Checker struct {
	// LowS makes the Checker refuse ECDSA signatures with s > (n−1)/2.
	LowS bool
	// Header is the header of the CSV file from which the lines come, or nil for lines of JSON.
	Header *Header

	reader wire.Reader
	values [numFields][]byte // values of the line's fields
	row    []byte            // the values of a line that is not JSON

	deferred deferred // signatures that Lines verifies later, in batches
}

// Line judges a line. The result does not refer to the line's memory.
func (c *Checker) Line(line []byte) Result {
	if c.Header != nil {
		return c.csv(line)
	}
	if err := c.reader.Object(line, fieldNames[:], c.values[:]); err != nil {
		return unreadable(None, err.Error())
	}
	layout, reason := layoutOf(c.present())
	if reason == "" {
		reason = c.wrongKind(layout)
	}
	if reason != "" {
		return unreadable(None, reason)
	}
	return layout.check(c)
}

func unreadable(s Shape, reason string) Result { return Result{Unreadable, s, reason} }

// judged returns a result with the verdict Bad for the given reason, or with the verdict Good if there is no reason.
func judged(s Shape, reason string) Result {
	if reason == "" {
		return Result{Verdict: Good, Shape: s}
	}
	return Result{Bad, s, reason}
}

// textOf returns the text of a string field. The text is valid until the next call.
func (c *Checker) textOf(f field) []byte { return c.reader.Text(c.values[f]) }

// hexInto fills dst with the bytes that a field of a row encodes in hexadecimal digits.
func (c *Checker) hexInto(dst []byte, f field) (reason string) {
	return c.readHex(f, func(value []byte) error { return c.reader.Hex(dst, f.String(), value) })
}

// hexUpTo is like hexInto, but accepts any number of bytes up to len(dst), and returns the filled part of dst.
func (c *Checker) hexUpTo(dst []byte, f field) (b []byte, reason string) {
	reason = c.readHex(f, func(value []byte) (err error) {
		b, err = c.reader.HexUpTo(dst, f.String(), value)
		return err
	})
	return b, reason
}

// readHex calls read with the value of a field or, if that fails, with the value in the form that the reader accepts,
// which is the form of Nostr: in lower case, without 0x.
func (c *Checker) readHex(f field, read func(value []byte) error) (reason string) {
	err := read(c.values[f])
	if err != nil {
		err = read(wire.AppendJSON(nil, strings.TrimPrefix(strings.ToLower(string(c.textOf(f))), "0x")))
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
