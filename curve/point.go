package curve

import (
	"fmt"

	"p256k1.mleku.dev/internal/ecmult"
	"p256k1.mleku.dev/internal/field"
	"p256k1.mleku.dev/internal/group"
	"p256k1.mleku.dev/internal/scalar"
)

// Point is an element of the group: a point of the curve y² = x³ + 7, or
// infinity. The zero value is infinity, the neutral element.
//
// Methods with receiver p set p and return it; receiver and arguments may be
// the same. Everything is constant-time except what is named Vartime, whether
// bytes encode a point, and, where infinity has no encoding, whether a point is
// infinity. Points cannot be compared with ==, since they have many
// representations: use Equal.
//
// A point can be secret, as a shared one is, so package fmt and encoders show none:
// see Format and MarshalText.
type Point struct {
	_ [0]func()
	p group.Jacobian
	// normalized records that p.Z = 1: a fact about how p was made, not about
	// its value.
	normalized bool
}

// Set sets p = a.
func (p *Point) Set(a *Point) *Point {
	p.p.Set(&a.p)
	p.normalized = a.normalized
	return p
}

// Zero wipes p, leaving infinity.
//
//go:noinline
func (p *Point) Zero() {
	// Not inlined, so that the store is not dropped as dead.
	*p = Point{}
}

// SetGenerator sets p = G.
func (p *Point) SetGenerator() *Point {
	return p.setAffine(&group.Generator)
}

func (p *Point) setAffine(a *group.Affine) *Point {
	p.p.SetAffine(a)
	p.normalized = true
	return p
}

// SetBytes sets p to the point that b encodes (SEC 1, section 2.3.4): 33 bytes
// beginning with 02 or 03, or 65 bytes beginning with 04. Infinity and the
// hybrid form (06, 07) are refused. The error is ErrLength, ErrPrefix, ErrRange
// or ErrNotOnCurve, and p is then unchanged.
func (p *Point) SetBytes(b []byte) (*Point, error) {
	var a group.Affine
	switch len(b) {
	case 33:
		if b[0]&^1 != 2 { // one comparison: the parity of a secret point may be secret
			return nil, fmt.Errorf("curve: point: %w %02x of 33 bytes, want 02 or 03", ErrPrefix, b[0])
		}
		if err := liftX(&a, (*[32]byte)(b[1:])); err != nil {
			return nil, err
		}
		a.Y.CondNegate(&a.Y, mask(int(b[0]&1)))
	case 65:
		if b[0] != 4 {
			return nil, fmt.Errorf("curve: point: %w %02x of 65 bytes, want 04", ErrPrefix, b[0])
		}
		if a.X.SetBytes((*[32]byte)(b[1:33])) == 0 {
			return nil, fmt.Errorf("curve: point: x %w: not below the field order", ErrRange)
		}
		if a.Y.SetBytes((*[32]byte)(b[33:])) == 0 {
			return nil, fmt.Errorf("curve: point: y %w: not below the field order", ErrRange)
		}
		if a.IsOnCurve() == 0 {
			return nil, fmt.Errorf("curve: point: (x, y) is %w", ErrNotOnCurve)
		}
	default:
		return nil, fmt.Errorf("curve: point: %w: %d bytes, want 33 or 65", ErrLength, len(b))
	}
	return p.setAffine(&a), nil
}

// LiftX sets p to the point with the 32-byte x coordinate b and even y (BIP-340,
// lift_x). The error is ErrLength, ErrRange or ErrNotOnCurve, and p is then
// unchanged.
func (p *Point) LiftX(b []byte) (*Point, error) {
	if len(b) != 32 {
		return nil, fmt.Errorf("curve: x coordinate: %w: %d bytes, want 32", ErrLength, len(b))
	}
	var a group.Affine
	if err := liftX(&a, (*[32]byte)(b)); err != nil {
		return nil, err
	}
	return p.setAffine(&a), nil
}

func liftX(a *group.Affine, b *[32]byte) error {
	var x field.Element
	if x.SetBytes(b) == 0 {
		return fmt.Errorf("curve: point: x %w: not below the field order", ErrRange)
	}
	if a.LiftX(&x) == 0 {
		return fmt.Errorf("curve: point: x is %w", ErrNotOnCurve)
	}
	return nil
}

// Bytes returns the compressed encoding of p (SEC 1, section 2.3.3): 33 bytes,
// or the single byte 00 for infinity, which SetBytes refuses.
func (p *Point) Bytes() []byte {
	var b [33]byte
	return p.bytes(&b)
}

func (p *Point) bytes(b *[33]byte) []byte {
	var a group.Affine
	if !p.affine(&a) {
		return b[:1]
	}
	b[0] = 2 | byte(a.Y.IsOdd()&1)
	a.X.FillBytes((*[32]byte)(b[1:]))
	return b[:]
}

// BytesUncompressed returns the uncompressed encoding of p (SEC 1, section
// 2.3.3): 65 bytes, or the single byte 00 for infinity, which SetBytes refuses.
func (p *Point) BytesUncompressed() []byte {
	var b [65]byte
	return p.bytesUncompressed(&b)
}

func (p *Point) bytesUncompressed(b *[65]byte) []byte {
	var a group.Affine
	if !p.affine(&a) {
		return b[:1]
	}
	b[0] = 4
	a.X.FillBytes((*[32]byte)(b[1:33]))
	a.Y.FillBytes((*[32]byte)(b[33:]))
	return b[:]
}

