package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/parser"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "github.com/go-jose/go-jose/v4" // imported by the programs of the page
	_ "github.com/golang-jwt/jwt/v5"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const (
	page   = "../../../docs/migrating.md"
	peers  = "testdata/peers"
	output = peers + "/output.json"
)

// tables lists the tables of the page, with the titles of their sections, and the files of their programs.
var tables = []struct{ name, title, file string }{
	{"btcec", "## btcec v2", "btcec.go"},
	{"decred", "## decred's secp256k1 v4", "decred.go"},
	{"go-ethereum", "## go-ethereum's crypto", "ethereum.go"},
	{"go-nostr", "## go-nostr", "nostr.go"},
	{"version 1", "## Version 1 of this library", "v1.go"},
}

// TestThere runs the calls of the other libraries and the program for go-nostr on the page, with modules that CI
// downloads, and compares the output with output.json and with the page.
func TestThere(t *testing.T) {
	if os.Getenv("CI") != "true" {
		t.Skip("NOT TESTED: the names of the other libraries, which CI downloads")
	}
	if got, want := column(t, peers, 2), string(must(os.ReadFile(output))); got != want {
		t.Errorf("the other libraries print\n%s\nwhich belongs in %s if a version has changed", got, output)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	_, program, _ := strings.Cut(string(must(os.ReadFile(page))), "\n```go\npackage main\n")
	program, after, _ := strings.Cut(program, "\n```\n")
	libtest.Check(t, os.WriteFile(file, []byte("package main\n"+program), 0o666))
	if got, want := goRun(t, peers, file), strings.Split(after, "`")[1]+"\n"; got != want {
		t.Errorf("the program prints %q, want %q", got, want)
	}
}

// goRun runs Go files as a program, with the modules of a folder, and returns the output.
func goRun(t *testing.T, dir string, files ...string) string {
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run"}, files...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	if dir == peers {
		cmd.Env = append(os.Environ(), "GOWORK=off")
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
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

// column runs a program of the cells in a column of the page, with the modules of a folder: column 2 has the calls of
// the other libraries, and column 3 has the calls of this library. The program consists of main.go and of a file for
// each of the other libraries, or for this one. Each cell becomes a function in this file, whose comment says what
// stands before and after some of the cells.
func column(t *testing.T, dir string, number int) string {
	tmp, added := t.TempDir(), map[string]string{peers + "/main.go": ""}
	settings, used := make(map[string]string), make(map[string]bool)
	for _, table := range tables {
		file := choose(dir == peers, peers+"/"+table.file, "testdata/here.go")
		for _, m := range regexp.MustCompile(`(?m)^//\t(.+?): (.*)$`).FindAllStringSubmatch(string(must(os.ReadFile(file))), -1) {
			settings[file+": "+m[1]] = m[2]
		}
		added[file] += fmt.Sprintf("\nfunc init() {\nresults[%q] = map[string]string{\n", table.name)
		for _, cells := range rows(t, table.title) {
			name := file + ": " + table.name + ", " + cells[1]
			if _, ok := settings[name]; !ok {
				name = file + ": " + cells[1]
			}
			used[name] = true
			code := strings.Replace(cmp.Or(settings[name], "…"), "…", cells[number], 1)
			added[file] += fmt.Sprintf("%q: %s,\n", cells[1], function(code))
		}
		added[file] += "}\n}\n"
	}
	for name := range settings {
		if !used[name] {
			t.Errorf("there is no row for %s", name)
		}
	}
	var files []string
	for _, file := range slices.Sorted(maps.Keys(added)) { // the order in which variables without dependencies are set
		name := filepath.Join(tmp, filepath.Base(file))
		libtest.Check(t, os.WriteFile(name, append(must(os.ReadFile(file)), added[file]...), 0o666))
		files = append(files, name)
	}
	return goRun(t, dir, files...)
}

// function returns a call of a function that runs statements and checks their errors. It returns, as text, the last
// value, or the variables that were set last.
func function(code string) string {
	statements := strings.Split(code, "; ")
	text, result := "func() string {\n", ""
	for i, statement := range statements {
		if _, err := parser.ParseExpr(statement); err == nil && i == len(statements)-1 {
			result = statement
			break
		}
		text += statement + "\n"
		left, _, isDefinition := strings.Cut(statement, " := ")
		if !isDefinition {
			continue
		}
		var variables []string
		for v := range strings.SplitSeq(left, ", ") {
			switch v {
			case "err":
				text += "check(err)\n"
			case "_":
			default:
				text += "_ = " + v + "\n" // cells need not use every variable that they set
				variables = append(variables, v)
			}
		}
		result = strings.Join(variables, ", ")
	}
	return text + "return show(" + result + ")\n}()"
}

// rows returns the rows of a table of the page: the whole row, the task, and the code for it in both columns.
func rows(t *testing.T, title string) (all [][]string) {
	_, section, _ := strings.Cut(string(must(os.ReadFile(page))), "\n"+title+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, line := range regexp.MustCompile(`(?m)^\| [^|].*$`).FindAllString(section, -1) {
		cells := regexp.MustCompile("^\\| (.*) \\| `([^`]+)` \\| `([^`]+)` \\|$").FindStringSubmatch(line)
		if cells == nil {
			t.Fatalf("a cell of %s is not code", line)
		}
		all = append(all, cells)
	}
	return all
}

// TestHere runs the cells in this library's column. Each cell must return the same result as the other library's cell
// in the same row.
func TestHere(t *testing.T) {
	var there, here map[string]map[string]string
	libtest.Check(t, json.Unmarshal(must(os.ReadFile(output)), &there))
	libtest.Check(t, json.Unmarshal([]byte(column(t, ".", 3)), &here))
	total, report := 0, newReport(t)
	for _, table := range tables {
		report.same("number of rows of "+table.name, len(here[table.name]), len(there[table.name]))
		total += len(here[table.name])
		for task, want := range there[table.name] {
			report.same(table.name+": "+task, here[table.name][task], want)
		}
	}
	t.Logf("result: %d rows", total)
}

// TestJWT compiles and runs the programs of docs/jwt.md.
func TestJWT(t *testing.T) {
	page := must(os.ReadFile(filepath.Join("..", "..", "..", "docs", "jwt.md")))
	want := []string{"alice true <nil>\n", "alice <nil>\n"}
	programs := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(programs) != len(want) {
		t.Fatalf("%d programs, want %d", len(programs), len(want))
	}
	for i, program := range programs {
		file := filepath.Join(t.TempDir(), "main.go")
		libtest.Check(t, os.WriteFile(file, program[1], 0o666))
		if out := goRun(t, ".", file); out != want[i] {
			t.Errorf("program %d prints %s", i, out)
		}
	}
}
