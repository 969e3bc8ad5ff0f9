package p256k1

import (
	"encoding/hex"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/hextext"
)

// ErrFault means that a signature was computed wrongly, usually because of an accidental hardware error or an attack on
// the hardware. The signature is not returned, because a wrong signature can reveal the private key.
var ErrFault = errors.New("fault in the computation")

// ErrHex means that a text is not lower-case hexadecimal. A prefix 0x, white space and capital letters are refused.
var ErrHex = hextext.ErrHex

// ErrNoKey means that there is no key: the pointer is nil, or points to the zero value or to a private key after Zero.
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

// ErrMarshal means that a private key, a value that holds a private key, a scalar or point of package curve, or a value
// without an encoding, such as a batch or a session, was passed to a general encoder or decoder, such as encoding/json.
// Private keys are written and read only explicitly, by Bytes and ParsePrivateKey. ErrMarshal is the same value as in
// package curve.
var ErrMarshal = curve.ErrMarshal

// Failures is the error of functions that compute a value for each of many items. It lists the items that failed. It is
// the same type as in package curve.
type Failures = curve.Failures

// Failure is an item that failed, and the reason. It is the same type as in package curve.
type Failure = curve.Failure

// keyError returns an error about a key. The error's Unwrap method returns detail, so that another package can wrap
// detail under its own name, and the message then names only one package.
func keyError(key string, detail error) error { return fmt.Errorf("p256k1: %s: %w", key, detail) }

// lengthError returns the error for n bytes that should be a key but have the wrong length.
func lengthError(key string, n int, want, hint string) error {
	if hint != "" {
		hint = "; " + hint
	}
	return keyError(key, fmt.Errorf("%w: %d bytes, want %s%s", ErrLength, n, want, hint))
}

// hintPublic returns what bytes with the wrong length for a public key may be instead. xOnly is set if 32 bytes are
// expected.
func hintPublic(b []byte, xOnly bool) string {
	n := len(b)
	switch text := hextext.Kind(b); {
	case text != "":
		return text
	case n > 33 && b[0] == 0x30 && (int(b[1]) == n-2 || (b[1] == 0x81 && int(b[2]) == n-3)):
		return "keyformat.ParsePKIXPublicKey reads DER"
	case n == 20:
		return "20 bytes are an address or another hash of a key, and no hash gives a key"
	case n == 32:
		return "ParseXOnlyPublicKey reads an x coordinate alone"
	case n == 33 || n == 65:
		return "ParsePublicKey(b) reads them, and its method XOnly returns the x-only key"
	case n == 64 && xOnly:
		return "if they are X‖Y, the first 32 bytes are the x coordinate"
	case n == 64:
		return "if they are X‖Y, the prefix 04 is missing before X"
	}
	return ""
}

// hintPrivate returns what n bytes may be instead of a private key. It does not look at the bytes, which may be secret.
func hintPrivate(n int) string {
	switch {
	case n < 28 && n != 20:
		return ""
	case n == 20:
		return "20 bytes may be an address or another hash of a key, and no hash gives a key"
	case n < 32:
		return "leading zeros belong to a key: big.Int.FillBytes writes them, big.Int.Bytes omits them"
	case n == 33:
		return "33 bytes may be a compressed public key; a private key has no zero before it, and no 01 of WIF after it"
	case n == 34 || n == 37 || n == 38:
		return "if they are decoded WIF, the key is the 32 bytes after the first one"
	case n == 43 || n == 44:
		return "if they are base64, decode it first"
	case n == 51 || n == 52:
		return "if they are WIF, decode it first"
	case n == 63:
		return "an npub or an nsec has 63 characters, and package nip19 of nostr reads them"
	case n == 64:
		return "if they are hexadecimal digits, decode them first; if they are a private and a public key, pass the first half"
	case n == 65:
		return "65 bytes may be a public key, which ParsePublicKey reads"
	case n == 66 || n == 128 || n == 130:
		return "if they are hexadecimal digits, decode them first"
	}
	return "package keyformat reads DER and PEM"
}

// textError returns the error for a text that hextext.Decode refused as a public key.
func textError(key string, text []byte, err error, xOnly bool) error {
	hint := ""
	if b, bad := hex.DecodeString(string(text)); bad == nil && errors.Is(err, ErrLength) {
		hint = hintPublic(b, xOnly)
	}
	if hint != "" {
		return fmt.Errorf("p256k1: %s: %w; %s", key, err, hint)
	}
	return fmt.Errorf("p256k1: %s: %w", key, err)
}
