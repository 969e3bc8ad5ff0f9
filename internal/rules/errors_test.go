package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrorNames fails if two packages declare an error of the same name, unless it is ErrDER. Package p256k1
// re-exports errors of the packages that it imports, and must keep their names. The schemes return p256k1.ErrLength and
// declare no error for lengths.
func TestErrorNames(t *testing.T) {
	declared := make(map[string][]string) // the packages that declare an error, by its name
	for _, dir := range publicPackages {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if isTest(name) {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncDecl); ok {
					return false
				}
				spec, ok := n.(*ast.ValueSpec)
				if !ok {
					return true
				}
				for i, id := range spec.Names {
					if !strings.HasPrefix(id.Name, "Err") || !id.IsExported() {
						continue
					}
					original, alias := spec.Values[i].(*ast.SelectorExpr)
					if alias && (dir != "." || original.Sel.Name != id.Name) {
						t.Errorf("%s: %s is another name of %s", dir, id.Name, original.Sel.Name)
					}
					if !alias {
						declared[id.Name] = append(declared[id.Name], dir)
					}
				}
				return true
			})
		}
	}
	if len(declared) < 15 {
		t.Errorf("only %d errors", len(declared))
	}
	for name, in := range declared {
		// ErrDER is declared twice because signatures and keys are different DER structures, and a caller who reads
		// both structures needs to know which of them failed.
		if len(in) > 1 && name != "ErrDER" {
			t.Errorf("%s is declared in %s, with another value in each", name, strings.Join(in, " and "))
		}
	}
}
