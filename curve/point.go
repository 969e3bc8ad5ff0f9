package curve

import (
	"fmt"

	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
	"p256k1.mleku.dev/v2/internal/tables"
)

// Point is an element of the group: a point of the curve y² = x³ + 7, or infinity. The zero value is infinity, the
// neutral element.
//
// Methods with receiver p set p and return it; receiver and arguments may be the same. Methods are constant-time unless
// their names end in Vartime. However, the time may show whether bytes encode a point and, in Normalize and in methods
// that return bytes, whether a point is infinity. One point has many representations, so == does not compile for
// points: use Equal.
//
// A point can be secret, such as the shared point of ECDH, so package fmt and encoders do not show points: see Format
// and MarshalText.
type Point opaque.Point

func (p *Point) in() *opaque.Value { return (*opaque.Point)(p).Inside() }

func (p *Point) p() *group.Jacobian { return &p.in().P }

// known returns what is known about the representation of p. Every method that sets p sets all fields of it.
func (p *Point) known() *opaque.Known { return &p.in().Known }

// Set sets p = a.
func (p *Point) Set(a *Point) *Point {
	p.p().Set(a.p())
	*p.known() = *a.known()
	return p
}

// Zero wipes p, leaving infinity.
//
//go:noinline
func (p *Point) Zero() {
	// The method is not inlined, because the compiler would then remove this store as dead.
	*p = Point{}
}

// SetGenerator sets p = G.
func (p *Point) SetGenerator() *Point {
	return p.setAffine(&group.Generator)
}

func (p *Point) setAffine(a *group.Affine) *Point {
	p.in().SetAffine(a)
	return p
}

// SetBytes sets p to the point that b encodes (SEC 1, section 2.3.4): 33 bytes beginning with 02 or 03, or 65 bytes
// beginning with 04. Infinity and the hybrid form (06, 07) are refused. The error is ErrLength, ErrPrefix, ErrRange or
// ErrNotOnCurve. If there is an error, p is unchanged.
func (p *Point) SetBytes(b []byte) (*Point, error) {
	var a group.Affine
	switch len(b) {
	case 33:
		if b[0]&^1 != 2 { // compares with 2 and 3 at once, because the parity of a point may be secret
			return nil, pointError("%w %02x of 33 bytes, want 02 or 03", ErrPrefix, b[0])
		}
		if err := liftX(&a, (*[32]byte)(b[1:])); err != nil {
			return nil, err
		}
		a.Y.CondNegate(&a.Y, mask(int(b[0]&1)))
	case 65:
		if b[0] != 4 {
			return nil, pointError("%w %02x of 65 bytes, want 04", ErrPrefix, b[0])
		}
		if a.X.SetBytes((*[32]byte)(b[1:33])) == 0 {
			return nil, pointError("x %w: not below the field order", ErrRange)
		}
		if a.Y.SetBytes((*[32]byte)(b[33:])) == 0 {
			return nil, pointError("y %w: not below the field order", ErrRange)
		}
		if a.IsOnCurve() == 0 {
			return nil, pointError("(x, y) is %w", ErrNotOnCurve)
		}
	default:
		return nil, pointError("%w: %d bytes, want 33 or 65", ErrLength, len(b))
	}
	return p.setAffine(&a), nil
}

// LiftX sets p to the point with the 32-byte x coordinate b and even y (BIP-340, lift_x). The error is ErrLength,
// ErrRange or ErrNotOnCurve, and p is then unchanged.
func (p *Point) LiftX(b []byte) (*Point, error) {
	if len(b) != 32 {
		return nil, fmt.Errorf("curve: x coordinate: %w", fmt.Errorf("%w: %d bytes, want 32", ErrLength, len(b)))
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
		return pointError("x %w: not below the field order", ErrRange)
	}
	if a.LiftX(&x) == 0 {
		return pointError("x is %w", ErrNotOnCurve)
	}
	return nil
}

// Bytes returns the compressed encoding of p (SEC 1, section 2.3.3): 33 bytes, or the single byte 00 for infinity,
// which SetBytes refuses.
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

// BytesUncompressed returns the uncompressed encoding of p (SEC 1, section 2.3.3): 65 bytes, or the single byte 00 for
// infinity, which SetBytes refuses.
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

// IsYOdd returns 1 if the y coordinate of p is odd, or 0 if it is even or p is infinity.
func (p *Point) IsYOdd() int {
	var a group.Affine
	p.affine(&a)
	return bit(a.Y.IsOdd())
}

