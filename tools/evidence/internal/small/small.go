// Package small makes the library compute in a group so small that package exhaustive can try all points and scalars. A
// program built in this way has no security at all.
package small

import (
	"path/filepath"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Patch returns the patch of the library in the folder root. Every build with the patch needs one of the tags order7,
// order13, order199, order3319 and order10903.
//
// The files in exhaustive/testdata/small replace files of the library or are added to it. Each states its reason.
func Patch(root string) (p *patch.Patch, err error) {
	defer must.Recover(&err)
	p = must.Get(patch.New(root))
	for _, e := range []struct{ file, function, old, new string }{
		// small.go replaces these functions for a small n.
		{"internal/scalar/scalar.go", "Scalar.SetBytes", " SetBytes(", " setBytes256("},
		{"internal/scalar/mul.go", "Scalar.Mul", " Mul(", " mul256("},
		// Multiplications of points take the limbs of a scalar from these functions, which now return a random
		// congruent integer of 256 bits.
		{"internal/scalar/scalar.go", "Scalar.Limbs", "Limbs() [4]uint64 {", "Limbs() [4]uint64 {\nv₁ = v₁.representative()"},
		{"internal/scalar/split.go", "Scalar.Split", "Signed128) {", "Signed128) {\nv₁ = v₁.representative()"},
		// affine.go replaces these functions by functions that accept infinity.
		{"internal/group/add.go", "Jacobian.AddMixedVartime", " AddMixedVartime(", " finiteAddMixedVartime("},
		{"internal/group/add.go", "Jacobian.DoubleAddVartime", " DoubleAddVartime(", " finiteDoubleAddVartime("},
		{"internal/group/xyzz.go", "XYZZ.AddMixedComplete", " AddMixedComplete(", " finiteAddMixedComplete("},
		{"internal/group/xyzz.go", "XYZZ.AddMixedVartime", " AddMixedVartime(", " finiteAddMixedVartime("},
		{"internal/group/batch.go", "BatchToAffineVartime", " BatchToAffineVartime(", " finiteBatchToAffineVartime("},
		// The assembly for lanes splits scalars with the λ and the n of secp256k1, and lanes cannot add the entries of
		// a table that are infinity in a small group.
		{"internal/platform/choose.go", "HasLanes", "IFMA || lanesInGo", "false"},
		{"internal/platform/choose.go", "hasPublicLanes", "HasLanes() || FMA || DoublesInGo", "false"},
		// A hash is never below a small n.
		{"protocols/cashu/dleq.go", "setNonce", "_, err₇ := r₁.SetBytes(sum₆[:]); err₇ == nil && r₁.IsZero() == 0",
			"r₁.SetBytesReduced(&sum₆).IsZero() == 0"},
	} {
		must.Do(p.Edit(e.file, e.function, e.old, e.new))
	}
	return p, p.Files(filepath.Join(root, "tools", "evidence", "exhaustive", "testdata", "small"))
}
