package geth

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPage compiles and runs the program of docs/ethereum.md.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("it is compiled without -short")
	}
	page, err := os.ReadFile("../../docs/ethereum.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(blocks) != 1 {
		t.Fatalf("%d programs", len(blocks))
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, blocks[0][1], 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
	if want := "1500 of 1500 prepared\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
}
