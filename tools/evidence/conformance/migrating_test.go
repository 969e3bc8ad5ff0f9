package conformance

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const (
	page   = "../../../docs/migrating.md"
	peers  = "testdata/peers"
	output = peers + "/output.json"
)

// tables lists the tables of the page, with the titles of their sections, and the files that have their code.
var tables = []struct{ name, title, file string }{
	{"btcec", "## btcec v2", "btcec.go"},
	{"decred", "## decred's secp256k1 v4", "decred.go"},
	{"go-ethereum", "## go-ethereum's crypto", "ethereum.go"},
	{"go-nostr", "## go-nostr", "nostr.go"},
	{"version 1", "## Version 1 of this library", "v1.go"},
}

// TestThere runs the calls of the other libraries, which CI downloads, and compares the output with output.json.
func TestThere(t *testing.T) {
	if os.Getenv("CI") != "true" {
		t.Skip("NOT TESTED: the names of the other libraries, which CI downloads")
	}
	want := must(os.ReadFile(output))
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir = peers
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = os.Stderr
	got, err := cmd.Output()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: the other libraries print\n%s\nwhich differs from %s; "+
			"if a version has changed, run (cd %s && GOWORK=off go run . >output.json)", err, got, output, peers)
	}
}

// code returns the source of the rows in a file, by task: the lines of each function, joined by "; ".
func code(file string) map[string]string {
	fset := token.NewFileSet()
	text := must(os.ReadFile(file))
	parsed := must(parser.ParseFile(fset, file, text, 0))
	all := make(map[string]string)
	ast.Inspect(parsed, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok || len(literal.Elts) != 2 {
			return true
		}
		task, isTask := literal.Elts[0].(*ast.BasicLit)
		do, isFunc := literal.Elts[1].(*ast.FuncLit)
		if !isTask || !isFunc {
			return true
		}
		source := text[fset.Position(do.Body.Lbrace).Offset+1 : fset.Position(do.Body.Rbrace).Offset]
		var lines []string
		for line := range strings.Lines(string(source)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "check(") {
				lines = append(lines, strings.TrimPrefix(line, "return "))
			}
		}
		all[must(strconv.Unquote(task.Value))] = strings.Join(lines, "; ")
		return false
	})
	return all
}

// TestPage compares the columns of the other libraries with the code in the program peers.
func TestPage(t *testing.T) {
	for _, table := range tables {
		runs := code(filepath.Join(peers, table.file))
		for _, r := range rows(t, table.title) {
			if !strings.Contains("; "+runs[r.task]+";", "; "+r.there+";") {
				t.Errorf("%s: %s: the page has\n\t%s\nbut peers runs\n\t%s", table.name, r.task, r.there, cmp.Or(runs[r.task], "nothing"))
			}
		}
	}
}

// TestVersions compares the versions on the page with the versions in peers/go.mod, and these with the versions in
// tools/go.mod.
func TestVersions(t *testing.T) {
	b, mod, compared := must(os.ReadFile(page)), must(os.ReadFile(peers+"/go.mod")), must(os.ReadFile("../../go.mod"))
	for name, path := range map[string]string{
		"btcec":       "github.com/btcsuite/btcd/btcec/v2",
		"btcd":        "github.com/btcsuite/btcd",
		"decred":      "github.com/decred/dcrd/dcrec/secp256k1/v4",
		"go-ethereum": "github.com/ethereum/go-ethereum",
		"go-nostr":    "github.com/nbd-wtf/go-nostr",
	} {
		required := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(path) + ` v(\S+)`)
		m := required.FindSubmatch(mod)
		if m == nil {
			t.Errorf("%s/go.mod does not require %s", peers, path)
			continue
		}
		if says := name + " " + string(m[1]); !bytes.Contains(b, []byte(says)) {
			t.Errorf("the page does not say %q", says)
		}
		if c := required.FindSubmatch(compared); c != nil && !bytes.Equal(c[1], m[1]) {
			t.Errorf("%s is %s in peers and %s in tools", name, m[1], c[1])
		}
	}
}
