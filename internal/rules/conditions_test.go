package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// hides reports whether a statement before a condition has nothing to do with the condition: it changes only variables
// that the condition does not read.
func hides(init ast.Stmt, condition ast.Expr) bool {
	changed := make(map[string]bool)
	names := func(e ast.Node, visit func(name string)) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				visit(id.Name)
			}
			return true
		})
	}
	switch s := init.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return false
		}
		for _, e := range s.Lhs {
			names(e, func(name string) { changed[name] = true })
		}
	case *ast.IncDecStmt:
		names(s.X, func(name string) { changed[name] = true })
	case *ast.ExprStmt:
	default:
		return false
	}
	read := false
	if condition != nil {
		names(condition, func(name string) { read = read || changed[name] })
	}
	return !read
}

// TestConditions finds statements that hide in conditions, as in `if last = n; line == nil`, and conditions in which &&
// stands beside || without parentheses.
func TestConditions(t *testing.T) {
	found := 0
	for _, name := range tree(t) {
		if path.Ext(name) != ".go" || strings.Contains(name, "testdata/") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, read(t, name), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				found++
				if hides(n.Init, n.Cond) {
					t.Errorf("%s: a statement hides in a condition", set.Position(n.Pos()))
				}
			case *ast.SwitchStmt:
				if hides(n.Init, n.Tag) {
					t.Errorf("%s: a statement hides in a condition", set.Position(n.Pos()))
				}
			case *ast.BinaryExpr:
				for _, e := range []ast.Expr{n.X, n.Y} {
					if inner, ok := e.(*ast.BinaryExpr); ok && n.Op == token.LOR && inner.Op == token.LAND {
						t.Errorf("%s: && beside || without parentheses", set.Position(inner.Pos()))
					}
				}
			}
			return true
		})
	}
	if found < 5000 {
		t.Errorf("%d conditions in all: does this test still find them?", found)
	}
}
