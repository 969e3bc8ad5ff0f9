package secp256k1

import (
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// JacobianPoint is the point (X/Z², Y/Z³) of the curve. The point is infinity if Z ≡ 0, or if X ≡ 0 and Y ≡ 0, as in
// the zero value.
type JacobianPoint struct{ X, Y, Z FieldVal }

// MakeJacobianPoint returns the point with these coordinates.
func MakeJacobianPoint(x, y, z *FieldVal) JacobianPoint {
	return JacobianPoint{*x, *y, *z}
}

// Set sets p = other.
func (p *JacobianPoint) Set(other *JacobianPoint) { *p = *other }

func (p *JacobianPoint) coordinates() group.Jacobian {
	return group.Jacobian{X: p.X.element(), Y: p.Y.element(), Z: p.Z.element()}
}

// point returns p as a point of package group, with Z = 0 for infinity.
func (p *JacobianPoint) point() group.Jacobian {
	j := p.coordinates()
	var zero field.Element
	j.Z.Select(&zero, &j.Z, j.X.IsZero()&j.Y.IsZero())
	return j
}

// set sets p to j with canonical coordinates, all 0 for infinity.
func (p *JacobianPoint) set(j *group.Jacobian) {
	var zero group.Jacobian
	j.Select(&zero, j, j.IsInfinity())
	p.X.setNormal(&j.X)
	p.Y.setNormal(&j.Y)
	p.Z.setNormal(&j.Z)
}

// ToAffine changes p to coordinates with Z = 1, in constant time, except that it needs no inversion if Z is already
// 1. Infinity becomes (0, 0, 1).
func (p *JacobianPoint) ToAffine() {
	if p.Z.IsOne() {
		p.X.Normalize()
		p.Y.Normalize()
		return
	}
	j := p.point()
	p.setAffine(&j)
	p.Z.SetInt(1)
}

// setAffine sets p to j with Z = 1, or to all zeros for infinity.
func (p *JacobianPoint) setAffine(j *group.Jacobian) {
	var a group.Affine
	a.ToAffine(j)
	p.X.setNormal(&a.X)
	p.Y.setNormal(&a.Y)
	p.Z = FieldVal{[4]uint64{^j.IsInfinity() & 1}}
}

// EquivalentNonConst reports whether p and other are the same point of the curve. As in Decred's package, points off
// the curve are equivalent if their x coordinates are equal and the y coordinates are not opposite.
func (p *JacobianPoint) EquivalentNonConst(other *JacobianPoint) bool {
	difference := *p
	difference.Y.Negate(1)
	AddNonConst(&difference, other, &difference)
	return difference.isInfinity()
}

func (p *JacobianPoint) isInfinity() bool {
	return p.Z.IsZeroBit()|p.X.IsZeroBit()&p.Y.IsZeroBit() != 0
}

// AddNonConst sets result = p1 + p2. The coordinates are the same as in Decred's package, because programs may compare
// them: Z is Z1·(X2 − X1) if Z1 = Z2 ≠ 1, and 2·Z1·Z2·(X2·Z1² − X1·Z2²) otherwise.
func AddNonConst(p1, p2, result *JacobianPoint) {
	switch {
	case p1.isInfinity():
		result.Set(p2)
		return
	case p2.isInfinity():
		result.Set(p1)
		return
	}
	var zz1, zz2, u1, s1, h, r, z field.Element
	a, b := p1.coordinates(), p2.coordinates()
	doubled := true
	if a.Z.Equal(&b.Z) != 0 {
		u1, s1, z = a.X, a.Y, a.Z
		h.Sub(&b.X, &a.X)
		r.Sub(&b.Y, &a.Y)
		doubled = p1.Z.IsOne()
	} else {
		zz1.Square(&a.Z)
		zz2.Square(&b.Z)
		u1.Mul(&a.X, &zz2)
		h.Sub(h.Mul(&b.X, &zz1), &u1)
		s1.Mul(s1.Mul(&a.Y, &b.Z), &zz2)
		r.Mul(r.Mul(&b.Y, &a.Z), &zz1)
		r.Sub(&r, &s1)
		z.Mul(&a.Z, &b.Z)
	}
	if h.IsZero() != 0 {
		if r.IsZero() != 0 {
			DoubleNonConst(p1, result)
		} else {
			*result = JacobianPoint{}
		}
		return
	}
	d := h
	if doubled {
		d.Add(&d, &d)
		r.Add(&r, &r)
		s1.Add(&s1, &s1)
	}
	var dd, hdd, v, x, y, t field.Element
	dd.Square(&d)
	hdd.Mul(&h, &dd)
	v.Mul(&u1, &dd)
	x.Sub(x.Square(&r), &hdd)
	x.Sub(&x, t.Add(&v, &v))
	y.Mul(&r, y.Sub(&v, &x))
	y.Sub(&y, t.Mul(&s1, &hdd))
	result.X.setNormal(&x)
	result.Y.setNormal(&y)
	result.Z.setNormal(z.Mul(&z, &d))
}

// DoubleNonConst sets result = 2·p, with Z = 2·Y·Z.
func DoubleNonConst(p, result *JacobianPoint) {
	if p.Y.IsZeroBit()|p.Z.IsZeroBit() != 0 {
		*result = JacobianPoint{}
		return
	}
	c := p.coordinates()
	var m, yy, s, t field.Element
	m.Square(&c.X)
	m.Add(&m, t.Add(&m, &m)) // 3·X²
	c.Z.Mul(&c.Z, &c.Y)
	c.Z.Add(&c.Z, &c.Z)
	yy.Square(&c.Y)
	yy.Add(&yy, &yy) // 2·Y²
	s.Mul(&c.X, &yy)
	s.Add(&s, &s) // 4·X·Y²
	c.X.Square(&m)
	c.X.Sub(&c.X, t.Add(&s, &s))
	t.Square(&yy)
	t.Add(&t, &t) // 8·Y⁴
	c.Y.Mul(&m, s.Sub(&s, &c.X))
	c.Y.Sub(&c.Y, &t)
	result.X.setNormal(&c.X)
	result.Y.setNormal(&c.Y)
	result.Z.setNormal(&c.Z)
}

// ScalarMultNonConst sets result = k·point. Despite its name it is constant-time, because callers pass private keys to
// it. A point that is not on the curve is treated as infinity, because its product could reveal the key. For the same
// reason, the result has Z = 1, or all coordinates are 0 for infinity: other values of Z would depend on the steps of
// the computation.
func ScalarMultNonConst(k *ModNScalar, point, result *JacobianPoint) {
	s, j := k.scalar(), point.valid()
	ecmult.Variable(&j, &s, &j)
	result.setAffine(&j)
}

// valid returns p, or infinity if p is not on the curve.
func (p *JacobianPoint) valid() group.Jacobian {
	j := p.point()
	// The point is on the curve if Y² = X³ + 7·Z⁶.
	var left, right, t, seven field.Element
	t.Square(&j.Z)
	t.Square(right.Mul(&t, &j.Z))
	right.Mul(&t, seven.SetUint64(7))
	t.Square(&j.X)
	t.Mul(&t, &j.X)
	right.Add(&right, &t)
	left.Square(&j.Y)
	var zero field.Element
	j.Z.Select(&j.Z, &zero, left.Equal(&right))
	return j
}

// ScalarBaseMultNonConst sets result = k·G with Z = 1, or with all coordinates 0 if k is 0. Despite its name it is
// constant-time.
func ScalarBaseMultNonConst(k *ModNScalar, result *JacobianPoint) {
	s := k.scalar()
	var j group.Jacobian
	ecmult.Base(&j, &s)
	result.setAffine(&j)
}

// isOnCurve reports whether (x, y) is a point of the curve.
func isOnCurve(x, y *FieldVal) bool {
	a := group.Affine{X: x.element(), Y: y.element()}
	return a.IsOnCurve() != 0
}

// DecompressY sets resultY to the y coordinate, odd or even as requested, of the point with the x coordinate x, and
// reports whether there is such a point. If there is no such point, resultY is (x³ + 7)^((p+1)/4), a square root of
// −(x³ + 7), as in Decred's package.
func DecompressY(x *FieldVal, odd bool, resultY *FieldVal) bool {
	var square FieldVal
	ok := resultY.SquareRootVal(square.SquareVal(x).Mul(x).AddInt(7))
	var found, want uint32
	if ok {
		found = 1
	}
	if odd {
		want = 1
	}
	y := resultY.Normalize().element()
	y.CondNegate(&y, -uint64(found&(want^resultY.IsOddBit())))
	resultY.setNormal(&y)
	return ok
}

// DoubleScalarMultVartime sets result = g·G + k·point, for public values. Decred's package has no such function, but
// verification needs this sum, and two separate products would take about twice as long. A point that is not on the
// curve is treated as infinity.
func DoubleScalarMultVartime(g, k *ModNScalar, point, result *JacobianPoint) {
	a, b, j := g.scalar(), k.scalar(), point.valid()
	ecmult.DoubleScalarVartime(&j, &b, &j, &a)
	result.set(&j)
}
