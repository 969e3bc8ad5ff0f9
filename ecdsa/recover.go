package ecdsa

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
)

// ErrRecover means that no public key could have made a signature of the digest.
var ErrRecover = errors.New("no public key recoverable")

// Recover returns the public key for which sig is a valid signature of the
// 32-byte digest (SEC 1, section 4.1.6). Any digest and about half of all
// signatures lead to some key: what has to be checked is that it is the expected
// one. Its time depends on its arguments, which are public. The error is
// ErrLength or ErrRecover.
func Recover(digest []byte, sig RecoverableSignature) (*p256k1.PublicKey, error) {
	k, err := recoverKey(digest, &sig)
	if err != nil {
		return nil, err
	}
	return &k, nil
}

func recoverKey(digest []byte, sig *RecoverableSignature) (k p256k1.PublicKey, err error) {
	var z, r, s curve.Scalar
	if err := setDigest(&z, digest); err != nil {
		return k, err
	}
	plain := sig.Signature()
	if !plain.scalars(&r, &s) {
		return k, fmt.Errorf("ecdsa: %w: r or s is zero", ErrRecover)
	}

	// R has the x coordinate r, or r + n if that is below p.
	var encoded [33]byte
	encoded[0] = 2 | sig.rsv[64]&1
	copy(encoded[1:], sig.rsv[:32])
	if sig.rsv[64]&2 != 0 && addOrder((*[32]byte)(encoded[1:])) {
		return k, fmt.Errorf("ecdsa: %w: v says x = r + n, which is not below the field order", ErrRecover)
	}
	var point curve.Point
	if _, err := point.SetBytes(encoded[:]); err != nil {
		return k, fmt.Errorf("ecdsa: %w: R: %w", ErrRecover, err)
	}

	// Q = s/r·R − z/r·G.
	r.InvertVartime(&r)
	z.Multiply(&z, &r).Negate(&z)
	s.Multiply(&s, &r)
	point.DoubleScalarBaseMultVartime(&s, &point, &z).NormalizeVartime()
	q, err := p256k1.NewPublicKeyFromPoint(&point)
	if err != nil {
		return k, fmt.Errorf("ecdsa: %w: %w", ErrRecover, err)
	}
	return *q, nil
}

// order is n, big-endian.
var order = [32]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}

// addOrder adds n to the big-endian integer x and reports whether that
// overflows. What is at least p but does not overflow is for the parser of
// points to refuse.
func addOrder(x *[32]byte) (overflow bool) {
	var carry uint
	for i := len(x) - 1; i >= 0; i-- {
		carry += uint(x[i]) + uint(order[i])
		x[i] = byte(carry)
		carry >>= 8
	}
	return carry != 0
}
