package check

import (
	"strconv"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// maxShown is the largest number of bytes of a line that a message repeats.
const maxShown = 40

// quote returns text in quotation marks for a message. It limits the length, escapes characters that are not printable,
// and withholds text that may be a secret key.
func quote(text []byte) string { return strconv.Quote(beginning(text)) }

// beginning returns the beginning of text, and an ellipsis for the rest. It withholds text that may be a secret key.
func beginning(text []byte) string {
	text = text[:min(len(text), 4*maxShown)] // a secret key is shorter than this
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
