package p256k1_test

import (
	"os/exec"
	"regexp"
	"testing"
)

// TestInline asks the compiler whether constructors can inline. If they do, what they return stays on the caller's stack where
// it does not escape: keys are parsed and recovered without an allocation.
func TestInline(t *testing.T) {
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	for dir, functions := range map[string][]string{
		".":       {"NewPrivateKey", "NewPublicKey", "NewXOnlyPublicKey"},
		"./ecdsa": {"Recover"},
		"./curve": {"(*Scalar).Bytes", "(*Point).Bytes", "(*Point).BytesUncompressed", "(*Point).BytesX"},
	} {
		out, err := exec.Command(compiler, "build", "-gcflags=-m", dir).CombinedOutput()
		if err != nil {
			t.Fatalf("go build %s: %v\n%s", dir, err, out)
		}
		for _, name := range functions {
			if !regexp.MustCompile(`(?m): can inline ` + regexp.QuoteMeta(name) + `$`).Match(out) {
				t.Errorf("%s in %s cannot inline", name, dir)
			}
		}
	}
}
