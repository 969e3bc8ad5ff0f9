package oracle

import "math/big"

// ECDHX returns the x coordinate of d·pub without hashing it. It reports false if d is not in [1, N−1], or if pub is
// infinity or not on the curve.
func ECDHX(d *big.Int, pub Point) (x [32]byte, ok bool) {
	if !isNonzero(d) || pub.IsInfinity() || !pub.OnCurve() {
		return x, false
	}
	return Bytes(pub.Mul(d).X), true
}
