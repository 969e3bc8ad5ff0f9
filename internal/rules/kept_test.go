package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// setting matches the methods that store something in what they are called on.
var setting = regexp.MustCompile(`^(Set|Store|Swap|CompareAndSwap|Put|Add|Write|Append|Push|Mul|Load)`)

// TestKept finds variables of packages that a function changes, or whose address it takes, and that testdata/kept.txt
// does not have: a secret in them would stay after the call.
func TestKept(t *testing.T) {
	apart := regexp.MustCompile(`_test\.go$|(^|/)(testdata|oracle|libtest|asmtest|vectors)/|^(tools/(evidence|bench|generator|release|internal)|scale)/`)
	files, variables := make(map[string][]*ast.File), make(map[string]bool)
	for _, name := range tree(t) {
		if path.Ext(name) != ".go" || apart.MatchString(name) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		folder := path.Dir(name)
		files[folder] = append(files[folder], file)
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.VAR {
				for _, spec := range group.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						variables[folder+"."+id.Name] = id.Name != "_"
					}
				}
			}
		}
	}
	found := make(map[string]bool)
	for folder, all := range files {
		for _, file := range all {
			changed := func(target ast.Expr) {
				variable := root(target)
				if variable == nil {
					return
				}
				name := folder + "." + variable.Name
				if variables[name] && (variable.Obj == nil || variable.Obj == file.Scope.Lookup(variable.Name)) {
					found[name] = true
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, target := range n.Lhs {
						changed(target)
					}
				case *ast.IncDecStmt:
					changed(n.X)
				case *ast.UnaryExpr: // another function may assign through it
					if n.Op == token.AND {
						changed(n.X)
					}
				case *ast.CallExpr:
					if method, ok := n.Fun.(*ast.SelectorExpr); ok && setting.MatchString(method.Sel.Name) {
						changed(method.X)
					} else if types.ExprString(n.Fun) == "copy" {
						changed(n.Args[0])
					}
				}
				return true
			})
		}
	}
	kept := slices.DeleteFunc(strings.Split(strings.TrimSpace(read(t, "internal/rules/testdata/kept.txt")), "\n"),
		func(line string) bool { return line[0] == '#' })
	for name := range found {
		if !slices.Contains(kept, name) {
			t.Errorf("functions change %s, a variable of a package: a secret would stay there", name)
		}
	}
	for _, name := range kept {
		if !found[name] {
			t.Errorf("no function changes %s", name)
		}
	}
	if len(variables) < 200 {
		t.Errorf("only %d variables", len(variables))
	}
}

// root returns the variable of which an expression is a part, or to which it leads, or nil if there is none.
func root(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return root(e.X)
	case *ast.IndexExpr:
		return root(e.X)
	case *ast.SliceExpr:
		return root(e.X)
	case *ast.StarExpr:
		return root(e.X)
	case *ast.ParenExpr:
		return root(e.X)
	case *ast.UnaryExpr:
		return root(e.X)
	}
	return nil
}
