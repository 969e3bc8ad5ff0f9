// Package verify decides whether signatures are valid, for packages ecdsa and schnorr. It checks whether a sum k·A +
// g·G has the x coordinate that a signature claims, for one sum or many, and for keys that are points or encodings. It
// also computes the sums that recover ECDSA keys.
//
// There are two kinds of claims: that the x coordinate is r modulo the group order n (ECDSA), and that the x coordinate
// is r and y is even (BIP-340). Infinity satisfies neither kind of claim. All values are public, and all functions take
// variable time.
package verify

import (
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/opaque"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// scalarOf returns a pointer to the scalar inside s.
func scalarOf(s *curve.Scalar) *scalar.Scalar { return (*opaque.Scalar)(s).Inside() }

// valueOf returns a pointer to the value inside p.
func valueOf(p *curve.Point) *opaque.Value { return (*opaque.Point)(p).Inside() }

// XModNVartime reports whether k·a + g·G is finite and its x coordinate, reduced modulo n, is r. This is the last step
// of ECDSA verification (SEC 1, section 4.1.4).
func XModNVartime(k *curve.Scalar, a *curve.Point, g, r *curve.Scalar) bool {
	var sum group.Jacobian
	valueOf(a).DoubleScalarVartime(&sum, scalarOf(k), scalarOf(g))
	return hasXModN(&sum, scalarOf(r))
}

// Functions that take encoded points first try to avoid computing the y of the point. The x coordinate of a sum can be
// tested without y, so no square root is needed. To compute the sum itself, one exponentiation gives both the square
// root and the inverses (docs/rootless.md). The two methods fail in rare cases, in which the functions compute y first.

// XModNOfBytesVartime reports whether k·A + g·G is finite and its x coordinate, reduced modulo n, is r, for the point A
// that a encodes in 33 or 65 bytes. It reports false if Point.SetBytes refuses a.
func XModNOfBytesVartime(k *curve.Scalar, a []byte, g, r *curve.Scalar) bool {
	var q ecmult.XQuestion
	ks, gs, rs := scalarOf(k), scalarOf(g), scalarOf(r)
	if len(a) == 33 && ask(&q, ks, (*[33]byte)(a), gs, rs) {
		if v := ecmult.SumHasXVartime(&q.K, &q.X, q.Odd, &q.G, &q.R, false); v != ecmult.Unknown {
			return v == ecmult.Yes
		}
	}
	return liftedXModNVartime(ks, a, gs, rs)
}

// ask sets q to the question whether k·A + g·G has the x coordinate r, for the point A that a encodes. It reports false
// if a is not a compressed encoding, or if r + n may also be the x coordinate.
func ask(q *ecmult.XQuestion, k *scalar.Scalar, a *[33]byte, g, r *scalar.Scalar) bool {
	q.K, q.G, q.Odd = *k, *g, oddMask(a)
	return onlyX(&q.R, r) && setX(&q.X, a)
}

// oddMask returns all ones if a encodes a point with odd y, and zero otherwise.
func oddMask(a *[33]byte) uint64 { return -uint64(a[0] & 1) }

// liftedXModNVartime reports whether k·A + g·G is finite and its x coordinate, reduced modulo n, is r, for the point A
// that a encodes. It computes the y of A, and reports false if a encodes no point.
func liftedXModNVartime(k *scalar.Scalar, a []byte, g, r *scalar.Scalar) bool {
	var p curve.Point
	var sum group.Jacobian
	if _, err := p.SetBytes(a); err != nil {
		return false
	}
	valueOf(&p).DoubleScalarVartime(&sum, k, g)
	return hasXModN(&sum, r)
}

// EvenYVartime reports whether k·a + g·G is finite, has even y and has the x coordinate r, which is 32 bytes. This is
// the last step of BIP-340 verification. EvenYVartime reports false if r has another length or is not below the field
// order.
func EvenYVartime(k *curve.Scalar, a *curve.Point, g *curve.Scalar, r []byte) bool {
	var rx field.Element
	if len(r) != 32 || rx.SetBytes((*[32]byte)(r)) == 0 {
		return false
	}
	return isEvenYVartime(scalarOf(k), valueOf(a), scalarOf(g), &rx)
}

// isEvenYVartime reports whether k·a + g·G is finite, has even y and the x coordinate r.
func isEvenYVartime(k *scalar.Scalar, a *opaque.Value, g *scalar.Scalar, r *field.Element) bool {
	var sum group.Jacobian
	a.DoubleScalarVartime(&sum, k, g)
	if sum.IsInfinity() != 0 {
		return false
	}
	var p group.Affine
	p.ToAffineVartime(&sum)
	return isEvenAt(&p, r)
}

// isEvenAt reports whether p has even y and the x coordinate r.
func isEvenAt(p *group.Affine, r *field.Element) bool {
	return p.X.Equal(r) != 0 && p.Y.IsOdd() == 0
}

// EvenYOfBytesVartime reports whether k·A + g·G is finite, has even y and the x coordinate r, for the point A with x
// coordinate a and even y. a and r are 32 bytes. It reports false for other lengths, for values not below the field
// order, and if no point has the x coordinate a.
func EvenYOfBytesVartime(k *curve.Scalar, a []byte, g *curve.Scalar, r []byte) bool {
	var x, rx field.Element
	if len(a) != 32 || len(r) != 32 || x.SetBytes((*[32]byte)(a)) == 0 || rx.SetBytes((*[32]byte)(r)) == 0 {
		return false
	}
	return isEvenYOfXVartime(scalarOf(k), &x, scalarOf(g), &rx)
}

// isEvenYOfXVartime reports whether k·A + g·G is finite, has even y and the x coordinate r, for the point A with x
// coordinate x and even y. It reports false if there is no such point.
func isEvenYOfXVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar, r *field.Element) bool {
	if v := ecmult.SumHasXVartime(k, x, 0, g, r, true); v != ecmult.Unknown {
		return v == ecmult.Yes
	}
	var lifted group.Affine
	var p opaque.Value
	if lifted.LiftX(x) == 0 {
		return false
	}
	p.SetAffine(&lifted)
	return isEvenYVartime(k, &p, g, r)
}

// SumOfBytesVartime sets p = k·A + g·G, normalized, for the point A that a encodes in 33 or 65 bytes. It is used to
// recover an ECDSA key (SEC 1, section 4.1.6). If a encodes no point, SumOfBytesVartime returns the error of
// Point.SetBytes and leaves p unchanged.
func SumOfBytesVartime(p *curve.Point, k *curve.Scalar, a []byte, g *curve.Scalar) error {
	var x field.Element
	if len(a) == 33 && setX(&x, (*[33]byte)(a)) {
		var sum group.Affine
		if ecmult.SumOfXVartime(&sum, scalarOf(k), &x, oddMask((*[33]byte)(a)), scalarOf(g)) {
			valueOf(p).SetAffine(&sum)
			return nil
		}
	}
	var lifted curve.Point
	if _, err := lifted.SetBytes(a); err != nil {
		return err
	}
	p.DoubleScalarBaseMultVartime(k, &lifted, g).NormalizeVartime()
	return nil
}
