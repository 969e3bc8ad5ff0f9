package curve

import (
	"p256k1.mleku.dev/v2/internal/ecmult"
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
)

// The sums in this file take points in their encodings. To test what a sum is, y of a
// point is not needed, so that no square root is computed, and to compute it, the root
// and an inversion are one (docs/rootless.md).

// DoubleScalarBaseMultBytesVartime sets p = k·A + g·G, normalized, for the point A that
// the 33 or 65 bytes of a encode. The error is that of SetBytes, and p is then unchanged.
// The time depends on all arguments, which must not be secret.
func (p *Point) DoubleScalarBaseMultBytesVartime(k *Scalar, a []byte, g *Scalar) (*Point, error) {
	var x field.Element
	if len(a) == 33 && a[0]&^1 == 2 && x.SetBytes((*[32]byte)(a[1:])) != 0 {
		var sum group.Affine
		if ecmult.SumOfXVartime(&sum, &k.s, &x, mask(int(a[0]&1)), &g.s) {
			return p.setAffine(&sum), nil
		}
	}
	var lifted Point
	if _, err := lifted.SetBytes(a); err != nil {
		return nil, err
	}
	return p.DoubleScalarBaseMultVartime(k, &lifted, g).NormalizeVartime(), nil
}

// SumHasXModNVartime reports whether k·A + g·G is finite and its x coordinate, taken
// modulo the group order, is r: ECDSA verification (SEC 1, section 4.1.4). The point A
// is encoded in the 33 or 65 bytes of a. Where Point.SetBytes refuses these it reports
// false. Its time depends on all arguments, which must not be secret.
func SumHasXModNVartime(k *Scalar, a []byte, g, r *Scalar) bool {
	var q ecmult.XQuestion
	if len(a) == 33 && ask(&q, k, (*[33]byte)(a), g, r) {
		if v := ecmult.SumHasXVartime(&q.K, &q.X, q.Odd, &q.G, &q.R, false); v != ecmult.Unknown {
			return v == ecmult.Yes
		}
	}
	return pointHasXModNVartime(k, a, g, r)
}

// ask sets q to what SumHasXModNVartime is asked, and reports whether that is possible: not
// for what is no encoding, nor for r that more than one x coordinate may be.
func ask(q *ecmult.XQuestion, k *Scalar, a *[33]byte, g, r *Scalar) bool {
	q.K, q.G, q.Odd = k.s, g.s, mask(int(a[0]&1))
	return r.onlyX(&q.R) && a[0]&^1 == 2 && q.X.SetBytes((*[32]byte)(a[1:])) != 0
}

// pointHasXModNVartime is SumHasXModNVartime for what SumsHaveXVartime does not know.
func pointHasXModNVartime(k *Scalar, a []byte, g, r *Scalar) bool {
	var p Point
	if _, err := p.SetBytes(a); err != nil {
		return false
	}
	return p.DoubleScalarBaseMultVartime(k, &p, g).EqualXModNVartime(r)
}

// SumIsLiftXVartime reports whether k·A + g·G = R, for the points A and R that
// Point.LiftX returns for a and r, 32 bytes each: BIP-340 verification. Where it
// refuses one of these, SumIsLiftXVartime reports false. Its time depends on all
// arguments, which must not be secret.
func SumIsLiftXVartime(k *Scalar, a []byte, g *Scalar, r []byte) bool {
	var x, rx field.Element
	if len(a) != 32 || len(r) != 32 || x.SetBytes((*[32]byte)(a)) == 0 || rx.SetBytes((*[32]byte)(r)) == 0 {
		return false
	}
	if v := ecmult.SumHasXVartime(&k.s, &x, 0, &g.s, &rx, true); v != ecmult.Unknown {
		return v == ecmult.Yes
	}
	var lifted group.Affine
	var p Point
	if lifted.LiftX(&x) == 0 {
		return false
	}
	p.setAffine(&lifted)
	p.DoubleScalarBaseMultVartime(k, &p, g).NormalizeVartime()
	return p.p.X.Equal(&rx) != 0 && p.p.IsInfinity()|p.p.Y.IsOdd() == 0
}
