// Package swift implements ElligatorSwift (BIP-324) for package ellswift. ElligatorSwift encodes points as 64 bytes
// that cannot be distinguished from random bytes. The bytes are two field elements u and t, 32 bytes each, big-endian.
// Integers that are not below the field order are reduced. docs/ellswift.md derives the formulas.
package swift

import (
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
)

// DecodeVartime sets p to the point that b encodes: its x coordinate is XSwiftEC(u, t) of BIP-324, and its y coordinate
// is odd if and only if t is odd. Every b encodes a point. The time depends on b, which must not be secret.
func DecodeVartime(p *curve.Point, b *[64]byte) {
	var u, t field.Element
	u.SetBytes((*[32]byte)(b[:32])) // modulo p
	t.SetBytes((*[32]byte)(b[32:]))
	var a group.Affine
	a.SetElligatorSwiftVartime(&u, &t)
	(*opaque.Point)(p).Inside().SetAffine(&a)
}

// ScalarMult returns the x coordinate of k·P, 32 bytes big-endian, for the point P that b encodes (BIP-324's x-only
// ECDH). The result is the same for P and −P. ScalarMult needs no square root, and so takes less time than
// DecodeVartime and a multiplication. It is constant-time with respect to k, but b must not be secret. For k = 0 the
// error wraps curve.ErrInfinity.
func ScalarMult(k *curve.Scalar, b *[64]byte) (x [32]byte, err error) {
	var product curve.Point
	defer product.Zero()
	p := &(*opaque.Point)(&product).Inside().P
	var w field.Element
	setIsomorphic(p, &w, b)
	ecmult.Variable(p, (*opaque.Scalar)(k).Inside(), p)
	if p.IsInfinity() != 0 {
		return x, fmt.Errorf("swift: x coordinate of the %w", curve.ErrInfinity)
	}
	p.Z.Square(&p.Z).Mul(&p.Z, &w).Invert(&p.Z)
	p.X.Mul(&p.X, &p.Z).FillBytes(&x)
	return x, nil
}

// setIsomorphic sets p to the image, on the curve y² = x³ + 7w³, of the point that b encodes or of its negative, and
// sets w. Computing the image needs no square root. The x coordinates on that curve are w times the x coordinates on
// secp256k1.
func setIsomorphic(p *group.Jacobian, w *field.Element, b *[64]byte) {
	var u, t field.Element
	u.SetBytes((*[32]byte)(b[:32]))
	t.SetBytes((*[32]byte)(b[32:]))
	var a group.Affine
	a.SetElligatorSwiftIsomorphicVartime(w, &u, &t)
	p.SetAffine(&a)
}

// EncodeVartime tries to encode p with the 32 random bytes r in the given way, 0, 1 or 2. If there is an encoding,
// EncodeVartime writes it to b and reports true. It reports false for infinity and for any other value of way.
//
// With random r, a quarter of the attempts succeed if way is 0 or 1, and half of the attempts if way is 2. If the three
// ways are equally likely, so are the encodings that are found: their distribution is the distribution of BIP-324's
// XElligatorSwift, restricted to t of the right parity. The time depends on all arguments, which must not be secret.
// The time of a failed attempt reveals nothing about the encoding that a later attempt finds.
func EncodeVartime(b *[64]byte, p *curve.Point, r *[32]byte, way int) bool {
	var a group.Affine
	var u, t, e field.Element
	if way < 0 || way > group.ElligatorSwiftThird || !(*opaque.Point)(p).Inside().Affine(&a) {
		return false
	}
	e.SetBytes(r)
	if !a.ElligatorSwiftVartime(&u, &t, &e, way) {
		return false
	}
	u.FillBytes((*[32]byte)(b[:32]))
	t.FillBytes((*[32]byte)(b[32:]))
	return true
}
