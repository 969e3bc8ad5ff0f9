// Package swift encodes points with ElligatorSwift (BIP-324), for package ellswift: as 64 bytes that
// cannot be told from random ones. They are two field elements u and t, big-endian, for each of
// which 32 bytes that are not below the field order stand for what they leave modulo it.
// docs/ellswift.md derives it.
package swift

import (
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
)

// DecodeVartime sets p to the point that b encodes: x is BIP-324's XSwiftEC of u and t, and y is
// odd exactly if t is. Every b encodes a point. The time depends on b, which must not be secret.
func DecodeVartime(p *curve.Point, b *[64]byte) {
	var u, t field.Element
	u.SetBytes((*[32]byte)(b[:32])) // reduced, if need be
	t.SetBytes((*[32]byte)(b[32:]))
	var a group.Affine
	a.SetElligatorSwiftVartime(&u, &t)
	(*opaque.Point)(p).Inside().SetAffine(&a)
}

// ScalarMult returns the x coordinate of k·P, 32 bytes big-endian, for a point P that b encodes
// (BIP-324's x-only ECDH). The sign of P does not count. It takes less time than DecodeVartime and
// ScalarMult of curve, as it needs no square root. It is constant-time but for b, which must not be
// secret. The error is curve.ErrInfinity for k = 0.
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

// setIsomorphic sets p to a point that b encodes, where it is cheaper, with w for the way back.
func setIsomorphic(p *group.Jacobian, w *field.Element, b *[64]byte) {
	var u, t field.Element
	u.SetBytes((*[32]byte)(b[:32]))
	t.SetBytes((*[32]byte)(b[32:]))
	var a group.Affine
	a.SetElligatorSwiftIsomorphicVartime(w, &u, &t)
	p.SetAffine(&a)
}

// EncodeVartime tries to encode p, which must be finite, with 32 bytes of randomness, and writes an
// encoding to b and reports true if they lead to one. way is 0, 1 or 2; another one, or infinity,
// leads to none.
//
// Random r and a random way lead to one in a quarter of the attempts if way is 0 or 1, and
// in half if it is 2. If each of the three is as likely, then so is each encoding that is
// found: the distribution is that of BIP-324's XElligatorSwift with a t of the right parity.
// The time depends on all arguments, which must not be secret; what an attempt without an
// encoding took tells nothing of others.
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
