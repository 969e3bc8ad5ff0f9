package curve

import (
	"errors"
	"fmt"
)

// These errors say why bytes are not a scalar or a point. Functions wrap them
// with the details; check for them with errors.Is.
var (
	// ErrLength means that the input does not have the length of its encoding.
	ErrLength = errors.New("wrong length")
	// ErrPrefix means that no accepted encoding of a point has this length and
	// this first byte.
	ErrPrefix = errors.New("unknown prefix")
	// ErrRange means that an integer is not below its modulus, or is zero and must
	// not be.
	ErrRange = errors.New("out of range")
	// ErrNotOnCurve means that no point of the curve has these coordinates.
	ErrNotOnCurve = errors.New("not on the curve")
	// ErrInfinity means that a point is infinity, and infinity has no encoding
	// or is not allowed there.
	ErrInfinity = errors.New("point at infinity")
)

// ErrMarshal means that a value which may be secret was passed to an encoder or
// a decoder that handles all values, like encoding/json. Secrets are only written
// and read explicitly, by Bytes and SetBytes.
var ErrMarshal = errors.New("what may be secret is not marshalled")

// pointError returns an error about a point. Its Unwrap returns the same error without "curve: point: ", so that package
// p256k1 can name the key instead.
func pointError(format string, args ...any) error {
	return fmt.Errorf("curve: point: %w", fmt.Errorf(format, args...))
}
