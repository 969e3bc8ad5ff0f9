package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	_ "github.com/go-jose/go-jose/v4" // imported by the programs of the page
	_ "github.com/golang-jwt/jwt/v5"
	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestJWT compiles and runs the programs of docs/jwt.md.
func TestJWT(t *testing.T) {
	page := must(os.ReadFile(filepath.Join("..", "..", "..", "docs", "jwt.md")))
	want := []string{"alice true <nil>\n", "alice <nil>\n"}
	programs := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(programs) != len(want) {
		t.Fatalf("%d programs, want %d", len(programs), len(want))
	}
	for i, program := range programs {
		file := filepath.Join(t.TempDir(), "main.go")
		libtest.Check(t, os.WriteFile(file, program[1], 0o666))
		if out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput(); err != nil || string(out) != want[i] {
			t.Errorf("program %d: %v\n%s", i, err, out)
		}
	}
}
