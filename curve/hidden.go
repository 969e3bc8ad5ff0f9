package curve

import "fmt"

// The methods in this file keep packages that format or encode all values from showing scalars and points.

const (
	scalarText = "curve.Scalar(hidden)"
	pointText  = "curve.Point(hidden)"
)

// Format writes a text without the value, since scalars are often secret. To see
// the value, print the result of Bytes.
//
// Package fmt calls Format for Scalars and pointers to them, as arguments and in exported
// fields, arrays, slices and maps. It does not call Format, and shows the value,
//   - for a Scalar in an unexported field, with all verbs except %T;
//   - for a *Scalar in an unexported field, with verbs that do not fit pointers, like %s;
//   - for %w, if the argument is, points to or holds a Scalar;
//   - for %p, if the argument is a Scalar, or a struct or array that holds one.
//
// "go vet" reports only the case %w. A type that holds secrets should have a Format
// method of its own.
func (Scalar) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, scalarText)
}

// Format writes a text without the value, since a point can be a shared secret. To see the value, print the result of
// Bytes. Package fmt shows the value without calling Format in the cases that Scalar.Format lists.
func (Point) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, pointText)
}

// MarshalText returns ErrMarshal, so that encoders like encoding/json refuse scalars
// instead of leaving them out. Encode the result of Bytes explicitly.
func (Scalar) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("curve: scalar: %w: encode what Bytes returns", ErrMarshal)
}

// UnmarshalText returns ErrMarshal and leaves s unchanged. Decode bytes, and use
// SetBytes.
func (s *Scalar) UnmarshalText([]byte) error {
	return fmt.Errorf("curve: scalar: %w: decode bytes and use SetBytes", ErrMarshal)
}

// MarshalBinary returns ErrMarshal, so that encoders like encoding/gob refuse scalars.
func (s Scalar) MarshalBinary() ([]byte, error) { return s.MarshalText() }

// UnmarshalBinary returns ErrMarshal and leaves s unchanged.
func (s *Scalar) UnmarshalBinary([]byte) error { return s.UnmarshalText(nil) }

// MarshalText returns ErrMarshal, so that encoders like encoding/json refuse points
// instead of leaving them out. Encode the result of Bytes explicitly, or a public key.
func (Point) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("curve: point: %w: encode what Bytes returns, or a public key", ErrMarshal)
}

// UnmarshalText returns ErrMarshal and leaves p unchanged. Decode bytes, and use
// SetBytes, or decode a public key.
func (p *Point) UnmarshalText([]byte) error {
	return fmt.Errorf("curve: point: %w: decode bytes and use SetBytes, or decode a public key", ErrMarshal)
}

// MarshalBinary returns ErrMarshal, so that encoders like encoding/gob refuse points.
func (p Point) MarshalBinary() ([]byte, error) { return p.MarshalText() }

// UnmarshalBinary returns ErrMarshal and leaves p unchanged.
func (p *Point) UnmarshalBinary([]byte) error { return p.UnmarshalText(nil) }
