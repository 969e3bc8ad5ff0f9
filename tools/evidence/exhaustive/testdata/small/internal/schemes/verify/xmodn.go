package verify

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// hasXModN reports whether p is finite and its x coordinate, modulo the group order, is r. With a small order, x may be
// r plus any multiple of the order, not only r or r + n. So this function reduces x.
func hasXModN(p *group.Jacobian, r *scalar.Scalar) bool {
	if p.IsInfinity() != 0 {
		return false
	}
	var a group.Affine
	a.ToAffine(p)
	var b [32]byte
	a.X.FillBytes(&b)
	var x scalar.Scalar
	x.SetBytes(&b)
	return x.Equal(r) != 0
}

// onlyX returns false, because other x coordinates may also be r modulo the order.
func onlyX(*field.Element, *scalar.Scalar) bool { return false }
