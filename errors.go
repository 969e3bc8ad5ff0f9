package p256k1

import (
	"errors"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/hextext"
)

// ErrFault means that a signature was computed wrongly, by a machine that erred or
// was made to, and was withheld: it may have told the private key.
var ErrFault = errors.New("fault in the computation")

// ErrHex means that a text is not lower-case hexadecimal. An 0x before the digits,
// white space and capital letters are refused.
var ErrHex = hextext.ErrHex

// ErrNoKey means that a key is none: a nil pointer, the zero value, or a private key
// after Zero.
var ErrNoKey = errors.New("no key")

// The ways in which keys and tweaks can be invalid, which errors.Is finds in
// what this package returns. They are those of package curve.
var (
	// ErrLength means that the input does not have the length its encoding has.
	ErrLength = curve.ErrLength
	// ErrPrefix means that the first byte is not that of an accepted encoding.
	ErrPrefix = curve.ErrPrefix
	// ErrRange means that an integer is not in the range it must be in.
	ErrRange = curve.ErrRange
	// ErrNotOnCurve means that no point of the curve has these coordinates.
	ErrNotOnCurve = curve.ErrNotOnCurve
	// ErrInfinity means that a point is the one at infinity, or that a tweak led to
	// it or to the private key 0.
	ErrInfinity = curve.ErrInfinity
)

// ErrMarshal means that a private key, or what holds one, was given to a package that
// writes or reads whatever it gets, like encoding/json: secrets are written and read
// on purpose only. It is that of package curve.
var ErrMarshal = curve.ErrMarshal