// affine sets a to the affine coordinates of p and reports whether p is finite.
func (p *Point) affine(a *group.Affine) bool { return p.in().Affine(a) }

// Normalize converts p to affine coordinates, by an inversion in the field. Bytes, BytesUncompressed, BytesX and IsYOdd
// then need no inversion of their own. The value of p and the results of all methods stay the same.
func (p *Point) Normalize() *Point {
	var a group.Affine
	if !p.known().Normalized && p.affine(&a) {
		p.setAffine(&a)
	}
	return p
}

// NormalizeVartime converts p to affine coordinates, like Normalize, in time that depends on p, which must not be
// secret.
func (p *Point) NormalizeVartime() *Point {
	if !p.known().Normalized && p.p().IsInfinity() == 0 {
		var a group.Affine
		a.ToAffineVartime(p.p())
		p.setAffine(&a)
	}
	return p
}

// PrecomputeVartime computes a table of multiples of p, 86 KiB on the heap. With the table, DoubleScalarBaseMultVartime
// takes less than half as long. The value of p and the results of all methods except IsPrecomputed stay the same.
// Infinity gets no table. Points that Set, Negate and CondNegate compute from p share the table, which never changes.
// Computing the table takes as long as 20 multiplications without a table. The time depends on p, which must not be
// secret.
func (p *Point) PrecomputeVartime() *Point {
	if !p.IsPrecomputed() && p.NormalizeVartime().known().Normalized {
		table := tables.NewPrecomputedVartime(&group.Affine{X: p.p().X, Y: p.p().Y})
		*p.known() = opaque.Known{Normalized: true, Table: tables.Table{Multiples: table}}
	}
	return p
}

// IsPrecomputed reports whether p has a table from PrecomputeVartime.
func (p *Point) IsPrecomputed() bool {
	return p.known().Table.Multiples != nil
}

// Add sets p = a + b.
func (p *Point) Add(a, b *Point) *Point {
	p.p().Add(a.p(), b.p())
	*p.known() = opaque.Known{}
	return p
}

// Sub sets p = a − b.
func (p *Point) Sub(a, b *Point) *Point {
	var m group.Jacobian
	m.Negate(b.p())
	p.p().Add(a.p(), &m)
	*p.known() = opaque.Known{}
	return p
}

// Double sets p = 2a.
func (p *Point) Double(a *Point) *Point {
	p.p().Double(a.p())
	*p.known() = opaque.Known{}
	return p
}

// Negate sets p = −a.
func (p *Point) Negate(a *Point) *Point {
	p.p().Negate(a.p())
	*p.known() = *a.known()
	p.known().Table.Minus = ^p.known().Table.Minus
	return p
}

// CondNegate sets p = −a if cond is 1, or p = a if cond is 0.
func (p *Point) CondNegate(a *Point, cond int) *Point {
	p.p().CondNegate(a.p(), mask(cond))
	*p.known() = *a.known()
	p.known().Table.Minus ^= mask(cond)
	return p
}

// Select sets p = a if cond is 1, or p = b if cond is 0.
func (p *Point) Select(a, b *Point, cond int) *Point {
	p.p().Select(a.p(), b.p(), mask(cond))
	*p.known() = opaque.Known{Normalized: a.known().Normalized && b.known().Normalized}
	return p
}

// Equal returns 1 if p = a, or 0 otherwise.
func (p *Point) Equal(a *Point) int {
	return bit(p.p().Equal(a.p()))
}

// IsInfinity returns 1 if p is the point at infinity, or 0 otherwise.
func (p *Point) IsInfinity() int {
	return bit(p.p().IsInfinity())
}

// ScalarBaseMult sets p = k·G.
func (p *Point) ScalarBaseMult(k *Scalar) *Point {
	ecmult.Base(p.p(), k.s())
	*p.known() = opaque.Known{}
	return p
}

// ScalarMult sets p = k·a.
func (p *Point) ScalarMult(k *Scalar, a *Point) *Point {
	ecmult.Variable(p.p(), k.s(), a.p())
	*p.known() = opaque.Known{}
	return p
}

// DoubleScalarBaseMultVartime sets p = k·a + g·G. The time depends on k, a and g, which must not be secret.
func (p *Point) DoubleScalarBaseMultVartime(k *Scalar, a *Point, g *Scalar) *Point {
	a.in().DoubleScalarVartime(p.p(), k.s(), g.s())
	*p.known() = opaque.Known{}
	return p
}
