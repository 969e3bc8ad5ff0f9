package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// ownChecks has the functions of compat that verify what they return, and a test in the same folder that makes the
// result wrong. Package faults tests such functions of the library.
var ownChecks = map[string]string{
	"compat/btcec/v2/schnorr/sign.go:sign":                 "schnorr_test.go TestChecked",
	"compat/btcec/v2/schnorr/musig2/sign.go:sign":          "checked_test.go TestChecked",
	"compat/btcec/v2/schnorr/musig2/context.go:CombineSig": "checked_test.go TestChecked",
}

var verdicts = regexp.MustCompile(`(?i)verif|^valid`) // names of functions that give a verdict

// TestOwnChecks fails for a function of compat that calls a function that verifies, unless it gives the verdict to its
// caller, or ownChecks has its test.
func TestOwnChecks(t *testing.T) {
	var found []string
	for _, name := range tree(t) {
		if !strings.HasPrefix(name, "compat/") || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, d := range libtest.Must(parser.ParseFile(token.NewFileSet(), name, read(t, name), 0)).Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && !verdicts.MatchString(f.Name.Name) && slices.ContainsFunc(nodes(f), verifies) {
				found = append(found, name+":"+f.Name.Name)
			}
		}
	}
	for _, f := range found {
		file, test, _ := strings.Cut(ownChecks[f], " ")
		if file == "" {
			t.Errorf("%s checks something; which test makes it wrong?", f)
		} else if !strings.Contains(read(t, path.Join(path.Dir(f), file)), "\nfunc "+test+"(") {
			t.Errorf("%s: no %s in %s", f, test, file)
		}
	}
	for f := range ownChecks {
		if !slices.Contains(found, f) {
			t.Errorf("%s checks nothing", f)
		}
	}
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

// checkedCalls has the functions of the library that pass Checked: true, so that what leaves is verified.
var checkedCalls = map[string]int{
	"protocols/frost/ecdh.go":            1,
	"protocols/silentpayments/shares.go": 1,
}

// TestCheckedCalls compares the calls with Checked: true with checkedCalls.
func TestCheckedCalls(t *testing.T) {
	found := map[string]int{}
	for _, name := range tree(t) {
		top, _, _ := strings.Cut(name, "/")
		if path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !slices.Contains([]string{"tools", "cmd", "scale"}, top) {
			if n := strings.Count(read(t, name), "Checked: true"); n > 0 {
				found[name] = n
			}
		}
	}
	if !maps.Equal(found, checkedCalls) {
		t.Errorf("calls with Checked: true: %v, want %v", found, checkedCalls)
	}
}
