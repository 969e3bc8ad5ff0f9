// Package migrating holds docs/migrating.md to what it says: all its code is compiled and run, and returns the same here as
// there. After a change of the page alone it wants -count=1, since the go command's cache does not look at other modules.
package migrating

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A row of a table: what is to be done, and how with this library. The program peers has the same rows for the others.
type row struct {
	task string
	do   func(t *testing.T) any // bytes, or a bool or text
}

// What all rows start from, as in the program peers.
var (
	secret  = bytes.Repeat([]byte{0x0a}, 32)
	other   = bytes.Repeat([]byte{0x0b}, 32) // a second key
	tweak   = bytes.Repeat([]byte{0x0c}, 32)
	root    = tweak // of a tree of scripts
	aux     = [32]byte(bytes.Repeat([]byte{0x0d}, 32))
	message = []byte("hello")
	hash    = sha256.Sum256(message)
	digest  = hash[:]
)

const (
	page   = "../../../docs/migrating.md"
	peers  = "testdata/peers"
	output = peers + "/output.json"
)

// The files with the code of each table, and the titles of their sections.
var tables = []struct{ name, title, file string }{
	{"btcec", "## btcec v2", "btcec.go"},
	{"decred", "## decred's secp256k1 v4", "decred.go"},
	{"go-ethereum", "## go-ethereum's crypto", "ethereum.go"},
	{"go-nostr", "## go-nostr", "nostr.go"},
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func show(result any) string {
	if b, ok := result.([]byte); ok {
		return hex.EncodeToString(b)
	}
	return fmt.Sprint(result)
}

// TestHere runs the code of the columns "here": it returns what the others printed.
func TestHere(t *testing.T) {
	var there map[string]map[string]string
	b, err := os.ReadFile(output)
	check(t, err)
	check(t, json.Unmarshal(b, &there))
	total := 0
	for _, table := range tables {
		if len(here[table.name]) != len(there[table.name]) {
			t.Errorf("%s: %d rows here, %d there", table.name, len(here[table.name]), len(there[table.name]))
		}
		for _, r := range here[table.name] {
			t.Run(table.name+"/"+r.task, func(t *testing.T) {
				want, ok := there[table.name][r.task]
				if got := show(r.do(t)); !ok || got != want {
					t.Errorf("%s here, %q there", got, want)
				}
				total++
			})
		}
	}
	t.Logf("result: %d rows", total)
}

// TestThere runs the code of the columns "there", which needs the other libraries: CI fetches them.
func TestThere(t *testing.T) {
	if os.Getenv("CI") != "true" {
		t.Skip("NOT TESTED: whether the names of the other libraries are right; CI fetches them")
	}
	want, err := os.ReadFile(output)
	check(t, err)
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir = peers
	cmd.Env = append(os.Environ(), "GOWORK=off")
	got, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		t.Fatalf("%v\n%s", err, exit.Stderr)
	}
	check(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("the others print\n%s\nnot %s; for a new version of one of them: (cd %s && GOWORK=off go run . >output.json)", got, output, peers)
	}
}

// code returns the source of the rows in a file: of each function its lines, with "; " for line feeds, by the name of the
// variable or key that the rows belong to and by task.
func code(t *testing.T, file string) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	check(t, err)
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, 0)
	check(t, err)
	all := make(map[string]map[string]string)
	var group string
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			group = n.Names[0].Name
		case *ast.KeyValueExpr:
			if s, ok := n.Key.(*ast.BasicLit); ok {
				group = must(strconv.Unquote(s.Value))
			}
		case *ast.CompositeLit:
			if len(n.Elts) != 2 {
				return true
			}
			task, isTask := n.Elts[0].(*ast.BasicLit)
			do, isFunc := n.Elts[1].(*ast.FuncLit)
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
			if all[group] == nil {
				all[group] = make(map[string]string)
			}
			all[group][must(strconv.Unquote(task.Value))] = strings.Join(lines, "; ")
			return false
		}
		return true
	})
	return all
}

var cell = regexp.MustCompile("^`([^`]+)`$")

// TestPage compares the tables of the page with the code that the other tests run.
func TestPage(t *testing.T) {
	b, err := os.ReadFile(page)
	check(t, err)
	ours := code(t, "here_test.go")
	rows := 0
	for _, table := range tables {
		_, section, ok := strings.Cut(string(b), "\n"+table.title+"\n")
		if !ok {
			t.Fatalf("no section %q", table.title)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		theirs := code(t, filepath.Join(peers, table.file))
		if len(theirs) != 1 {
			t.Fatalf("%s has %d tables", table.file, len(theirs))
		}
		var seen []string
		for line := range strings.Lines(section) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if len(cells) != 3 || strings.HasPrefix(line, "|---") || strings.TrimSpace(cells[0]) == "" {
				continue
			}
			task := strings.TrimSpace(cells[0])
			seen = append(seen, task)
			for i, side := range []map[string]string{onlyTable(theirs), ours[table.name]} {
				m := cell.FindStringSubmatch(strings.TrimSpace(cells[i+1]))
				if m == nil {
					t.Errorf("%s: %s: %q is not code", table.name, task, cells[i+1])
				} else if !strings.Contains("; "+side[task]+";", "; "+m[1]+";") {
					t.Errorf("%s: %s: the page says\n\t%s\nand what runs is\n\t%s", table.name, task, m[1], cmp.Or(side[task], "nothing"))
				}
			}
		}
		for _, r := range here[table.name] {
			if !slices.Contains(seen, r.task) {
				t.Errorf("%s: the page does not have %q", table.name, r.task)
			}
		}
		rows += len(seen)
	}
	if rows < 20 {
		t.Errorf("%d rows are too few", rows)
	}
}

// TestVersions compares the versions that the page names with those that run, and these with the ones of the comparison.
func TestVersions(t *testing.T) {
	b, err := os.ReadFile(page)
	check(t, err)
	mod, err := os.ReadFile(peers + "/go.mod")
	check(t, err)
	compared, err := os.ReadFile("../../go.mod")
	check(t, err)
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
			t.Errorf("%s is %s here and %s in the comparison", name, m[1], c[1])
		}
	}
}

func onlyTable(all map[string]map[string]string) map[string]string {
	for _, rows := range all {
		return rows
	}
	return nil
}
