package protocols

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports checks that the protocols import only this project's modules, without compat, and the packages on this
// list.
func TestImports(t *testing.T) {
	outside := []string{"golang.org/x/crypto/chacha20", "golang.org/x/crypto/chacha20poly1305", "golang.org/x/crypto/ripemd160"}
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			rest, ours := strings.CutPrefix(imported, "p256k1.mleku.dev/v2/")
			first, _, _ := strings.Cut(imported, "/")
			switch {
			case ours && strings.HasPrefix(rest, "compat/"):
				t.Errorf("%s imports %s, which is not for protocols", path, imported)
			case imported == "math/big" || imported == "unsafe" || imported == "C":
				t.Errorf("%s imports %s", path, imported)
			case !ours && imported != "p256k1.mleku.dev/v2" && strings.Contains(first, ".") && !slices.Contains(outside, imported):
				t.Errorf("%s imports %s, which is not on the list", path, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 3 {
		t.Errorf("only %d files", seen)
	}
}
