//go:build !silent

package operations

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/astutil"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

// unturned matches the files that are left as they are: the modules that have no operations, the arithmetic, which
// makes no errors, and tests.
var unturned = regexp.MustCompile(`^(tools|cmd|compat|scale|docs|ethereum/geth)/|^internal/[^/]*/|_test\.go$|testdata`)

// turned returns the text of a file in which package turn decides about every condition.
func turned(name, text string) string {
	set := token.NewFileSet()
	file := libtest.Must(parser.ParseFile(set, name, text, parser.ParseComments))
	turns := false
	turn := func(function string, e *ast.Expr) {
		place := fmt.Sprintf("\"%s:%d\"", name, set.Position((*e).Pos()).Line)
		*e = &ast.CallExpr{Fun: ast.NewIdent("turn." + function), Args: []ast.Expr{&ast.BasicLit{Value: place}, *e}}
		turns = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			turn("If", &n.Cond)
		case *ast.SwitchStmt:
			if n.Tag != nil {
				turn("Tag", &n.Tag)
				break
			}
			for _, c := range n.Body.List {
				for i := range c.(*ast.CaseClause).List {
					turn("If", &c.(*ast.CaseClause).List[i])
				}
			}
		}
		return true
	})
	if turns {
		astutil.AddImport(set, file, module+"/internal/turn")
	}
	var b strings.Builder
	check(format.Node(&b, set, file))
	return b.String()
}

// TestErrorsSilent builds the test of this name in testdata/silent, which has the tag silent, with a library in which
// every condition can be reversed, so that each function fails in each way in which it can fail, and runs it.
func TestErrorsSilent(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it builds the library again")
	}
	root := libtest.Must(filepath.Abs("../../.."))
	library := libtest.Must(patch.New(root))
	libtest.Check(t, library.Files("testdata/silent"))
	libtest.Check(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".go") && !unturned.MatchString(name) && err == nil {
			path := filepath.Join(root, name)
			err = library.Add(path, turned(name, string(libtest.Must(os.ReadFile(path)))))
		}
		return err
	}))
	output, err := library.Go(t, "silent", "-vet=off", "-v", "-count=1", "-run=^TestErrorsSilent$")
	patch.Results(t, output, err, 1)
}
