package curve

import (
	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/scalar"
)

// EqualXModNVartime reports whether p is finite and its x coordinate, taken
// modulo the group order, is r. With a small order x may be r plus any multiple of
// it, not r and r + n only, so that here x is reduced.
func (p *Point) EqualXModNVartime(r *Scalar) bool {
	var a group.Affine
	if !p.affine(&a) {
		return false
	}
	var b [32]byte
	a.X.FillBytes(&b)
	var x scalar.Scalar
	x.SetBytes(&b)
	return x.Equal(&r.s) != 0
}

// onlyX reports false, since there may always be others.
func (r *Scalar) onlyX(*field.Element) bool { return false }
