package curve

import (
	"errors"
	"fmt"
)

// These errors say why bytes are not the encoding of a scalar or a point. Functions wrap the errors with details, so
// check with errors.Is.
var (
	// ErrLength means that the input does not have the length of its encoding.
	ErrLength = errors.New("wrong length")
	// ErrPrefix means that no accepted encoding of a point has this length and this first byte.
	ErrPrefix = errors.New("unknown prefix")
	// ErrRange means that an integer is not below its modulus, or that it is zero where zero is not allowed.
	ErrRange = errors.New("out of range")
	// ErrNotOnCurve means that no point of the curve has these coordinates.
	ErrNotOnCurve = errors.New("not on the curve")
	// ErrInfinity means that a point is infinity where infinity is not allowed or has no encoding.
	ErrInfinity = errors.New("point at infinity")
)

// ErrMarshal means that a value which may be secret was passed to a general encoder or decoder, such as encoding/json.
// Secrets are written and read only explicitly, by Bytes and SetBytes.
var ErrMarshal = errors.New("refusing to marshal a value that may be secret")

// pointError returns an error about a point. The error's Unwrap method returns the same error without "curve: point: ",
// so that package p256k1 can name the key instead.
func pointError(format string, args ...any) error {
	return fmt.Errorf("curve: point: %w", fmt.Errorf(format, args...))
}
