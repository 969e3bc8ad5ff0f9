package residue

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
)

var update = flag.Bool("update", false, "write wipes.txt")

// apart matches the folders that have no wipes of secrets, wiping the functions that wipe, and operand what they wipe,
// as x in x.Zero() and clear(x[:]). copying matches a copy of encoded bytes, which a wipe of the copy would leave, and
// script a wipe, a use of a secret key and a text for the console in JavaScript.
var (
	apart = regexp.MustCompile(`(^|/)(\.\w+|testdata|scale|docs|oracle|libtest|asmtest|rules|vectors|node_modules)$|` +
		`^tools/(js/(build|compare|dist|package|test)|[^j]\w*)$`)
	copying = regexp.MustCompile(`^(append|copy|\w+\.Clone)\(.*\.Bytes\(\)`)
	script  = regexp.MustCompile(`.*\b(?:needSecret|console)\b.*|[\w.?]+\.fill\(0\b.*?\)`)
	operand = regexp.MustCompile(`^(.+)\.\w+\(\)$|^[\w.]+\(&?([\w.]+).*`)
	wiping  = regexp.MustCompile(`^(clear|wiping)$|^secret\.Do$|(^|\.)([zZ]ero|[wW]ipe)$`)
)

// TestWipes checks that no function has lost or changed a wipe, in any module. Many wipes are the second of two,
// because Use and secret.Do wipe the stack as well, or run only after an error, so the search of memory cannot miss
// them. A function that wipes otherwise than wipes.txt says is a reason to think about what it leaves behind; -update
// writes the file. A deferred wipe must follow all assignments to what it wipes, because Go evaluates its operand at
// the defer statement. wipes.txt also has what may hide a part from a wipe: slices that replace a variable of a
// function that wipes or a field in its package, and encodings that such a function copies.
func TestWipes(t *testing.T) {
	const root = "../../.."
	var wipes, fields []string
	libtest.Check(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && apart.MatchString(name):
			return filepath.SkipDir
		case err == nil && strings.HasSuffix(name, ".js"):
			for _, wipe := range script.FindAllString(string(libtest.Must(os.ReadFile(filepath.Join(root, name)))), -1) {
				wipes = append(wipes, name+": "+strings.TrimSpace(wipe))
			}
			return nil
		case err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		for _, f := range file.Decls {
			deferred, wiped := make(map[ast.Node]string), make(map[string]string)
			var hiding []string
			before := len(wipes)
			assigned := func(target ast.Expr) {
				for x, wipe := range wiped {
					if strings.HasPrefix(x+".", types.ExprString(target)+".") {
						t.Errorf("%s: %s: a value of %s after \"defer %s\", which would wipe the old value", name, patch.Name(f), x, wipe)
					}
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.DeferStmt:
					deferred[n.Call] = "defer "
					if m := operand.FindStringSubmatch(types.ExprString(n.Call)); m != nil && wiping.MatchString(types.ExprString(n.Call.Fun)) {
						wiped[m[1]+m[2]] = m[0]
					}
				case *ast.AssignStmt:
					for i, target := range n.Lhs {
						assigned(target)
						if slice, ok := n.Rhs[min(i, len(n.Rhs)-1)].(*ast.SliceExpr); ok && n.Tok == token.ASSIGN {
							hiding = append(hiding, types.ExprString(target)+" = "+types.ExprString(slice))
						}
					}
				case *ast.UnaryExpr: // a function may assign through the address
					if x := types.ExprString(n.X); n.Op == token.AND && wiped[x] == "clear("+x+")" {
						assigned(n.X)
					}
				case *ast.CallExpr:
					if wiping.MatchString(types.ExprString(n.Fun)) {
						wipes = append(wipes, path.Dir(name)+" "+patch.Name(f)+": "+deferred[n]+types.ExprString(n))
					} else if copying.MatchString(types.ExprString(n)) {
						hiding = append(hiding, types.ExprString(n))
					}
				}
				return true
			})
			for _, line := range hiding {
				target, _, slice := strings.Cut(line, " = ")
				line = path.Dir(name) + " " + patch.Name(f) + ": " + line
				if len(wipes) > before {
					wipes = append(wipes, line)
				} else if slice && strings.Contains(target, ".") {
					fields = append(fields, line)
				}
			}
		}
		return err
	}))
	for _, line := range fields {
		folder, _, _ := strings.Cut(line, " ")
		if slices.ContainsFunc(wipes, func(wipe string) bool { return strings.HasPrefix(wipe, folder+" ") }) {
			wipes = append(wipes, line)
		}
	}
	slices.Sort(wipes)
	if *update {
		libtest.Check(t, os.WriteFile("wipes.txt", []byte(strings.Join(wipes, "\n")+"\n"), 0o644))
	}
	if old := strings.Split(strings.TrimSpace(string(libtest.Must(os.ReadFile("wipes.txt")))), "\n"); !slices.Equal(wipes, old) {
		lost := slices.DeleteFunc(slices.Clone(old), func(line string) bool { return slices.Contains(wipes, line) })
		wipes = slices.DeleteFunc(wipes, func(line string) bool { return slices.Contains(old, line) })
		t.Errorf("not in wipes.txt: %q; only in wipes.txt: %q; or another number of equal lines", wipes, lost)
	}
	t.Logf("result: all %d wipes are in wipes.txt", len(wipes))
}
