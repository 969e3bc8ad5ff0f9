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

// TestImports holds the protocols to the public packages of the library, so that others can write such, too. Tests may use the
// internal package that finds test vectors.
func TestImports(t *testing.T) {
	const library = "p256k1.mleku.dev"
	public := []string{library, library + "/curve", library + "/schnorr", library + "/ecdsa", library + "/ecdh", library + "/ellswift", library + "/hextext"}
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		test := strings.HasSuffix(name, "_test.go")
		for _, i := range file.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			switch ours := path == library || strings.HasPrefix(path, library+"/"); {
			case path == "math/big" && !test, path == "unsafe":
				t.Errorf("%s imports %s", name, path)
			case !ours, slices.Contains(public, path), strings.HasPrefix(path, library+"/protocols/"), test && path == library+"/internal/vectors":
			default:
				t.Errorf("%s imports %s", name, path)
			}
		}
		return nil
	})
	if err != nil || files < 5 {
		t.Error(err, files)
	}
}
