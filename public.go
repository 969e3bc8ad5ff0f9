package p256k1

import (
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/hextext"
)

// PublicKey is a point P of the curve other than infinity.
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
// Compare keys with Equal. As the key of a map, use the result of String, or [33]byte(p.Bytes()).
type PublicKey struct {
	point curve.Point // normalized, except in the zero value
}

// noPoint is the point of a public key that is nil. noPoint is never written.
var noPoint curve.Point

func (p *PublicKey) get() *curve.Point {
	if p == nil {
		return &noPoint
	}
	return &p.point
}

// ParsePublicKey returns the public key that b encodes (SEC 1, section 2.3.4): 33 bytes beginning with 02 or 03, or 65
// bytes beginning with 04. Infinity, the hybrid form (06, 07) and X‖Y without the prefix 04 are refused. The error is
// ErrLength, ErrPrefix, ErrRange (a coordinate not below the field order) or ErrNotOnCurve.
func ParsePublicKey(b []byte) (*PublicKey, error) {
	p := new(PublicKey)
	if err := p.set(b); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *PublicKey) set(b []byte) error {
	if len(b) != 33 && len(b) != 65 {
		return lengthError("public key", len(b), "33 or 65", hintPublic(b, false))
	}
	if _, err := p.point.SetBytes(b); err != nil {
		return keyError("public key", errors.Unwrap(err))
	}
	return nil
}

// NewPublicKey returns the public key with the point p. The error is ErrInfinity if p is infinity.
func NewPublicKey(p *curve.Point) (*PublicKey, error) {
	k := new(PublicKey)
	if err := k.setPoint(p); err != nil {
		return nil, err
	}
	return k, nil
}

func (p *PublicKey) setPoint(a *curve.Point) error {
	if a.IsInfinity() == 1 {
		return fmt.Errorf("p256k1: public key: %w", ErrInfinity)
	}
	p.point.Set(a).Normalize()
	return nil
}

// Precomputed returns a key equal to p that has a table of multiples of p, 86 KiB on the heap. With the table, a
// verification takes half as long, or a quarter as long on processors with AVX-512 IFMA. On processors with AVX-512
// IFMA, a Batch of eight or more signatures uses the table for few of them or for none. Precomputed is for keys that
// verify dozens of signatures or more, such as the keys of validators, oracles and federations. Computing the table
// takes as long as 20 verifications. If p has a table, Precomputed returns p. If p is invalid, Precomputed returns the
// zero value.
//
// The table never changes, so goroutines can share the key like any other key. Copies of the key, and the results of
// Point, XOnly and Negate, share the table. A key that is decoded has no table, because encodings do not contain it.
// Compare keys with Equal, because reflect.DeepEqual may report that equal keys differ, such as a key with a table and
// the same key without one.
func (p *PublicKey) Precomputed() *PublicKey {
	if p.get().IsPrecomputed() {
		return p
	}
	r := new(PublicKey)
	r.point.Set(p.get()).PrecomputeVartime()
	return r
}

// Bytes returns the compressed encoding of p, 33 bytes, or nil if p is invalid.
func (p *PublicKey) Bytes() []byte {
	var b [33]byte
	return p.appendBytes(b[:0])
}

// appendBytes appends the compressed encoding of p to b. It is separate from Bytes, so that Bytes is inlined and its
// buffer b can be on the caller's stack.
func (p *PublicKey) appendBytes(b []byte) []byte {
	if p.get().IsInfinity() == 1 {
		return nil
	}
	return append(b, p.point.Bytes()...)
}

// BytesUncompressed returns the uncompressed encoding of p, 65 bytes, or nil if p is invalid.
func (p *PublicKey) BytesUncompressed() []byte {
	var b [65]byte
	return p.appendUncompressed(b[:0])
}

func (p *PublicKey) appendUncompressed(b []byte) []byte {
	if p.get().IsInfinity() == 1 {
		return nil
	}
	return append(b, p.point.BytesUncompressed()...)
}

