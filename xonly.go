package p256k1

import (
	"bytes"
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/hextext"
)

// XOnlyPublicKey is a public key of BIP-340: an x coordinate, which stands for the point with this x coordinate and
// even y.
//
// Packages fmt and log/slog write a key in the text form of MarshalText. Encoding packages write and read the text form
// or, if they need bytes, the binary form of MarshalBinary.
//
// The zero value and a nil pointer are not keys: Equal reports false for them, no signature verifies with them, and
// Bytes returns nil. Marshalling the zero value is an error, and encoding/json writes null for a nil pointer. Decoding
// accepts JSON in which a field of this type is missing or null. The field then keeps its value, except that
// encoding/json/v2 sets it to the zero value for null. With the tag omitzero, a field that is not set is omitted when
// JSON is written.
//
// Compare keys with Equal. As the key of a map, use the result of String, or [32]byte(x.Bytes()).
type XOnlyPublicKey struct {
	point curve.Point // normalized with even y, except in the zero value
}

func (x *XOnlyPublicKey) get() *curve.Point {
	if x == nil {
		return &noPoint
	}
	return &x.point
}

// XOnly returns the x coordinate of p as a BIP-340 public key. If p is invalid, the result is the zero value.
func (p *PublicKey) XOnly() *XOnlyPublicKey {
	x := new(XOnlyPublicKey)
	x.set(p.get())
	return x
}

// ParseXOnlyPublicKey returns the key with the 32-byte big-endian x coordinate b. The error is ErrLength, ErrRange (not
// below the field order) or ErrNotOnCurve.
func ParseXOnlyPublicKey(b []byte) (*XOnlyPublicKey, error) {
	x := new(XOnlyPublicKey)
	if err := x.setBytes(b); err != nil {
		return nil, err
	}
	return x, nil
}

func (x *XOnlyPublicKey) setBytes(b []byte) error {
	if len(b) != 32 {
		return lengthError("x-only public key", len(b), "32", hintPublic(b, true))
	}
	if _, err := x.point.LiftX(b); err != nil {
		return keyError("x-only public key", errors.Unwrap(err))
	}
	return nil
}

func (x *XOnlyPublicKey) set(p *curve.Point) {
	x.point.CondNegate(p, p.IsYOdd())
}

// Precomputed returns a key equal to x that has a table of multiples of its point, 86 KiB on the heap. With the table,
// a verification takes half as long: see PublicKey.Precomputed. If x is invalid, Precomputed returns the zero value.
func (x *XOnlyPublicKey) Precomputed() *XOnlyPublicKey {
	if x.get().IsPrecomputed() {
		return x
	}
	r := new(XOnlyPublicKey)
	r.point.Set(x.get()).PrecomputeVartime()
	return r
}

// Bytes returns the x coordinate, 32 bytes big-endian, or nil if x is invalid.
func (x *XOnlyPublicKey) Bytes() []byte {
	var b [32]byte
	return x.appendBytes(b[:0])
}

func (x *XOnlyPublicKey) appendBytes(b []byte) []byte {
	if x.get().IsInfinity() == 1 {
		return nil
	}
	return append(b, x.point.Bytes()[1:]...)
}

// PublicKey returns the public key with this x coordinate and even y. If x is invalid, the result is the zero value.
func (x *XOnlyPublicKey) PublicKey() *PublicKey {
	p := new(PublicKey)
	p.point.Set(x.get())
	return p
}

// Point returns a copy of the point with even y for arithmetic in package curve, or infinity if x is invalid.
func (x *XOnlyPublicKey) Point() *curve.Point {
	return new(curve.Point).Set(x.get())
}

// Equal reports whether y is an *XOnlyPublicKey with the same value. It reports false if either key is invalid.
func (x *XOnlyPublicKey) Equal(y crypto.PublicKey) bool {
	other, _ := y.(*XOnlyPublicKey)
	return x.get().IsInfinity() == 0 && x.get().Equal(other.get()) == 1
}

