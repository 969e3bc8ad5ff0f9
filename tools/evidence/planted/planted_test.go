package main

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

const root = "../../.."

// TestApplied checks that each error fits the code, so that a change of the code brings the lists up to date.
func TestApplied(t *testing.T) {
	for name, p := range plants() {
		if err := libtest.Must(patch.New(root)).Edit(p.File, p.Function, p.Old, p.New); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestVerdicts plants errors in a toy module with a test that notices one of them and a test that always fails. Some of
// the errors do not compile.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module toy\n\ngo 1.26\n",
		"toy.go":      "package toy\n\nfunc one() int { return 1 }\n\nfunc two() int { return 2 }\n",
		"run/main.go": "package main\n\nimport _ \"toy\"\n\nfunc main() {}\n",
		"toy_test.go": "package toy\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif one() != 1 {\n\t\tt.Error()\n\t}\n}\n\nfunc TestRed(t *testing.T) { t.Error() }\n",
	} {
		path := filepath.Join(dir, name)
		libtest.Check(t, os.MkdirAll(filepath.Dir(path), 0o700))
		libtest.Check(t, os.WriteFile(path, []byte(text), 0o600))
	}
	t.Setenv("GOWORK", "off")
	g := garden{dir, "", map[string]error{}}
	for _, c := range []struct {
		function, old, new, command, want string
	}{
		{"", "return 1", "return 3", "go test -run One .", "noticed"},
		{"", "return 2", "return 3", "go test -run One .", "not noticed"},
		{"", "return 1", "return 3", "go test -run None .", "not noticed"},
		{"", "return 4", "return 3", "go test -run One .", "not applied"},
		{"", "return ", "return 3-", "go test -run One .", "not applied"}, // occurs twice
		{"one", "return ", "return 3-", "go test -run One .", "noticed"},
		{"three", "return ", "return 3-", "go test -run One .", "not applied"},
		{"", "return 1", "return x", "go test -run One .", "not applied"},
		{"", "return 1", "return x", "go run ./run", "not applied"},
		{"", "return 1", "return 3", "go test -run Red .", "not sound"},
		{"", "return 1", "return x", "go build -C . ./...", "noticed"},
	} {
		p := patch.Change{Name: "test", File: "toy.go", Function: c.function, Old: c.old, New: c.new, Command: c.command}
		verdict, err := g.try(t.Context(), p)
		if verdict != c.want || (err == nil) != (c.want == "noticed") {
			t.Errorf("%+v: %s, %v", p, verdict, err)
		}
	}
	if text := libtest.Must(os.ReadFile(filepath.Join(dir, "toy.go"))); strings.Contains(string(text), "3") {
		t.Errorf("an error stays:\n%s", text)
	}
	t.Chdir(dir)
	libtest.Check(t, exec.CommandContext(t.Context(), "git", "init", "-q").Run())
	defer func(all fs.FS) { lists = all }(lists)
	const list = "== a\ntoy.go\n-return 1\n+return 3\n$go test -run One .\n== b\ntoy.go\n-return 2\n+return 3\n$go test -run One .\n"
	lists = fstest.MapFS{"toy.txt": {Data: []byte(list)}}
	for args, want := range map[string]string{
		"-run a": "<nil>", "-run b": "1 failures of 1", "-run toy": "1 failures of 2", "-run c": `no planted error matches "c"`,
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, not %s", args, err, want)
		}
	}
	other := map[string]string{"amd64": "toy_arm64.s"}[runtime.GOARCH]
	lists = fstest.MapFS{"toy.txt": {Data: []byte(strings.ReplaceAll(list, "toy.go", cmp.Or(other, "toy_amd64.s")))}}
	if err := run(t.Context(), nil, io.Discard); fmt.Sprint(err) != "0 failures of 0" {
		t.Errorf("errors in assembly of another processor: %v", err)
	}
	for sample, want := range []int{2, 1, 2, 2} {
		if got := len(choose(regexp.MustCompile(""), sample, 7)); got != want {
			t.Errorf("-sample %d chooses %d of 2 errors", sample, got)
		}
	}
}

// TestLacks counts the errors that other machines cannot notice.
func TestLacks(t *testing.T) {
	for name, want := range map[string]int{"amd64 true": 0, "amd64 false": 2, "arm64 false": 7} {
		arch, avx512, _ := strings.Cut(name, " ")
		got := 0
		for _, p := range plants() {
			if lacks(p, arch, avx512 == "true") != "" {
				got++
			}
		}
		if got != want {
			t.Errorf("%s lacks what %d errors need, not %d", name, got, want)
		}
	}
}
