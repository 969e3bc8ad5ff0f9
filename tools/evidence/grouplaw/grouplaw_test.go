package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const root = "../../.."

// replaced returns the text with new in place of the first occurrence of old, which must exist.
func replaced(t *testing.T, text []byte, old, new string) []byte {
	t.Helper()
	changed := bytes.Replace(text, []byte(old), []byte(new), 1)
	if bytes.Equal(changed, text) {
		t.Fatalf("no %s", old)
	}
	return changed
}

// compileAll compiles correct files in a directory.
func compileAll(dir string, files map[string][]byte, names ...string) {
	for _, name := range names {
		libtest.Must(compile(dir, name, files[name]))
	}
}

// TestQuotes changes a function that a model quotes, and expects an error.
func TestQuotes(t *testing.T) {
	tree := t.TempDir()
	for _, dir := range []string{"curve", "internal/batch", "internal/ecmult", "internal/field", "internal/group", "internal/lanes", "internal/parts", "internal/recode", "internal/scalar"} {
		libtest.Check(t, os.CopyFS(filepath.Join(tree, dir), os.DirFS(filepath.Join(root, dir))))
	}
	libtest.Must(sources(tree, map[string][]byte{"Formulas": {}, "Constants": {}}))
	path := filepath.Join(tree, "internal/group/add.go")
	text := libtest.Must(os.ReadFile(path))
	changed := replaced(t, text, "sum.Select(b, &sum, a.IsInfinity())", "sum.Select(a, &sum, a.IsInfinity())")
	libtest.Check(t, os.WriteFile(path, changed, 0o600))
	if _, err := sources(tree, map[string][]byte{"Formulas": {}, "Constants": {}}); err == nil || !strings.Contains(err.Error(), "review its model") {
		t.Errorf("a changed Add: %v", err)
	}
}

// TestAdmitted adds a theorem without a proof, and expects an error.
func TestAdmitted(t *testing.T) {
	libtest.Need(t, "coqc")
	dir := t.TempDir()
	old := order
	order = append([]string{"Planted"}, computed...)
	defer func() { order = old }()
	compileAll(dir, nil, computed...)
	text := []byte("Theorem one : 1 = 1. Proof. reflexivity. Qed.\nTheorem two : 1 = 2. Admitted.\n")
	libtest.Must(compile(dir, "Planted", text))
	if err := axioms(dir, []string{"Planted.one"}); err != nil {
		t.Error(err)
	}
	if err := axioms(dir, []string{"Planted.two"}); err == nil || !strings.Contains(err.Error(), "two : 1 = 2") {
		t.Errorf("an admitted theorem: %v", err)
	}
	if err := recheck(dir); err == nil || !strings.Contains(err.Error(), "two") {
		t.Errorf("coqchk and an admitted theorem: %v", err)
	}
}

// TestBranches runs TestModel of internal/modinv with and without assembly, and expects that the stored inputs take
// every branch of inversion.
func TestBranches(t *testing.T) {
	taken := map[string]bool{} // by the block's place
	for _, tags := range []string{"", "purego"} {
		profile := filepath.Join(t.TempDir(), "profile")
		cmd := exec.Command("go", "test", "-tags", tags, "-run", "^TestModel$", "-coverprofile", profile, "./internal/modinv")
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		for line := range strings.Lines(string(libtest.Must(os.ReadFile(profile)))) {
			if block, count, ok := strings.Cut(line, " "); ok && strings.Contains(block, "/safegcd") {
				taken[block] = taken[block] || !strings.HasSuffix(count, " 0\n")
			}
		}
	}
	for block, ok := range taken {
		if !ok {
			t.Errorf("no stored input takes the branch %s", block)
		}
	}
	if len(taken) < 50 {
		t.Errorf("%d branches", len(taken))
	}
}
