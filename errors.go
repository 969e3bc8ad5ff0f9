package p256k1

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/hextext"
)

// ErrFault means that a signature was computed wrongly, usually because of an accidental hardware error or an attack on
// the hardware. The signature is not returned, because a wrong signature can reveal the private key.
var ErrFault = errors.New("fault in the computation")

// ErrHex means that a text is not lower-case hexadecimal. A prefix 0x, white space and capital letters are refused.
var ErrHex = hextext.ErrHex

// ErrNoKey means that there is no key: the pointer is nil, or points to the zero value or to
// a private key after Zero.
var ErrNoKey = errors.New("no key")

// These errors say why a key or a tweak is invalid. Functions wrap the errors with details, so check with errors.Is.
// The errors are the same values as in package curve.
var (
	// ErrLength means that the input does not have the length of its encoding.
	ErrLength = curve.ErrLength
	// ErrPrefix means that no accepted encoding of a key has this length and this first byte.
	ErrPrefix = curve.ErrPrefix
	// ErrRange means that an integer is out of its range.
	ErrRange = curve.ErrRange
	// ErrNotOnCurve means that no point of the curve has these coordinates.
	ErrNotOnCurve = curve.ErrNotOnCurve
	// ErrInfinity means that a point is infinity, or that a tweaked key would be infinity or the private key 0.
	ErrInfinity = curve.ErrInfinity
)

// ErrMarshal means that a private key, a value that holds a private key, or a scalar or point of package curve was
// passed to a general encoder or decoder, such as encoding/json. Private keys are written and read only explicitly, by
// Bytes and NewPrivateKey.
// ErrMarshal is the same value as in package curve.
var ErrMarshal = curve.ErrMarshal

// keyError returns an error about a key. The error's Unwrap method returns detail, so that another package can wrap
// detail under its own name, and the message then names only one package.
func keyError(key string, detail error) error { return fmt.Errorf("p256k1: %s: %w", key, detail) }

// lengthError returns the error for n bytes that should be a key but have the wrong length. If a text form of keys
// has this length, the message names that form.
func lengthError(key string, n int, want string) error {
	hint := ""
	switch n {
	case 63:
		hint = "; an npub or an nsec has 63 characters, and package nip19 of nostr reads them"
	case 64, 66, 130:
		hint = "; hexadecimal digits must be decoded first"
	}
	return keyError(key, fmt.Errorf("%w: %d bytes, want %s%s", ErrLength, n, want, hint))
}
