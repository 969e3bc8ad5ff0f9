package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/tools/generator/formula"
	// So that a change there runs this test again: of what the go command below reads the cache knows nothing.
	_ "p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/platform"
)

// A variant changes the formulas in their one place. tools/evidence/asmproof/test_formulas.py tries the same ones.
type variant struct {
	Name     string
	Right    bool
	Old, New string
}

// TestVariants changes doubling in a copy of internal/group/formulas.go and nothing else by hand. Go, the assembly for
// x86-64 and that for ARM64 change. They pass the tests of the group if the doubling is still right, and fail if not.
func TestVariants(t *testing.T) {
	text, err := os.ReadFile("testdata/variants.json")
	if err != nil {
		t.Fatal(err)
	}
	var variants []variant
	if err := json.Unmarshal(text, &variants); err != nil {
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

// overlay generates the assembly of a variant and returns what the flag -overlay of the go command takes.
func (v variant) overlay(t *testing.T) string {
	t.Helper()
	const group = "../../internal/group"
	out := t.TempDir()
	changed := filepath.Join(out, "formulas")
	if err := os.CopyFS(changed, os.DirFS(group)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(changed, "formulas.go"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), v.Old); n != 1 {
		t.Fatalf("%q is there %d times: bring this test up to date", v.Old, n)
	}
	text = []byte(strings.Replace(string(text), v.Old, v.New, 1))
	if err := os.WriteFile(filepath.Join(changed, "formulas.go"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	points, err := formula.Read(os.DirFS(changed))
	if err == nil {
		err = generate(points, platform.Routines, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for _, file := range []string{"formulas/formulas.go", "group/group_amd64.s", "group/group_arm64.s"} {
		path, err := filepath.Abs(filepath.Join(group, filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		replace[path] = filepath.Join(out, file)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(replace[path])
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(before, after) {
			t.Errorf("%s does not change", file)
		}
	}
	text, err = json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(filepath.Join(out, "overlay.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out, "overlay.json")
}

// groupTest runs tests of the group, emulated if they are for another processor.
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

// TestGenerated compares the files of the repository with what is generated.
func TestGenerated(t *testing.T) {
	points, err := formula.Read(os.DirFS("../../internal/group"))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := generate(points, platform.Routines, out); err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		name, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join("../../internal", name))
		if err == nil && !bytes.Equal(got, want) {
			err = fmt.Errorf("%s is not what is generated: run go run ./tools/generator", name)
		}
		return err
	})
	if err != nil || files < 10 {
		t.Errorf("%d files: %v", files, err)
	}
}

// TestExcess asks for a doubling times a power of two that a word has no room for.
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