// BytesX returns the 32-byte x coordinate of p, or ErrInfinity.
func (p *Point) BytesX() ([]byte, error) {
	var b [32]byte
	return p.bytesX(&b)
}

func (p *Point) bytesX(b *[32]byte) ([]byte, error) {
	var a group.Affine
	if !p.affine(&a) {
		return nil, fmt.Errorf("curve: x coordinate of the %w", ErrInfinity)
	}
	a.X.FillBytes(b)
	return b[:], nil
}

// IsYOdd returns 1 if the y coordinate of p is odd, 0 if it is even or p is
// infinity.
func (p *Point) IsYOdd() int {
	var a group.Affine
	p.affine(&a)
	return bit(a.Y.IsOdd())
}

// affine sets a = p and reports whether p is finite.
func (p *Point) affine(a *group.Affine) bool {
	if p.normalized {
		a.X.Set(&p.p.X)
		a.Y.Set(&p.p.Y)
		return true
	}
	a.ToAffine(&p.p)
	return p.p.IsInfinity() == 0
}

// Normalize brings p to the form in which its coordinates are read: an
// inversion, which Bytes, BytesUncompressed, BytesX and IsYOdd then do not do
// again. It changes neither the value of p nor any result.
func (p *Point) Normalize() *Point {
	var a group.Affine
	if p.affine(&a) {
		p.setAffine(&a)
	}
	return p
}

// NormalizeVartime is Normalize in time that depends on p, which must not be
// secret.
func (p *Point) NormalizeVartime() *Point {
	if !p.normalized && p.p.IsInfinity() == 0 {
		var a group.Affine
		a.ToAffineVartime(&p.p)
		p.setAffine(&a)
	}
	return p
}

// Add sets p = a + b.
func (p *Point) Add(a, b *Point) *Point {
	p.p.Add(&a.p, &b.p)
	p.normalized = false
	return p
}

// Subtract sets p = a − b.
func (p *Point) Subtract(a, b *Point) *Point {
	var m group.Jacobian
	m.Negate(&b.p)
	p.p.Add(&a.p, &m)
	p.normalized = false
	return p
}

// Double sets p = 2a.
func (p *Point) Double(a *Point) *Point {
	p.p.Double(&a.p)
	p.normalized = false
	return p
}

// Negate sets p = −a.
func (p *Point) Negate(a *Point) *Point {
	p.p.Negate(&a.p)
	p.normalized = a.normalized
	return p
}

// CondNegate sets p = −a if cond is 1, p = a if it is 0.
func (p *Point) CondNegate(a *Point, cond int) *Point {
	p.p.CondNegate(&a.p, mask(cond))
	p.normalized = a.normalized
	return p
}

// Select sets p = a if cond is 1, p = b if it is 0.
func (p *Point) Select(a, b *Point, cond int) *Point {
	p.p.Select(&a.p, &b.p, mask(cond))
	p.normalized = a.normalized && b.normalized
	return p
}

// Equal returns 1 if p = a, 0 otherwise.
func (p *Point) Equal(a *Point) int {
	return bit(p.p.Equal(&a.p))
}

// IsInfinity returns 1 if p is the point at infinity, 0 otherwise.
func (p *Point) IsInfinity() int {
	return bit(p.p.IsInfinity())
}

// ScalarBaseMult sets p = k·G.
func (p *Point) ScalarBaseMult(k *Scalar) *Point {
	ecmult.Base(&p.p, &k.s)
	p.normalized = false
	return p
}

// ScalarMult sets p = k·a.
func (p *Point) ScalarMult(k *Scalar, a *Point) *Point {
	ecmult.Variable(&p.p, &k.s, &a.p)
	p.normalized = false
	return p
}

// DoubleScalarBaseMultVartime sets p = k·a + g·G in time that depends on all of
// them, which must not be secret.
func (p *Point) DoubleScalarBaseMultVartime(k *Scalar, a *Point, g *Scalar) *Point {
	ecmult.DoubleVartime(&p.p, &g.s, &k.s, &a.p)
	p.normalized = false
	return p
}

// MultiScalarMultVartime sets p to the sum of scalars[i]·points[i] in time that
// depends on all of them, which must not be secret. It panics if the slices
// differ in length, and allocates.
func (p *Point) MultiScalarMultVartime(scalars []*Scalar, points []*Point) *Point {
	if len(scalars) != len(points) {
		panic(fmt.Sprintf("curve: MultiScalarMultVartime of %d scalars and %d points", len(scalars), len(points)))
	}
	var sum, part group.Jacobian
	var zero scalar.Scalar
	// In groups, so that what is kept of each product stays in the cache.
	const size = 32
	terms := make([]ecmult.Term, min(size, len(scalars)))
	for len(scalars) > 0 {
		n := min(size, len(scalars))
		for i := range n {
			terms[i].Scalar = scalars[i].s
			terms[i].Point.Set(&points[i].p)
		}
		ecmult.SumVartime(&part, &zero, terms[:n])
		sum.AddVartime(&sum, &part)
		scalars, points = scalars[n:], points[n:]
	}
	p.p.Set(&sum)
	p.normalized = false
	return p
}