// Point returns a copy of p for arithmetic in package curve, or infinity if p is invalid.
func (p *PublicKey) Point() *curve.Point {
	return new(curve.Point).Set(p.get())
}

// IsYOdd reports whether the y coordinate of p is odd. It reports false if p is invalid.
func (p *PublicKey) IsYOdd() bool {
	return p.get().IsYOdd() == 1
}

// Equal reports whether x is a *PublicKey with the same value. It reports false if either key is invalid.
func (p *PublicKey) Equal(x crypto.PublicKey) bool {
	other, _ := x.(*PublicKey)
	return p.get().IsInfinity() == 0 && p.get().Equal(other.get()) == 1
}

// Negate returns the public key −P, which has the same x coordinate as p and the other y coordinate. If p is invalid,
// the result is not a key.
func (p *PublicKey) Negate() *PublicKey {
	r := new(PublicKey)
	r.point.Negate(p.get())
	return r
}

// TweakAdd returns the public key P + t·G for the 32-byte big-endian integer t, as in BIP-32. PrivateKey.TweakAdd
// returns the private key of P + t·G. The error is ErrLength if t has another length, ErrRange if t is not below n,
// ErrInfinity if the sum is infinity, and ErrNoKey if p is invalid.
func (p *PublicKey) TweakAdd(t []byte) (*PublicKey, error) {
	r := new(PublicKey)
	if err := r.setTweakAdd(p.get(), t); err != nil {
		return nil, err
	}
	return r, nil
}

func (p *PublicKey) setTweakAdd(a *curve.Point, t []byte) error {
	var tweak curve.Scalar
	if err := setTweak(&tweak, t); err != nil {
		return err
	}
	if a.IsInfinity() == 1 {
		return errNoPublicKey()
	}
	var sum curve.Point
	sum.ScalarBaseMult(&tweak)
	sum.Add(&sum, a)
	if sum.IsInfinity() == 1 {
		return fmt.Errorf("p256k1: tweaked public key: %w", ErrInfinity)
	}
	p.point.Set(sum.Normalize())
	return nil
}

// TweakAddBatch returns the public key P + t·G for each 32-byte big-endian integer t in tweaks, as TweakAdd does for
// one. Wallets can use it to compute children of an extended public key that are not hardened (BIP-32). The
// multiplications share inversions, and are computed eight at a time if the processor has AVX-512 IFMA.
//
// The error is ErrNoKey if p is invalid, and there are no keys then. Otherwise the error is a Failures with the errors
// of TweakAdd, or nil if there are none, and the key is nil for each index in this list. TweakAddBatch is
// constant-time, except that the time shows which tweaks are zero, and which tweaks are refused.
func (p *PublicKey) TweakAddBatch(tweaks [][]byte) ([]*PublicKey, error) {
	if p.get().IsInfinity() == 1 {
		return nil, errNoPublicKey()
	}
	t, sums := make([]curve.Scalar, len(tweaks)), make([]curve.Point, len(tweaks))
	var failures Failures
	for i := range tweaks {
		if err := setTweak(&t[i], tweaks[i]); err != nil {
			failures = append(failures, Failure{Index: i, Err: err})
		}
	}
	curve.ScalarBaseMultBatch(sums, t)
	for i := range sums {
		sums[i].Add(&sums[i], p.get())
	}
	curve.NormalizeBatch(sums)
	keys := make([]*PublicKey, len(tweaks))
	for i := range sums {
		keys[i] = new(PublicKey)
		keys[i].point.Set(&sums[i])
		if sums[i].IsInfinity() == 1 {
			failures = append(failures, Failure{Index: i, Err: fmt.Errorf("p256k1: tweaked public key: %w", ErrInfinity)})
		}
	}
	for _, f := range failures {
		keys[f.Index] = nil
	}
	return keys, failures.Err()
}

