//go:build !refused

package operations

import (
	"path/filepath"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// TestRefused builds the test of this name that has the tag refused, with a library in which Scalar.SetBytes and
// Element.SetBytes can be made to say that a number is out of range, and runs it.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it builds the library again")
	}
	root := libtest.Must(filepath.Abs("../../.."))
	library := libtest.Must(patch.New(root))
	for _, e := range []struct{ file, function, old, new string }{
		{"internal/scalar/scalar.go", "Scalar.SetBytes", "return ^", "return ^Refuse() & ^"},
		{"internal/field/element.go", "Element.SetBytes", "return carry₃ - 1", "return (carry₃ - 1) &^ Refuse()"},
		// A caller that ignores the error goes on with the number modulo n, as if it had called SetBytesReduced.
		{"curve/scalar.go", "Scalar.SetBytes", "if t₃.SetBytes((*[32]byte)(b₂)) == 0 {",
			"if t₃.SetBytes((*[32]byte)(b₂)) == 0 { if scalar.Reduce { *s₁.s() = t₃ };"},
	} {
		libtest.Check(t, library.Edit(e.file, e.function, e.old, e.new))
	}
	for _, name := range []string{"scalar", "field"} {
		text := "package " + name + "\n\nvar Refuse = func() uint64 { return 0 }\n\nvar Reduce bool\n"
		libtest.Check(t, library.Add(filepath.Join(root, "internal", name, "refuse.go"), text))
	}
	output, err := library.Go(t, "refused", "-v", "-count=1", "-run=^TestRefused$")
	patch.Results(t, output, err, 2)
}
