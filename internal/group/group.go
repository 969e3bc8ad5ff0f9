// Package group implements the group of points on secp256k1, the curve y² = x³ + 7 over the field of package field, in
// affine, Jacobian and XYZZ coordinates.
//
// Everything is constant-time except functions with Vartime in their names. The comment of a formula that does not hold
// for all points says for which points it holds.
package group

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/params"
)

// Affine is a point other than infinity. Lists of points to be added (internal/batch) represent a sum that is infinity
// by (0, 0), which is not on the curve, and remove it before the next addition.
type Affine struct {
	X, Y field.Element
}

// Jacobian is the point (X/Z², Y/Z³), or infinity if Z ≡ 0. The zero value of the type is infinity.
//
// Methods that compute a point set their receiver to it. Receiver and arguments may alias as a whole, but an argument
// must not be a part of the receiver.
type Jacobian struct {
	X, Y, Z field.Element
}

// Generator is the base point G of SEC 2, section 2.4.1.
var Generator = Affine{
	X: field.FromLimbs(params.Gx&params.Limb, params.Gx>>64&params.Limb, params.Gx>>128&params.Limb, params.Gx>>192),
	Y: field.FromLimbs(params.Gy&params.Limb, params.Gy>>64&params.Limb, params.Gy>>128&params.Limb, params.Gy>>192),
}

// Beta is the cube root of 1 modulo p with λ·(x, y) = (β·x, y), where λ is scalar.Lambda.
var Beta = field.FromLimbs(params.Beta&params.Limb, params.Beta>>64&params.Limb, params.Beta>>128&params.Limb, params.Beta>>192)

// b is the constant of the curve equation.
var b = field.FromLimbs(params.B&params.Limb, params.B>>64&params.Limb, params.B>>128&params.Limb, params.B>>192)

// LiftX sets p to the point with the given x and even y, and returns all ones if there is such a point; otherwise it
// returns zero and p is undefined (BIP-340, lift_x).
func (p *Affine) LiftX(x *field.Element) (ok uint64) {
	var y2 field.Element
	setC(&y2, x)
	ok = p.Y.Sqrt(&y2)
	p.setEven(x)
	return ok
}

// LiftXPair sets p[i] to the point with the given x[i] and even y, and ok[i] to all ones if there is such a point;
// otherwise ok[i] is zero and p[i] is undefined. LiftXPair takes less time than two calls of LiftX, because the two
// square roots overlap in the processor.
func LiftXPair(p *[2]Affine, x *[2]field.Element) (ok [2]uint64) {
	var y, y2 [2]field.Element
	for i := range y2 {
		setC(&y2[i], &x[i])
	}
	ok = field.SqrtPair(&y, &y2)
	for i := range p {
		p[i].Y.Set(&y[i])
		p[i].setEven(&x[i])
	}
	return ok
}

// setC sets c = x³ + 7.
func setC(c, x *field.Element) {
	var t field.Element
	t.Square(x).Mul(&t, x)
	c.Add(&t, &b)
}

// setEven sets the x coordinate of p to x, and negates the y coordinate if it is odd.
func (p *Affine) setEven(x *field.Element) {
	p.X.Set(x)
	p.Y.CondNegate(&p.Y, p.Y.IsOdd())
}

// SetUnlifted sets p = (c·x, c²) and returns c = x³ + 7. If c has a square root y, then p is the image of the point (x,
// y) under the isomorphism (X, Y) → (c·X, c·y·Y) to the curve Y² = X³ + 7·c³, since c·y·y = c². SetUnlifted needs no
// square root (docs/rootless.md, R1).
func (p *Affine) SetUnlifted(x *field.Element) (c field.Element) {
	setC(&c, x)
	p.X.Mul(&c, x)
	p.Y.Square(&c)
	return c
}

