package curve

import (
	"fmt"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// ElligatorSwift (BIP-324) encodes a point as 64 bytes that cannot be told from random
// ones: two field elements u and t, big-endian, for each of which 32 bytes that are not
// below the field order stand for what they leave modulo it. docs/ellswift.md derives it.
// Package ellswift has what protocols need.

// SetElligatorSwiftVartime sets p to the point that b encodes: x is BIP-324's XSwiftEC of u
// and t, and y is odd exactly if t is. Every b encodes a point. The time depends on b, which
// must not be secret.
func (p *Point) SetElligatorSwiftVartime(b *[64]byte) *Point {
	var u, t field.Element
	u.SetBytes((*[32]byte)(b[:32])) // reduced, if need be
	t.SetBytes((*[32]byte)(b[32:]))
	var a group.Affine
	a.SetElligatorSwiftVartime(&u, &t)
	return p.setAffine(&a)
}

// ElligatorSwiftScalarMult returns the x coordinate of k·P, 32 bytes big-endian, for a point P
// that b encodes (BIP-324's x-only ECDH). The sign of P does not count. It takes less time than
// SetElligatorSwiftVartime and ScalarMult, as it needs no square root. It is constant-time but for
// b, which must not be secret. The error is ErrInfinity for k = 0.
func ElligatorSwiftScalarMult(k *Scalar, b *[64]byte) (x [32]byte, err error) {
	var product Point
	defer product.Zero()
	p := &product.p
	var w field.Element
	setIsomorphic(p, &w, b)
	ecmult.Variable(p, &k.s, p)
	if p.IsInfinity() != 0 {
		return x, fmt.Errorf("curve: x coordinate of the %w", ErrInfinity)
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

// FillElligatorSwiftVartime tries to encode p, which must be finite, with 32 bytes of
// randomness, and writes an encoding to b and reports true if they lead to one. way is 0, 1
// or 2; another one, or infinity, leads to none.
//
// Random r and a random way lead to one in a quarter of the attempts if way is 0 or 1, and
// in half if it is 2. If each of the three is as likely, then so is each encoding that is
// found: the distribution is that of BIP-324's XElligatorSwift with a t of the right parity.
// The time depends on all arguments, which must not be secret; what an attempt without an
// encoding took tells nothing of others.
func (p *Point) FillElligatorSwiftVartime(b *[64]byte, r *[32]byte, way int) bool {
	var a group.Affine
	var u, t, e field.Element
	if way < 0 || way > group.ElligatorSwiftThird || !p.affine(&a) {
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
