package verify

import (
	"bytes"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/params"
	"p256k1.mleku.dev/v2/internal/scalar"
)

var (
	// order is n as a field element.
	order = field.FromLimbs(params.N&params.Limb, params.N>>64&params.Limb, params.N>>128&params.Limb, params.N>>192)

	// fieldMinusOrder is p − n, big-endian.
	fieldMinusOrder = [32]byte{15: 0x01,
		0x45, 0x51, 0x23, 0x19, 0x50, 0xb7, 0x5f, 0xc4, 0x40, 0x2d, 0xa1, 0x72, 0x2f, 0xc9, 0xba, 0xee}
)

// hasXModN reports whether p is finite and its x coordinate X/Z², reduced modulo n, is r, which is the last step of
// ECDSA verification (SEC 1, section 4.1.4). It compares X with r·Z² and, if r + n is below the field order, with (r +
// n)·Z², so that no inversion is needed. Its time depends on p and r.
func hasXModN(p *group.Jacobian, r *scalar.Scalar) bool {
	if p.IsInfinity() != 0 {
		return false
	}
	var x, zz, t field.Element
	only := onlyX(&x, r)
	zz.Square(&p.Z)
	if t.Mul(&x, &zz).Equal(&p.X) != 0 {
		return true
	}
	if only {
		return false
	}
	x.Add(&x, &order)
	return t.Mul(&x, &zz).Equal(&p.X) != 0
}

// onlyX sets x = r and reports whether r is the only x coordinate that is congruent to r modulo n. The only other
// candidate is r + n, which is below p if r < p − n.
func onlyX(x *field.Element, r *scalar.Scalar) bool {
	var b [32]byte
	r.FillBytes(&b)
	x.SetBytes(&b)
	return bytes.Compare(b[:], fieldMinusOrder[:]) >= 0
}
