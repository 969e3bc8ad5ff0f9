package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/generator/formula"

	// A change of the imported package must invalidate the cached result of this test, because the test cache does not
	// see what the go command below reads.
	_ "p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
)

const groupDirectory = "../../internal/group"

// A variant changes a formula in its only source. tools/evidence/asmproof/test_formulas.py tries the same variants.
type variant struct {
	Name     string
	Right    bool
	Old, New string
}

// TestVariants changes doubling in a copy of internal/group/formulas.go, and generates the assembly for x86-64 and for
// ARM64 from the copy. The Go code and the assembly must pass the tests of the group if the doubling is still correct,
// and fail if it is not.
func TestVariants(t *testing.T) {
	var variants []variant
	libtest.Check(t, json.Unmarshal(libtest.Must(os.ReadFile("testdata/variants.json")), &variants))
	for _, v := range variants {
		t.Run(v.Name, func(t *testing.T) {
			overlay := v.overlay(t)
			for _, mode := range []struct{ arch, tags string }{{"amd64", ""}, {"amd64", "purego"}, {"arm64", ""}} {
				if testing.Short() && (!v.Right || mode.arch != "amd64") {
					continue
				}
				output, err := groupTest(t, mode.arch, "-tags="+mode.tags, "-overlay="+overlay)
				failed := bytes.Contains(output, []byte("--- FAIL: Test"))
				if v.Right != (err == nil) || v.Right == failed {
					t.Errorf("%s %s: %v\n%s", mode.arch, mode.tags, err, output)
				}
			}
		})
	}
}

// overlay generates the assembly of a variant and returns the file for the flag -overlay of the go command.
func (v variant) overlay(t *testing.T) string {
	t.Helper()
	out := t.TempDir()
	libtest.Check(t, os.CopyFS(out, os.DirFS(groupDirectory)))
	text := libtest.Must(os.ReadFile(filepath.Join(groupDirectory, "formulas.go")))
	if n := bytes.Count(text, []byte(v.Old)); n != 1 {
		t.Fatalf("%q occurs %d times: bring this test up to date", v.Old, n)
	}
	write := func(name string, text []byte) string {
		path := filepath.Join(out, name)
		libtest.Check(t, os.WriteFile(path, text, 0o600))
		return path
	}
	write("formulas.go", bytes.Replace(text, []byte(v.Old), []byte(v.New), 1))
	files := generated(out)
	files["group/formulas.go"] = libtest.Must(os.ReadFile(filepath.Join(out, "formulas.go")))
	replace := map[string]string{}
	for _, name := range []string{"formulas.go", "group_amd64.s", "group_arm64.s"} {
		path := libtest.Must(filepath.Abs(filepath.Join(groupDirectory, name)))
		replace[path] = write(name, files["group/"+name])
		if bytes.Equal(libtest.Must(os.ReadFile(path)), files["group/"+name]) {
			t.Errorf("%s does not change", name)
		}
	}
	return write("overlay.json", libtest.Must(json.Marshal(map[string]any{"Replace": replace})))
}

// generated returns the assembly generated from the formulas in a directory.
func generated(formulas string) map[string][]byte {
	return libtest.Must(generate(libtest.Must(formula.Read(os.DirFS(formulas))), platform.Routines))
}

// groupTest runs tests of the group, in an emulator if they are for another processor.
func groupTest(t *testing.T, arch string, flags ...string) ([]byte, error) {
	t.Helper()
	args := append([]string{"test", "-short", "-count=1", "-run=^Test(Double|DoubleN|Add|Assembly)$"}, flags...)
	if arch != runtime.GOARCH {
		emulator := map[string]string{"amd64": "qemu-x86_64", "arm64": "qemu-aarch64"}[arch]
		libtest.Need(t, emulator)
		args = append(args, "-exec="+emulator)
	}
	c := exec.CommandContext(t.Context(), "go", append(args, "p256k1.mleku.dev/v2/internal/group")...)
	c.Env = append(os.Environ(), "GOARCH="+arch)
	return c.CombinedOutput()
}

// TestGenerated compares the files of the repository with the output of the generator.
func TestGenerated(t *testing.T) {
	files := generated(groupDirectory)
	for name, want := range files {
		if !bytes.Equal(libtest.Must(os.ReadFile(filepath.Join("../../internal", name))), want) {
			t.Errorf("%s differs from the generated file: run go run ./tools/generator", name)
		}
	}
	if len(files) < 10 {
		t.Errorf("only %d files", len(files))
	}
}

// refuses reports whether emit panics.
func refuses(emit func()) (refused bool) {
	defer func() { refused = recover() != nil }()
	emit()
	return false
}
