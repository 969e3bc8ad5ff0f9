package oracle

import "math/big"

// Point is an affine point; the zero value is the point at infinity. Only the method [Point.OnCurve] uses B, so all
// other methods are correct on every curve y² = x³ + b mod P, including the small groups that tests try and the curves
// of invalid-point attacks.
type Point struct{ X, Y *big.Int }

// IsInfinity reports whether p is the neutral element.
func (p Point) IsInfinity() bool { return p.X == nil }

// OnCurve reports whether p is infinity or has coordinates in [0, P) that satisfy the curve equation.
func (p Point) OnCurve() bool {
	return p.IsInfinity() || (isReduced(p.X, P) && isReduced(p.Y, P) && Fp.Mul(p.Y, p.Y).Cmp(rhs(p.X)) == 0)
}

// Equal reports whether p and q are the same point.
func (p Point) Equal(q Point) bool {
	if p.IsInfinity() || q.IsInfinity() {
		return p.IsInfinity() == q.IsInfinity()
	}
	return p.X.Cmp(q.X) == 0 && p.Y.Cmp(q.Y) == 0
}

// Neg returns −p.
func (p Point) Neg() Point {
	if p.IsInfinity() {
		return p
	}
	return Point{p.X, Fp.Neg(p.Y)}
}

// Add returns p + q by the chord-and-tangent rule.
func (p Point) Add(q Point) Point {
	switch {
	case p.IsInfinity():
		return q
	case q.IsInfinity():
		return p
	case p.X.Cmp(q.X) != 0:
		return p.third(q, Fp.Mul(Fp.Sub(q.Y, p.Y), Fp.Inv(Fp.Sub(q.X, p.X))))
	case p.Y.Cmp(q.Y) == 0:
		return p.Double()
	default:
		return Point{}
	}
}

// Double returns 2p.
func (p Point) Double() Point {
	if p.IsInfinity() || p.Y.Sign() == 0 {
		return Point{}
	}
	slope := Fp.Mul(Fp.Mul(big.NewInt(3), Fp.Mul(p.X, p.X)), Fp.Inv(Fp.Add(p.Y, p.Y)))
	return p.third(p, slope)
}

// third returns the negative of the third point of the curve on the line through p and q, which has the given slope.
func (p Point) third(q Point, slope *big.Int) Point {
	x := Fp.Sub(Fp.Mul(slope, slope), Fp.Add(p.X, q.X))
	return Point{x, Fp.Sub(Fp.Mul(slope, Fp.Sub(p.X, x)), p.Y)}
}

// Mul returns k·p for any integer k, which is not reduced mod N.
func (p Point) Mul(k *big.Int) Point {
	if p.IsInfinity() {
		return p
	}
	if k.Sign() < 0 {
		return p.Neg().Mul(new(big.Int).Neg(k))
	}
	// 2k = 3k − k, so the differences of the bits of 3k and k, from bit 1 on, are a signed expansion of k, in which two
	// of three digits are zero on average. With Jacobian coordinates a product takes less than a millisecond. A test
	// compares products with sums that Add and Double compute.
	var sum jacobian
	neg, k3 := p.Neg(), new(big.Int).Mul(k, big.NewInt(3))
	for i := k3.BitLen() - 1; i > 0; i-- {
		sum.double()
		switch int(k3.Bit(i)) - int(k.Bit(i)) {
		case 1:
			sum.add(p)
		case -1:
			sum.add(neg)
		}
	}
	return sum.affine()
}

// Endo returns Lambda·p = (Beta·x, y).
func (p Point) Endo() Point {
	if p.IsInfinity() {
		return p
	}
	return Point{Fp.Mul(Beta, p.X), p.Y}
}

// LiftX returns the point of the curve with the given x and an even y, and whether x is in [0, P) and is the x
// coordinate of a point (BIP-340, lift_x).
func LiftX(x *big.Int) (Point, bool) {
	if !isReduced(x, P) {
		return Point{}, false
	}
	y, ok := Sqrt(rhs(x))
	if !ok {
		return Point{}, false
	}
	return Point{x, y}.withParity(0), true
}

// withParity returns whichever of p and −p has a y of the given parity.
func (p Point) withParity(bit uint) Point {
	if p.Y.Bit(0) != bit {
		return p.Neg()
	}
	return p
}

// Compressed returns the 33-byte SEC 1 encoding of p, or the single byte 0 for infinity.
func (p Point) Compressed() []byte {
	if p.IsInfinity() {
		return []byte{0}
	}
	x := Bytes(p.X)
	return append([]byte{2 + byte(p.Y.Bit(0))}, x[:]...)
}

