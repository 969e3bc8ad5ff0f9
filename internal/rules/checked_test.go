package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// unseen has the checks that no test needs. The first two hash 256 times, and half of the hashes, or all but one in
// 2¹²⁷, have a result. If the last two let the nonce 0 through, Verify refuses the pre-signature, as tests of faults
// show.
var unseen = []string{
	"protocols/cashu/cashu.go hashToCurve", "protocols/cashu/dleq.go setNonce",
	"protocols/adaptor/ecdsa.go drawNonce", "protocols/adaptor/schnorr.go preSignSchnorr",
}

var (
	verdicts = regexp.MustCompile(`(?i)verif|^valid`)      // names of functions that give a verdict
	makers   = regexp.MustCompile(`(?i)^sign|^combinesig`) // names of functions that return signatures
)

// lists has the planted errors that leave checks out.
var lists = []string{"tools/evidence/planted/checks.txt", "tools/evidence/faults/testdata/planted.txt"}

// TestOwnChecks fails for a function that checks its own result before it leaves, unless planted errors leave each
// check out. Such a function returns ErrFault, calls another one with Checked: true, or calls a function that verifies
// and makes signatures, or is in compat and gives no verdict itself.
func TestOwnChecks(t *testing.T) {
	planted, found := make(map[string]int), 0
	for _, list := range lists {
		for line := range strings.Lines(read(t, list)) {
			planted[strings.TrimSpace(line)]++
		}
	}
	for _, name := range tree(t) {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "tools/") {
			continue
		}
		for _, d := range libtest.Must(parser.ParseFile(token.NewFileSet(), name, read(t, name), 0)).Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name == "errFault" {
				continue
			}
			checks, where := count(f, faulty), name+" "+fullName(f)
			own := makers.MatchString(f.Name.Name) || (strings.HasPrefix(name, "compat/") && !verdicts.MatchString(f.Name.Name))
			if checks == 0 && own {
				checks = count(f, verifies)
			}
			found += checks
			if planted[where] < checks && !slices.Contains(unseen, where) {
				t.Errorf("%s checks its result %d times; %d errors in %v leave a check out", where, checks, planted[where], lists)
			}
		}
	}
	if found < 25 {
		t.Errorf("only %d checks", found)
	}
}

func count(f *ast.FuncDecl, has func(ast.Node) bool) (n int) {
	for _, node := range nodes(f) {
		if has(node) {
			n++
		}
	}
	return n
}

// faulty reports whether n is the error for a wrong result, or asks for a check.
func faulty(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name == "ErrFault" || n.Name == "errFault"
	case *ast.KeyValueExpr:
		key, ok1 := n.Key.(*ast.Ident)
		value, ok2 := n.Value.(*ast.Ident)
		return ok1 && ok2 && key.Name == "Checked" && value.Name == "true"
	}
	return false
}

func verifies(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return verdicts.MatchString(f.Name)
	case *ast.SelectorExpr:
		return verdicts.MatchString(f.Sel.Name)
	}
	return false
}
