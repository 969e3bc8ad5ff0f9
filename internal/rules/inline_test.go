package rules

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestInline asks the compiler whether constructors of public keys, and the encoders of package curve, can be inlined.
// If a function is inlined, a result that does not escape stays on the caller's stack, so that parsing, recovering and
// encoding need not allocate.
func TestInline(t *testing.T) {
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	for dir, functions := range map[string][]string{
		".":          {"ParsePublicKey", "ParseXOnlyPublicKey"},
		"./ecdsa":    {"Recover"},
		"./ellswift": {"Decode"},
		"./curve":    {"(*Scalar).Bytes", "(*Point).Bytes", "(*Point).BytesUncompressed", "(*Point).BytesX"},
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

// TestInlineArithmetic checks that the wrappers between an operation on elements and the code that runs can be inlined,
// with and without assembly, and so can the function that wipes the stack, because its frame would otherwise begin
// below the frame that it wipes.
func TestInlineArithmetic(t *testing.T) {
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	for _, target := range []struct{ system, arch, tags string }{
		{"linux", "amd64", ""}, {"linux", "amd64", "purego"}, {"linux", "arm64", ""}, {"linux", "386", ""}, {"js", "wasm", ""},
	} {
		c := exec.Command(compiler, "build", "-gcflags=-m", "-tags="+target.tags, "./internal/field", "./secret")
		c.Env = append(os.Environ(), "GOOS="+target.system, "GOARCH="+target.arch)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", target, err, out)
		}
		inline := []string{"(*Element).Mul", "(*Element).Square", "(*Element).Add", "(*Element).Sub"}
		if target.arch == "wasm" || target.tags == "purego" {
			inline = append(inline, "mul", "square")
		}
		if target.arch != "amd64" || target.tags == "purego" {
			inline = append(inline, "wipe")
		}
		for _, name := range inline {
			if !regexp.MustCompile(`(?m): can inline ` + regexp.QuoteMeta(name) + `$`).Match(out) {
				t.Errorf("%v: %s cannot inline", target, name)
			}
		}
	}
}