// Uncompressed returns the 65-byte SEC 1 encoding of p, or the single byte 0 for infinity.
func (p Point) Uncompressed() []byte {
	if p.IsInfinity() {
		return []byte{0}
	}
	x, y := Bytes(p.X), Bytes(p.Y)
	return append(append([]byte{4}, x[:]...), y[:]...)
}

// DecodePoint parses a compressed or uncompressed SEC 1 encoding of a point other than infinity. Hybrid encodings, with
// the prefixes 6 and 7, are refused.
func DecodePoint(b []byte) (Point, bool) {
	switch {
	case len(b) == 33 && (b[0] == 2 || b[0] == 3):
		p, ok := LiftX(Int(b[1:]))
		if !ok {
			return Point{}, false
		}
		return p.withParity(uint(b[0] & 1)), true
	case len(b) == 65 && b[0] == 4:
		if p := (Point{Int(b[1:33]), Int(b[33:])}); p.OnCurve() {
			return p, true
		}
	}
	return Point{}, false
}

// rhs returns x³ + B, the right-hand side of the curve equation.
func rhs(x *big.Int) *big.Int { return Fp.Add(Fp.Mul(Fp.Mul(x, x), x), B) }

func isReduced(x, m *big.Int) bool { return x.Sign() >= 0 && x.Cmp(m) < 0 }

// jacobian is the point (x/z², y/z³), or infinity if z = 0, together with memory for intermediate values. Products are
// reduced into [0, P), but sums are not. The formulas are dbl-2009-l and madd of the Explicit-Formulas Database
// (Bernstein, Lange), for a = 0.
type jacobian struct {
	x, y, z       big.Int
	a, b, c, d, e big.Int
	product, quo  big.Int
}

// mul sets z = u·v mod P.
func (p *jacobian) mul(z, u, v *big.Int) {
	p.product.Mul(u, v)
	p.quo.DivMod(&p.product, P, z)
}

// double sets p = 2p. There is no exceptional case: if z or y is 0, the new z is 0.
func (p *jacobian) double() {
	x, y, z, a, b, c, d, e := &p.x, &p.y, &p.z, &p.a, &p.b, &p.c, &p.d, &p.e
	p.mul(z, y, z)
	z.Lsh(z, 1)           // z' = 2yz
	p.mul(a, x, x)        // a = x²
	e.Add(a, e.Lsh(a, 1)) // e = 3x²
	p.mul(b, y, y)        // b = y²
	p.mul(d, x, b)
	d.Lsh(d, 2) // d = 4xy²
	p.mul(c, b, b)
	c.Lsh(c, 3) // c = 8y⁴
	p.mul(x, e, e)
	x.Sub(x, b.Lsh(d, 1)) // x' = e² − 2d
	p.mul(y, e, d.Sub(d, x))
	y.Sub(y, c) // y' = e(d − x') − c
}

// add sets p = p + q, for a q other than infinity.
func (p *jacobian) add(q Point) {
	x, y, z, a, h, r, v := &p.x, &p.y, &p.z, &p.a, &p.b, &p.c, &p.d
	if z.Sign() == 0 {
		x.Set(q.X)
		y.Set(q.Y)
		z.Set(one)
		return
	}
	p.mul(a, z, z)
	p.mul(h, q.X, a)
	h.Mod(h.Sub(h, x), P) // h = x₂z² − x
	p.mul(a, a, z)
	p.mul(r, q.Y, a)
	r.Mod(r.Sub(r, y), P) // r = y₂z³ − y
	if h.Sign() == 0 && r.Sign() == 0 {
		p.double()
		return
	}
	p.mul(z, z, h) // z' = zh, which is 0 for q = −p
	p.mul(a, h, h)
	p.mul(v, x, a) // v = xh²
	p.mul(a, a, h) // a = h³
	p.mul(x, r, r)
	x.Sub(x, a)
	x.Sub(x, h.Lsh(v, 1)) // x' = r² − h³ − 2v
	p.mul(a, y, a)
	p.mul(y, r, v.Sub(v, x))
	y.Sub(y, a) // y' = r(v − x') − yh³
}

func (p *jacobian) affine() Point {
	if p.z.Sign() == 0 {
		return Point{}
	}
	i := Fp.Inv(&p.z)
	ii := Fp.Mul(i, i)
	return Point{Fp.Mul(&p.x, ii), Fp.Mul(&p.y, Fp.Mul(ii, i))}
}
