package nostr

import (
	"encoding/hex"
	"fmt"
)

// ID is the SHA-256 of an event's serialization (NIP-01), PubKey is an x-only public key, and Sig is a BIP-340
// signature. With the verbs %v, %s and %x, package fmt prints them in lower-case hexadecimal digits, as in JSON.
type (
	ID     [32]byte
	PubKey [32]byte
	Sig    [64]byte
)

// String returns 64 lower-case hexadecimal digits.
func (b ID) String() string { return hex.EncodeToString(b[:]) }

// String returns 64 lower-case hexadecimal digits.
func (b PubKey) String() string { return hex.EncodeToString(b[:]) }

// String returns 128 lower-case hexadecimal digits.
func (b Sig) String() string { return hex.EncodeToString(b[:]) }

// Format implements fmt.Formatter, so that %x prints the bytes in hexadecimal. Without Format, %x would encode the
// digits that String returns once more.
func (b ID) Format(s fmt.State, verb rune) { format(s, verb, b[:]) }

// Format implements fmt.Formatter, so that %x prints the bytes in hexadecimal.
func (b PubKey) Format(s fmt.State, verb rune) { format(s, verb, b[:]) }

// Format implements fmt.Formatter, so that %x prints the bytes in hexadecimal.
func (b Sig) Format(s fmt.State, verb rune) { format(s, verb, b[:]) }

func format(s fmt.State, verb rune, b []byte) {
	if verb == 'v' || verb == 's' {
		verb = 'x'
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), b)
}

// String returns the JSON of the event. If MarshalJSON fails, String returns the error in angle brackets.
func (e Event) String() string {
	text, err := e.AppendJSON(nil)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(text)
}
