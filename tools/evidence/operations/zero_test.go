package operations

import (
	"os/exec"
	"testing"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// TestZeroNonces replaces the hashes that are nonces by 0, and runs testdata/zero.
func TestZeroNonces(t *testing.T) {
	p := must(patch.New("../../.."))
	for _, e := range [][4]string{
		{"schnorr/schnorr.go", "setNonce", "k₁.SetBytesReduced(&nonce₈)", "k₁.SetUint64(0)"},
		{"protocols/adaptor/ecdsa.go", "drawNonce", "k₁.SetBytesReduced(&nonce₈)", "k₁.SetUint64(0)"},
		{"protocols/adaptor/schnorr.go", "preSignSchnorr", "k₁₅.SetBytesReduced(&nonce₁₄)", "k₁₅.SetUint64(0)"},
		{"protocols/dleq/dleq.go", "prove", "k₁₀.SetBytesReduced(&nonce₉)", "k₁₀.SetUint64(0)"},
		{"protocols/chilldkg/proof.go", "prove", "k₁₁.SetBytesReduced(&nonce₁₀)", "k₁₁.SetUint64(0)"},
		{"protocols/internal/nonce/nonce.go", "Secret.Generate", "s₁.K[i₁₁].SetBytesReduced(&sum₁₂)", "s₁.K[i₁₁].SetUint64(0)"},
	} {
		check(p.Edit(e[0], e[1], e[2], e[3]))
	}
	check(p.Files("testdata/zero"))
	overlay := must(p.Write(t.TempDir()))
	output, err := exec.CommandContext(t.Context(), "go", "test", "-v", "-overlay="+overlay, "-run=^TestZeroNonces$", module+"/protocols").CombinedOutput()
	patch.Results(t, output, err, 1)
}
