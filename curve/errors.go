package curve

import "errors"

// The ways in which bytes can fail to be a scalar or a point. Functions wrap
// them with what was wrong; find them with errors.Is.
var (
	// ErrLength means that the input does not have the length its encoding has.
	ErrLength = errors.New("wrong length")
	// ErrPrefix means that the first byte of a point is not that of an
	// encoding which is accepted here.
	ErrPrefix = errors.New("unknown prefix")
	// ErrRange means that an integer is not below its modulus, or is zero where
	// it must not be.
	ErrRange = errors.New("out of range")
	// ErrNotOnCurve means that no point of the curve has these coordinates.
	ErrNotOnCurve = errors.New("not on the curve")
	// ErrInfinity means that the point at infinity stood, or resulted, where it
	// has no encoding.
	ErrInfinity = errors.New("point at infinity")
)

// ErrMarshal means that a value which may be secret was given to a package that
// writes or reads whatever it gets, like encoding/json: secrets are written and
// read on purpose only.
var ErrMarshal = errors.New("what may be secret is not marshalled")
