// Package verify says whether signatures are right, for package ecdsa and package schnorr: whether
// a sum k·A + g·G has the x coordinate that a signature claims, for one or for many, with keys that
// are points or encodings. It finds the sums themselves too, to recover keys.
//
// There are two claims: that the x coordinate is r modulo the group order n (ECDSA), and that y is
// even and the x coordinate is r (BIP-340). Infinity satisfies neither. Everything is public, and takes
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

// scalarOf returns what s is, in its place.
func scalarOf(s *curve.Scalar) *scalar.Scalar { return (*opaque.Scalar)(s).Inside() }

// valueOf returns what p is, in its place.
func valueOf(p *curve.Point) *opaque.Value { return (*opaque.Point)(p).Inside() }

// XModNVartime reports whether k·a + g·G is finite and its x coordinate, taken modulo n, is r: ECDSA
// verification (SEC 1, section 4.1.4).
func XModNVartime(k *curve.Scalar, a *curve.Point, g, r *curve.Scalar) bool {
	var sum group.Jacobian
	valueOf(a).DoubleScalarVartime(&sum, scalarOf(k), scalarOf(g))
	return hasXModN(&sum, scalarOf(r))
}

// The functions of encodings do not lift the point at first: to test what a sum is, y of the
// point is not needed, so that no square root is computed, and to compute it, the root and an
// inversion are one (docs/rootless.md).

// XModNOfBytesVartime is XModNVartime for the point that the 33 or 65 bytes of a encode. Where
// Point.SetBytes refuses these it reports false.
func XModNOfBytesVartime(k *curve.Scalar, a []byte, g, r *curve.Scalar) bool {
	var q ecmult.XQuestion
	if len(a) == 33 && ask(&q, scalarOf(k), (*[33]byte)(a), scalarOf(g), scalarOf(r)) {
		if v := ecmult.SumHasXVartime(&q.K, &q.X, q.Odd, &q.G, &q.R, false); v != ecmult.Unknown {
			return v == ecmult.Yes
		}
	}
	return liftedXModNVartime(scalarOf(k), a, scalarOf(g), scalarOf(r))
}

// ask sets q to what XModNOfBytesVartime is asked, and reports whether that is possible: not
// for what is no encoding, nor for r that more than one x coordinate may be.
func ask(q *ecmult.XQuestion, k *scalar.Scalar, a *[33]byte, g, r *scalar.Scalar) bool {
	q.K, q.G, q.Odd = *k, *g, oddMask(a)
	return onlyX(&q.R, r) && a[0]&^1 == 2 && q.X.SetBytes((*[32]byte)(a[1:])) != 0
}

// oddMask returns all ones for the encoding of a point with odd y, or else zero.
func oddMask(a *[33]byte) uint64 { return -uint64(a[0] & 1) }

// liftedXModNVartime is XModNOfBytesVartime by way of the point.
func liftedXModNVartime(k *scalar.Scalar, a []byte, g, r *scalar.Scalar) bool {
	var p curve.Point
	var sum group.Jacobian
	if _, err := p.SetBytes(a); err != nil {
		return false
	}
	valueOf(&p).DoubleScalarVartime(&sum, k, g)
	return hasXModN(&sum, r)
}

// LiftXVartime reports whether k·a + g·G is finite, has even y and the x coordinate r, 32 bytes:
// BIP-340 verification. It reports false for r of another length or not below the field order.
func LiftXVartime(k *curve.Scalar, a *curve.Point, g *curve.Scalar, r []byte) bool {
	var rx field.Element
	if len(r) != 32 || rx.SetBytes((*[32]byte)(r)) == 0 {
		return false
	}
	return isLiftXVartime(scalarOf(k), valueOf(a), scalarOf(g), &rx)
}

// isLiftXVartime is LiftXVartime for r below the field order.
func isLiftXVartime(k *scalar.Scalar, a *opaque.Value, g *scalar.Scalar, r *field.Element) bool {
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

// LiftXOfBytesVartime is LiftXVartime for the point that Point.LiftX returns for a, 32 bytes.
// Where it refuses these, LiftXOfBytesVartime reports false.
func LiftXOfBytesVartime(k *curve.Scalar, a []byte, g *curve.Scalar, r []byte) bool {
	var x, rx field.Element
	if len(a) != 32 || len(r) != 32 || x.SetBytes((*[32]byte)(a)) == 0 || rx.SetBytes((*[32]byte)(r)) == 0 {
		return false
	}
	return isLiftXOfXVartime(scalarOf(k), &x, scalarOf(g), &rx)
}

// isLiftXOfXVartime is LiftXOfBytesVartime for a and r below the field order.
func isLiftXOfXVartime(k *scalar.Scalar, x *field.Element, g *scalar.Scalar, r *field.Element) bool {
	if v := ecmult.SumHasXVartime(k, x, 0, g, r, true); v != ecmult.Unknown {
		return v == ecmult.Yes
	}
	var lifted group.Affine
	var p opaque.Value
	if lifted.LiftX(x) == 0 {
		return false
	}
	p.SetAffine(&lifted)
	return isLiftXVartime(k, &p, g, r)
}

// SumOfBytesVartime sets p = k·A + g·G, normalized, for the point A that the 33 or 65 bytes of a
// encode: the recovery of an ECDSA key (SEC 1, section 4.1.6). The error is that of
// Point.SetBytes, and p is then unchanged.
func SumOfBytesVartime(p *curve.Point, k *curve.Scalar, a []byte, g *curve.Scalar) error {
	var x field.Element
	if len(a) == 33 && a[0]&^1 == 2 && x.SetBytes((*[32]byte)(a[1:])) != 0 {
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