// IsOnCurve returns all ones if p satisfies the curve equation y² = x³ + 7, and zero otherwise.
func (p *Affine) IsOnCurve() uint64 {
	var y2, t field.Element
	y2.Square(&p.X).Mul(&y2, &p.X).Add(&y2, &b)
	return t.Square(&p.Y).Equal(&y2)
}

// Set sets p = a.
func (p *Affine) Set(a *Affine) {
	p.X.Set(&a.X)
	p.Y.Set(&a.Y)
}

// Negate sets p = −a.
func (p *Affine) Negate(a *Affine) {
	p.X.Set(&a.X)
	p.Y.Negate(&a.Y)
}

// Set sets p = a.
func (p *Jacobian) Set(a *Jacobian) {
	p.X.Set(&a.X)
	p.Y.Set(&a.Y)
	p.Z.Set(&a.Z)
}

// IsInfinity returns all ones if p is infinity, and zero otherwise.
func (p *Jacobian) IsInfinity() uint64 {
	return p.Z.IsZero()
}

// Negate sets p = −a.
func (p *Jacobian) Negate(a *Jacobian) {
	p.X.Set(&a.X)
	p.Y.Negate(&a.Y)
	p.Z.Set(&a.Z)
}

// Select sets p = a if mask is all ones, and p = b if mask is zero.
func (p *Jacobian) Select(a, b *Jacobian, mask uint64) {
	p.X.Select(&a.X, &b.X, mask)
	p.Y.Select(&a.Y, &b.Y, mask)
	p.Z.Select(&a.Z, &b.Z, mask)
}

// Equal returns all ones if p and a are the same point, and zero otherwise.
func (p *Jacobian) Equal(a *Jacobian) uint64 {
	var zp, za, u, v field.Element
	zp.Square(&p.Z)
	za.Square(&a.Z)
	sameX := u.Mul(&p.X, &za).Equal(v.Mul(&a.X, &zp))
	zp.Mul(&zp, &p.Z)
	za.Mul(&za, &a.Z)
	sameY := u.Mul(&p.Y, &za).Equal(v.Mul(&a.Y, &zp))
	pInf, aInf := p.IsInfinity(), a.IsInfinity()
	return sameX&sameY&^(pInf|aInf) | pInf&aInf
}

// ToAffine sets p = a, or p = (0, 0) if a is infinity.
func (p *Affine) ToAffine(a *Jacobian) {
	var zInv field.Element
	p.scale(a, zInv.Invert(&a.Z))
}

// ToAffineVartime sets p = a, or p = (0, 0) if a is infinity, in time that depends on a.
func (p *Affine) ToAffineVartime(a *Jacobian) {
	var zInv field.Element
	p.scale(a, zInv.InvertVartime(&a.Z))
}

// scale sets p = (a.X·zInv², a.Y·zInv³).
func (p *Affine) scale(a *Jacobian, zInv *field.Element) {
	p.X.Set(&a.X)
	p.Y.Set(&a.Y)
	p.Rescale(p, zInv)
}

// Rescale sets p = (a.X·c², a.Y·c³), for c ≠ 0: the image of a under the isomorphism to y² = x³ + 7·c⁶.
func (p *Affine) Rescale(a *Affine, c *field.Element) {
	rescale(p, a, c)
}

// Rescale sets p = a with coordinates (a.X·c², a.Y·c³, a.Z·c), for c ≠ 0.
func (p *Jacobian) Rescale(a *Jacobian, c *field.Element) {
	q := Affine{a.X, a.Y}
	q.Rescale(&q, c)
	p.X.Set(&q.X)
	p.Y.Set(&q.Y)
	p.Z.Mul(&a.Z, c)
}

// CondNegate sets p = −a if mask is all ones, and p = a if mask is zero.
func (p *Jacobian) CondNegate(a *Jacobian, mask uint64) {
	p.X.Set(&a.X)
	p.Y.CondNegate(&a.Y, mask)
	p.Z.Set(&a.Z)
}
