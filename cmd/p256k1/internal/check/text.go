package check

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"p256k1.mleku.dev/cmd/p256k1/internal/show"
)

// unquote returns the text of a string, which is valid until the next call.
func (c *Checker) unquote(v jsontext.Value) []byte {
	if isVerbatim(v) {
		return v[1 : len(v)-1]
	}
	c.text, _ = jsontext.AppendUnquote(c.text[:0], v) // which the decoder has accepted
	return c.text
}

// isVerbatim reports whether a string stands in the line without escape
// sequences. It then holds no quotation mark, backslash or character below space.
func isVerbatim(v jsontext.Value) bool {
	return bytes.IndexByte(v, '\\') < 0
}

// describe returns a kind with its article, for messages.
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
	}
	return kind.String()
}

// maxShown is how many bytes from a line a message repeats.
const maxShown = 40

// quote returns text in quotation marks for a message: of bounded length, without
// characters that are not printable, and without what may be a secret key.
func quote(text []byte) string {
	return strconv.Quote(beginning(text))
}

// beginning returns the text without what may be a secret key, and with an
// ellipsis for what is not shown of it.
func beginning(text []byte) string {
	text = text[:min(len(text), 4*maxShown)] // keys are shorter
	shown := show.Redact(string(text))
	if len(shown) <= maxShown {
		return shown
	}
	cut := maxShown
	for cut > maxShown-utf8.UTFMax && !utf8.RuneStart(shown[cut]) {
		cut--
	}
	return shown[:cut] + "…"
}