// TweakAdd returns the public key P + t·G, where P is the point of x with even y, for the 32-byte big-endian integer t.
// If t is the tagged hash that BIP-341 prescribes, the result is the Taproot output key: its x coordinate goes into the
// output, and the parity of its y coordinate into the control block. PrivateKey.TweakAddXOnly returns the private key
// that belongs to the result. The error is ErrLength if t has another length, ErrRange if t is not below n, ErrInfinity
// if the sum is infinity, and ErrNoKey if x is invalid.
func (x *XOnlyPublicKey) TweakAdd(t []byte) (*PublicKey, error) {
	p := new(PublicKey)
	if err := p.setTweakAdd(x.get(), t); err != nil {
		return nil, err
	}
	return p, nil
}

// CheckTweakAdd reports whether P + t·G, where P is the point of x with even y, has the 32-byte x coordinate output,
// and an odd y coordinate if odd is true or an even y coordinate otherwise. This is the check of BIP-341's script
// validation. CheckTweakAdd reports false if t or output is invalid, or if x is invalid.
func (x *XOnlyPublicKey) CheckTweakAdd(t, output []byte, odd bool) bool {
	var p PublicKey
	if p.setTweakAdd(x.get(), t) != nil {
		return false
	}
	return bytes.Equal(p.Bytes()[1:], output) && p.IsYOdd() == odd
}

// String returns the text form of x, the x coordinate in lower-case hexadecimal (64 digits), or
// p256k1.XOnlyPublicKey(unset) for the zero value.
func (x XOnlyPublicKey) String() string {
	b, _ := x.AppendBinary(nil)
	return hextext.String(xOnlyName, b)
}

// Format implements fmt.Formatter: the verbs v and s write the text form, q writes the text form in quotes, and x and X
// write the binary form in hexadecimal, as they write a []byte.
func (x XOnlyPublicKey) Format(f fmt.State, verb rune) {
	b, _ := x.AppendBinary(nil)
	hextext.Format(f, verb, xOnlyName, b)
}

const xOnlyName = "p256k1.XOnlyPublicKey"

// MarshalText returns the text form of x: the x coordinate in lower-case hexadecimal, 64 digits. The error is ErrNoKey
// for the zero value.
func (x XOnlyPublicKey) MarshalText() ([]byte, error) {
	return x.AppendText(nil)
}

// AppendText appends the text form of x, 64 digits, to b. The error is ErrNoKey for the zero value, and b is then
// returned unchanged.
func (x XOnlyPublicKey) AppendText(b []byte) ([]byte, error) {
	var buf [32]byte
	binary, err := x.AppendBinary(buf[:0])
	if err != nil {
		return b, err
	}
	return hex.AppendEncode(b, binary), nil
}

// UnmarshalText sets x to the key whose x coordinate is text, 64 digits of lower-case hexadecimal with nothing before
// or after them. The error is ErrHex, ErrLength, ErrRange or ErrNotOnCurve. If there is an error, x is unchanged.
func (x *XOnlyPublicKey) UnmarshalText(text []byte) error {
	var buf [65]byte
	b, err := hextext.Decode(buf[:0], text, 32)
	if err != nil {
		return textError("x-only public key", text, err, true)
	}
	return x.setBytes(b)
}

// MarshalBinary returns the binary form of x: the x coordinate, 32 bytes big-endian. The error is ErrNoKey for the zero
// value.
func (x XOnlyPublicKey) MarshalBinary() ([]byte, error) {
	return x.AppendBinary(nil)
}

// AppendBinary appends the binary form of x, 32 bytes, to b. The error is ErrNoKey for the zero value, and b is then
// returned unchanged.
func (x XOnlyPublicKey) AppendBinary(b []byte) ([]byte, error) {
	if x.point.IsInfinity() == 1 {
		return b, errNoPublicKey()
	}
	return append(b, x.Bytes()...), nil
}

// UnmarshalBinary sets x to the key with the 32-byte big-endian x coordinate b. The error is ErrLength, ErrRange or
// ErrNotOnCurve. If there is an error, x is unchanged.
func (x *XOnlyPublicKey) UnmarshalBinary(b []byte) error {
	return x.setBytes(b)
}
