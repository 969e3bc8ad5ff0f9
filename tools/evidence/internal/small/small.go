// Package small makes the library compute in a group so small that package exhaustive
// can try everything in it. Whatever is built so has no security at all.
package small

import (
	"path/filepath"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// Patch returns the patch of the library in the folder root. What is built with it
// needs one of the tags order7, order13, order199, order3319 and order10903.
//
// The files in exhaustive/testdata/small stand for those of the library or come in
// addition, each with its reason.
func Patch(root string) (*patch.Patch, error) {
	p, err := patch.New(root)
	if err != nil {
		return nil, err
	}
	for _, e := range []struct{ file, old, new string }{
		// small.go has these for a small n.
		{"internal/scalar/scalar.go", "func (v *Scalar) SetBytes(", "func (v *Scalar) setBytes256("},
		{"internal/scalar/mul.go", "func (v *Scalar) Mul(", "func (v *Scalar) mul256("},
		// Where multiplications of points take a scalar, they get a long integer.
		{"internal/scalar/scalar.go", "func (v *Scalar) Limbs() [4]uint64 {\n", "func (v *Scalar) Limbs() [4]uint64 {\n\tv = v.representative()\n"},
		{"internal/scalar/split.go", "func (v *Scalar) Split() (k1, k2 Signed128) {\n", "func (v *Scalar) Split() (k1, k2 Signed128) {\n\tv = v.representative()\n"},
		// affine.go has these with infinity.
		{"internal/group/add.go", "func (p *Jacobian) AddMixedVartime(", "func (p *Jacobian) finiteAddMixedVartime("},
		{"internal/group/add.go", "func (p *Jacobian) DoubleAddVartime(", "func (p *Jacobian) finiteDoubleAddVartime("},
		{"internal/group/xyzz.go", "func (p *XYZZ) AddMixedComplete(", "func (p *XYZZ) finiteAddMixedComplete("},
		{"internal/group/xyzz.go", "func (p *XYZZ) AddMixedVartime(", "func (p *XYZZ) finiteAddMixedVartime("},
		{"internal/group/batch.go", "func BatchToAffineVartime(", "func finiteBatchToAffineVartime("},
		// Lanes split by the λ and the n of secp256k1, in assembly.
		{"internal/lanes/lanes.go", "return platform.IFMA", "return platform.IFMA && false"},
	} {
		if err := p.Edit(e.file, e.old, e.new); err != nil {
			return nil, err
		}
	}
	return p, p.Files(filepath.Join(root, "tools", "evidence", "exhaustive", "testdata", "small"))
}
