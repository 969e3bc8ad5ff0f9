package p256k1

import (
	"crypto"
	"fmt"

	"p256k1.mleku.dev/curve"
)

// PublicKey is a point of the curve other than infinity.
//
// The zero value is no key: it is not equal to itself, nothing verifies with it,
// and its encodings are the single byte 00.
type PublicKey struct {
	point curve.Point // normalized, except in the zero value
}

// NewPublicKey returns the public key that b encodes (SEC 1, section 2.3.4): 33
// bytes beginning with 02 or 03, or 65 bytes beginning with 04. Infinity and the
// hybrid form (06, 07) are refused. The error is ErrLength, ErrPrefix, ErrRange
// (a coordinate not below the field order) or ErrNotOnCurve.
func NewPublicKey(b []byte) (*PublicKey, error) {
	p := new(PublicKey)
	if err := p.set(b); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *PublicKey) set(b []byte) error {
	if _, err := p.point.SetBytes(b); err != nil {
		return fmt.Errorf("p256k1: public key: %w", err)
	}
	return nil
}

// NewPublicKeyFromPoint returns the public key at p, or ErrInfinity.
func NewPublicKeyFromPoint(p *curve.Point) (*PublicKey, error) {
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

// Bytes returns the compressed encoding of p, 33 bytes.
func (p *PublicKey) Bytes() []byte {
	return p.point.Bytes()
}

// BytesUncompressed returns the uncompressed encoding of p, 65 bytes.
func (p *PublicKey) BytesUncompressed() []byte {
	return p.point.BytesUncompressed()
}

// Point returns a copy of p for arithmetic in package curve.
func (p *PublicKey) Point() *curve.Point {
	return new(curve.Point).Set(&p.point)
}

// IsYOdd reports whether the y coordinate of p is odd.
func (p *PublicKey) IsYOdd() bool {
	return p.point.IsYOdd() == 1
}

// XOnly returns the x coordinate of p as a key of BIP-340.
func (p *PublicKey) XOnly() *XOnlyPublicKey {
	x := new(XOnlyPublicKey)
	x.set(p)
	return x
}

// Equal reports whether x is a public key with the same value.
func (p *PublicKey) Equal(x crypto.PublicKey) bool {
	other, _ := x.(*PublicKey)
	return other != nil && p.point.IsInfinity() == 0 && p.point.Equal(&other.point) == 1
}

// Negate returns the public key −P, with the other y coordinate.
func (p *PublicKey) Negate() *PublicKey {
	r := new(PublicKey)
	r.point.Negate(&p.point)
	return r
}

// TweakAdd returns the public key P + t·G for the 32-byte big-endian integer t,
// as in BIP-32; PrivateKey.TweakAdd is its other half. The error is ErrLength
// or ErrRange for t that has another length or is not below n, and ErrInfinity
// if the sum is infinity.
func (p *PublicKey) TweakAdd(t []byte) (*PublicKey, error) {
	r := new(PublicKey)
	if err := r.setTweakAdd(&p.point, t); err != nil {
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

// TweakMul returns the public key t·P for the 32-byte big-endian integer t;
// PrivateKey.TweakMul is its other half. The error is ErrLength or ErrRange for
// t that has another length, is zero or is not below n.
func (p *PublicKey) TweakMul(t []byte) (*PublicKey, error) {
	r := new(PublicKey)
	if err := r.setTweakMul(p, t); err != nil {
		return nil, err
	}
	return r, nil
}

func (p *PublicKey) setTweakMul(a *PublicKey, t []byte) error {
	var tweak curve.Scalar
	if err := setTweak(&tweak, t); err != nil {
		return err
	}
	if tweak.IsZero() == 1 {
		return fmt.Errorf("p256k1: tweak: %w: zero", ErrRange)
	}
	if a.point.IsInfinity() == 1 {
		return errNoPublicKey()
	}
	p.point.ScalarMult(&tweak, &a.point).Normalize()
	return nil
}

// errNoPublicKey is the error for the zero value of a public key.
func errNoPublicKey() error {
	return fmt.Errorf("p256k1: public key: %w: never set", ErrInfinity)
}
