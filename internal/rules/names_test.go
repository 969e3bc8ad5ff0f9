package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestNames finds variables, parameters and fields whose names are prepositions or quantifiers, and so do not say what
// they hold.
func TestNames(t *testing.T) {
	none := []string{"of", "at", "some", "with", "without", "about", "by", "into"}
	original := []string{"compat/decred/elliptic.go"} // by is b.y, beside bx
	variables := 0
	for _, name := range tree(t) {
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") || slices.Contains(original, name) {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, read(t, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || id.Obj == nil || id.Obj.Kind != ast.Var || id.Obj.Pos() != id.Pos() {
				return true
			}
			variables++
			if slices.Contains(none, id.Name) {
				t.Errorf("%s: %s does not say what it holds", set.Position(id.Pos()), id.Name)
			}
			return true
		})
	}
	if variables < 10_000 {
		t.Errorf("only %d variables", variables)
	}
}
