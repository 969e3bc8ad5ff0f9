package curve

import "fmt"

// The methods in this file keep packages that format or encode any value, such as fmt and encoding/json, from showing
// scalars and points.

const (
	scalarText = "curve.Scalar(hidden)"
	pointText  = "curve.Point(hidden)"
)

// Format writes a placeholder instead of the value, because scalars are often secret. To see the value, print the
// result of Bytes.
//
// Package fmt calls Format for Scalars and pointers to them, as arguments and in exported fields, arrays, slices and
// maps. In the following cases package fmt does not call Format, and shows the value:
//   - a Scalar in an unexported field, with all verbs except %T;
//   - a *Scalar in an unexported field, with verbs that do not fit pointers, such as %s;
//   - the verb %w, if the argument is, points to or holds a Scalar;
//   - the verb %p, if the argument is a Scalar, or a struct or array that holds a Scalar.
//
// "go vet" reports only the case of %w. A type that holds secrets should have a Format method of its own.
func (Scalar) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, scalarText)
}

// Format writes a placeholder instead of the value, because a point can be a shared secret. To see the value, print the
// result of Bytes. Package fmt shows the value without calling Format in the cases that Scalar.Format lists.
func (Point) Format(f fmt.State, _ rune) {
	fmt.Fprint(f, pointText)
}

// MarshalText returns ErrMarshal, so that encoders such as encoding/json refuse scalars instead of silently omitting
// them. Encode the result of Bytes explicitly.
func (Scalar) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("curve: scalar: %w: encode the result of Bytes explicitly", ErrMarshal)
}

// UnmarshalText returns ErrMarshal and leaves s unchanged. Decode the bytes explicitly and pass them to SetBytes.
func (s *Scalar) UnmarshalText([]byte) error {
	return fmt.Errorf("curve: scalar: %w: decode the bytes and pass them to SetBytes", ErrMarshal)
}

// MarshalBinary returns ErrMarshal, so that encoders such as encoding/gob refuse scalars.
func (s Scalar) MarshalBinary() ([]byte, error) { return s.MarshalText() }

// UnmarshalBinary returns ErrMarshal and leaves s unchanged.
func (s *Scalar) UnmarshalBinary([]byte) error { return s.UnmarshalText(nil) }

// MarshalText returns ErrMarshal, so that encoders such as encoding/json refuse points instead of silently omitting
// them. Encode the result of Bytes explicitly, or encode a p256k1.PublicKey.
func (Point) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("curve: point: %w: encode the result of Bytes explicitly, or a public key", ErrMarshal)
}

// UnmarshalText returns ErrMarshal and leaves p unchanged. Decode the bytes explicitly and pass them to SetBytes, or
// decode a p256k1.PublicKey.
func (p *Point) UnmarshalText([]byte) error {
	return fmt.Errorf("curve: point: %w: decode the bytes and pass them to SetBytes, or decode a public key", ErrMarshal)
}

// MarshalBinary returns ErrMarshal, so that encoders such as encoding/gob refuse points.
func (p Point) MarshalBinary() ([]byte, error) { return p.MarshalText() }

// UnmarshalBinary returns ErrMarshal and leaves p unchanged.
func (p *Point) UnmarshalBinary([]byte) error { return p.UnmarshalText(nil) }