// TweakMul returns the public key t·P for the 32-byte big-endian integer t. PrivateKey.TweakMul returns the private key
// of t·P. The error is ErrLength if t has another length, ErrRange if t is zero or not below n, and ErrNoKey if p is
// invalid.
func (p *PublicKey) TweakMul(t []byte) (*PublicKey, error) {
	r := new(PublicKey)
	if err := r.setTweakMul(p.get(), t); err != nil {
		return nil, err
	}
	return r, nil
}

func (p *PublicKey) setTweakMul(a *curve.Point, t []byte) error {
	var tweak curve.Scalar
	if err := setTweak(&tweak, t); err != nil {
		return err
	}
	if tweak.IsZero() == 1 {
		return fmt.Errorf("p256k1: tweak: %w: zero", ErrRange)
	}
	if a.IsInfinity() == 1 {
		return errNoPublicKey()
	}
	p.point.ScalarMult(&tweak, a).Normalize()
	return nil
}

// errNoPublicKey returns the error for a public key, x-only or not, that is invalid.
func errNoPublicKey() error {
	return keyError("public key", fmt.Errorf("%w: nil or never set", ErrNoKey))
}

// String returns the text form of p, its compressed encoding in lower-case hexadecimal (66 digits), or
// p256k1.PublicKey(unset) for the zero value.
func (p PublicKey) String() string {
	b, _ := p.AppendBinary(nil)
	return hextext.String(publicKeyName, b)
}

// Format implements fmt.Formatter: the verbs v and s write the text form, q writes the text form in quotes, and x and X
// write the binary form in hexadecimal, as they write a []byte.
func (p PublicKey) Format(f fmt.State, verb rune) {
	b, _ := p.AppendBinary(nil)
	hextext.Format(f, verb, publicKeyName, b)
}

const publicKeyName = "p256k1.PublicKey"

// MarshalText returns the text form of p: its compressed encoding in lower-case hexadecimal, 66 digits. The error is
// ErrNoKey for the zero value.
func (p PublicKey) MarshalText() ([]byte, error) {
	return p.AppendText(nil)
}

// AppendText appends the text form of p, 66 digits, to b. The error is ErrNoKey for the zero value, and b is then
// returned unchanged.
func (p PublicKey) AppendText(b []byte) ([]byte, error) {
	var buf [33]byte
	binary, err := p.AppendBinary(buf[:0])
	if err != nil {
		return b, err
	}
	return hex.AppendEncode(b, binary), nil
}

// UnmarshalText sets p to the key that text encodes in lower-case hexadecimal, compressed (66 digits) or uncompressed
// (130 digits). Nothing may precede or follow the digits. The error is ErrHex, ErrLength, ErrPrefix, ErrRange or
// ErrNotOnCurve. If there is an error, p is unchanged.
func (p *PublicKey) UnmarshalText(text []byte) error {
	var buf [65]byte
	b, err := hextext.Decode(buf[:0], text, 33, 65)
	if err != nil {
		return textError("public key", text, err, false)
	}
	return p.set(b)
}

// MarshalBinary returns the binary form of p: its compressed encoding, 33 bytes. The error is ErrNoKey for the zero
// value.
func (p PublicKey) MarshalBinary() ([]byte, error) {
	return p.AppendBinary(nil)
}

// AppendBinary appends the binary form of p, 33 bytes, to b. The error is ErrNoKey for the zero value, and b is then
// returned unchanged.
func (p PublicKey) AppendBinary(b []byte) ([]byte, error) {
	if p.point.IsInfinity() == 1 {
		return b, errNoPublicKey()
	}
	return append(b, p.point.Bytes()...), nil
}

// UnmarshalBinary sets p to the key that b encodes, compressed (33 bytes) or uncompressed (65). The error is ErrLength,
// ErrPrefix, ErrRange or ErrNotOnCurve. If there is an error, p is unchanged.
func (p *PublicKey) UnmarshalBinary(b []byte) error {
	return p.set(b)
}
