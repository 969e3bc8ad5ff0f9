package group

import "p256k1.mleku.dev/v2/internal/field"

// BatchToAffineVartime sets dst[i] = src[i] for all i, with one inversion for all points. No point may be infinity, and
// dst must be at least as long as src.
func BatchToAffineVartime(dst []Affine, src []Jacobian) {
	var all, zInv field.Element
	all.SetUint64(1)
	for i := range src {
		field.Append(&all, &dst[i].X, &src[i].Z)
	}
	all.InvertVartime(&all)
	for i := len(src) - 1; i >= 0; i-- {
		field.Remove(&all, &zInv, &dst[i].X, &src[i].Z)
		dst[i].scale(&src[i], &zInv)
	}
}
