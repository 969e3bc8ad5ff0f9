package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRoad counts what computing with many items needs, and what every package would otherwise write again: pools of
// scratch memory, loops of Montgomery's trick, and sizes of parts. The numbers may fall, and a change may not raise
// them.
func TestRoad(t *testing.T) {
	counts := []struct {
		what    string
		pattern *regexp.Regexp
		around  bool // also in the modules around the library
		most    int
	}{
		{"pools in the library", regexp.MustCompile(`sync\.Pool\{`), false, 8},
		{"pools in the library and the modules around it", regexp.MustCompile(`sync\.Pool\{`), true, 12},
		// A step of the trick sets the product before an element, and multiplies the product by the element.
		{"loops of Montgomery's trick", regexp.MustCompile(`(?m)^\s*\S*before\S*(\.Set\(| = )\*?(product|all|acc)\b.*\n.*[mM]ul(Vartime)?\(|mulVartime\(&products`), true, 5},
		{"sizes outside internal/parts/parts.go", regexp.MustCompile(`(?m)^(const )?\s*(group|part|chunk|together|lifts|roots|\w+Blocks|groupSize) *= *[0-9]`), false, 0},
	}
	found := make([][]string, len(counts))
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch path {
			case "tools", "cmd", ".git", "compat/decred/v4", "compat/btcec", "compat/erigon", "internal/oracle", "internal/libtest":
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == "internal/parts/parts.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		around := false
		for _, module := range []string{"ethereum/", "nostr/", "protocols/", "scale/", "compat/v1/"} {
			around = around || strings.HasPrefix(filepath.ToSlash(path), module)
		}
		for i, c := range counts {
			for range c.pattern.FindAllIndex(text, -1) {
				if c.around || !around {
					found[i] = append(found[i], path)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range counts {
		switch n := len(found[i]); {
		case n > c.most:
			t.Errorf("%d %s, want at most %d: %v", n, c.what, c.most, found[i])
		case n < c.most:
			t.Errorf("%d %s: lower the limit from %d", n, c.what, c.most)
		}
	}
}
