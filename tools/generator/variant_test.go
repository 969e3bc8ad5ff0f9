package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"p256k1.mleku.dev/v2/tools/generator/formula"
	// A change of the imported package must invalidate the cached result of this test, because the test cache does not
	// see what the go command below reads.
	_ "p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
)

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
	if err := json.Unmarshal(read(t, "testdata/variants.json"), &variants); err != nil {
		t.Fatal(err)
	}
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
	const group = "../../internal/group"
	out := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(out, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.CopyFS(out, os.DirFS(group)); err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(group, "formulas.go"))
	if n := bytes.Count(text, []byte(v.Old)); n != 1 {
		t.Fatalf("%q occurs %d times: bring this test up to date", v.Old, n)
	}
	write("formulas.go", bytes.Replace(text, []byte(v.Old), []byte(v.New), 1))
	files := generated(t, out)
	replace := map[string]string{}
	for _, name := range []string{"formulas.go", "group_amd64.s", "group_arm64.s"} {
		path, err := filepath.Abs(filepath.Join(group, name))
		if err != nil {
			t.Fatal(err)
		}
		if text := files["group/"+name]; text != nil {
			write(name, text)
		}
		replace[path] = filepath.Join(out, name)
		if bytes.Equal(read(t, path), read(t, replace[path])) {
			t.Errorf("%s does not change", name)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	return write("overlay.json", text)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// generated returns the assembly generated from the formulas in a directory.
func generated(t *testing.T, formulas string) map[string][]byte {
	t.Helper()
	points, err := formula.Read(os.DirFS(formulas))
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate(points, platform.Routines)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// groupTest runs tests of the group, in an emulator if they are for another processor.
func groupTest(t *testing.T, arch string, flags ...string) ([]byte, error) {
	t.Helper()
	args := append([]string{"test", "-short", "-count=1", "-run=^Test(Double|DoubleN|Add|Assembly)$"}, flags...)
	if arch != runtime.GOARCH {
		emulator := map[string]string{"amd64": "qemu-x86_64", "arm64": "qemu-aarch64"}[arch]
		if _, err := exec.LookPath(emulator); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skipf("NOT TRIED on %s: %v", arch, err)
		}
		args = append(args, "-exec="+emulator)
	}
	c := exec.CommandContext(t.Context(), "go", append(args, "p256k1.mleku.dev/v2/internal/group")...)
	c.Env = append(os.Environ(), "GOARCH="+arch)
	return c.CombinedOutput()
}

// TestGenerated compares the files of the repository with the output of the generator.
func TestGenerated(t *testing.T) {
	files := generated(t, "../../internal/group")
	for name, want := range files {
		if !bytes.Equal(read(t, filepath.Join("../../internal", name)), want) {
			t.Errorf("%s differs from the generated file: run go run ./tools/generator", name)
		}
	}
	if len(files) < 10 {
		t.Errorf("only %d files", len(files))
	}
}

// TestExcess asks for a doubling times a power of two that does not fit in a word.
func TestExcess(t *testing.T) {
	points, err := formula.Read(os.DirFS("../../internal/group"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 31, 32} {
		f, err := points.Formula("doubleNGeneric", formula.Machine{
			Fits:  fourWords.Fits,
			Scale: map[string]formula.Scale{"double": {Out: map[string]int{"p.Z": n}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if refused := recover() != nil; refused != (n > 31) {
					t.Errorf("times 2^%d: refused %t", n, refused)
				}
			}()
			compile(&arm64{}, f)
		}()
	}
}
