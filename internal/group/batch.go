package group

import "p256k1.mleku.dev/v2/internal/field"

// BatchToAffineVartime sets dst[i] = src[i] for all i, with one inversion for all points. No point may be infinity, and
// dst must be at least as long as src.
func BatchToAffineVartime(dst []Affine, src []Jacobian) {
	// This is Montgomery's trick (docs/inversion.md, I12). The first loop sets dst[i].X to Z₀·…·Zᵢ₋₁. Before the
	// second loop processes point i, acc is 1/(Z₀·…·Zᵢ), so 1/Zᵢ = acc·dst[i].X.
	var acc, zInv field.Element
	acc.SetUint64(1)
	for i := range src {
		dst[i].X.Set(&acc)
		acc.Mul(&acc, &src[i].Z)
	}
	acc.InvertVartime(&acc)
	for i := len(src) - 1; i >= 0; i-- {
		zInv.Mul(&acc, &dst[i].X)
		acc.Mul(&acc, &src[i].Z)
		dst[i].scale(&src[i], &zInv)
	}
}
