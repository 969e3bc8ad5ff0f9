package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// tables lists the tables of the page, with the titles of their sections, and the files that have their code.
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
	file := filepath.Join(t.TempDir(), "main.go")
	_, program, _ := strings.Cut(string(must(os.ReadFile(page))), "\n```go\npackage main\n")
	program, after, _ := strings.Cut(program, "\n```\n")
	libtest.Check(t, os.WriteFile(file, []byte("package main\n"+program), 0o666))
	for name, want := range map[string]string{".": string(must(os.ReadFile(output))), file: strings.Split(after, "`")[1] + "\n"} {
		cmd := exec.CommandContext(t.Context(), "go", "run", name)
		cmd.Dir = peers
		cmd.Env = append(os.Environ(), "GOWORK=off")
		cmd.Stderr = os.Stderr
		if got, err := cmd.Output(); err != nil || string(got) != want {
			t.Errorf("%v: %s prints\n%s\nwhich differs from\n%s; "+
				"if a version has changed, run (cd %s && GOWORK=off go run . >output.json)", err, name, got, want, peers)
		}
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

// setting is the context of a cell in this library's column: the code before the cell, and the result to compare.
// Without a result, the last variable that the cell sets or, if it sets none, the cell's value is compared.
type setting struct{ before, result string }

// settings are the settings of the cells that need one, by task, or by table and task where tables differ.
var settings = map[string]setting{
	"generate a key":                                 {"", "len(key.Bytes())"},
	"parse a public key":                             {"b := pub.BytesUncompressed()", ""},
	"parse a BIP-340 public key":                     {"b := pub.XOnly().Bytes()", ""},
	"encode a signature in DER":                      {"sig := signed.Signature()", ""},
	"parse a signature in DER":                       {"der := signed.Signature().DER()", ""},
	"compare two signatures":                         {"sig, other := signed.Signature(), must(ecdsa.Sign(key, digest, nil))", ""},
	"verify with ECDSA":                              {"sig := signed.Signature()", ""},
	"recover the signer of a Bitcoin message":        {"b := signed.BytesBitcoin(true)", "append(pub.Bytes(), map[bool]byte{true: 1}[compressed])"},
	"sign with BIP-340":                              {"", "schnorr.Verify(pub.XOnly(), digest, sig[:])"},
	"encode a BIP-340 signature in 64 bytes":         {"sig := must(schnorr.Sign(key, digest, &schnorr.Options{AuxRand: &aux}))", ""},
	"verify with BIP-340":                            {"sig := must(schnorr.Sign(key, digest, nil)); b, pub := sig[:], pub.XOnly()", ""},
	"derive the private key of a Taproot output key": {`tweak := schnorr.TaggedHash("TapTweak", pub.XOnly().Bytes(), root)`, ""},
	"P + Q":                                      {"p, q := pub.Point(), otherPub.Point()", ""},
	"wipe a private key":                         {"key := must(p256k1.ParsePrivateKey(secret))", "isWiped(key)"},
	"verify a signature in DER":                  {"sig := signed.Signature()", ""},
	"get r and s of a signature":                 {"sig := signed.Signature()", ""},
	"parse a public key of 65 bytes":             {"b := pub.BytesUncompressed()", ""},
	"parse a public key of 33 bytes":             {"b := pub.Bytes()", "pub.BytesUncompressed()"},
	"recover the signer":                         {"b := signed.Bytes()", "pub.BytesUncompressed()"},
	"recover the signer of a wallet's signature": {"b := signed.BytesEthereum()", "pub.BytesUncompressed()"},
	"verify a signature of 64 bytes":             {"b := signed.Signature().Bytes()", ""},
	"go-nostr: generate a key":                   {"", "len(sk) / 2"},
	"check that a text is a public key":          {"pk := otherPub.XOnly().String(); var pub p256k1.XOnlyPublicKey", ""},
	"sign an event":                              {"", "event.ID"},
	"check an event's signature":                 {"", "err == nil"},
	"parse an event":                             {"", "event.Content"},
	"decrypt a message (NIP-44)": {
		`c := must(nip44.New(key, otherPub.XOnly())); payload := must(c.Encrypt(nil, []byte("hello")))`, "string(message)",
	},
	"encode a public key as npub (NIP-19)":   {"pub := otherPub.XOnly()", ""},
	"encode a private key as nsec":           {"", "string(nsec)"},
	"decode an npub":                         {"npub := must(nip19.EncodePublicKey(otherPub.XOnly()))", ""},
	"decode an nsec":                         {"nsec := must(nip19.AppendPrivateKey(nil, key))", ""},
	"decode an nevent":                       {"nevent := must(nip19.Event{ID: event.ID}.Encode())", ""},
	"compute a shared x coordinate (NIP-04)": {"pub := otherPub.XOnly()", ""},
	"compute a conversation key (NIP-44)":    {"priv, pub := key, otherPub.XOnly()", ""},
}

// preamble begins the program that runs the cells. It has the values that all cells use, the same as in the program
// peers.
const preamble = `package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ethereum"
	"p256k1.mleku.dev/v2/nostr"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/nostr/nip44"
	"p256k1.mleku.dev/v2/schnorr"
)

var (
	secret   = bytes.Repeat([]byte{0x0a}, 32)
	tweak    = bytes.Repeat([]byte{0x0c}, 32)
	root     = tweak // the root of a tree of scripts
	aux      = [32]byte(bytes.Repeat([]byte{0x0d}, 32))
	hash     = sha256.Sum256([]byte("hello"))
	digest   = hash[:]
	key      = must(p256k1.ParsePrivateKey(secret))
	pub      = key.PublicKey()
	otherPub = must(p256k1.ParsePrivateKey(bytes.Repeat([]byte{0x0b}, 32))).PublicKey()
	signed   = must(ecdsa.SignRecoverable(key, digest, nil))
	k        = must(key.Scalar())
	relays   = []string{"wss://relay.example"}
	event    = nostr.Event{CreatedAt: 1, Kind: 1, Content: "hello"}
	_        = must(0, event.Sign(key))
	pk       = otherPub.XOnly().String()
	text     = []byte(` + "`" + `{"id":"1cab8cb4ba88efb75f28c2756650770176a5c0c92cfc08928a9d7df0bf6c005b","pubkey":"` + "` + pk + `" + `","created_at":1,"kind":1,` +
	`"tags":[],"content":"hello","sig":"` + "` + pk + pk + `" + `"}` + "`" + `)
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func isWiped(key *p256k1.PrivateKey) bool {
	_, err := ecdsa.Sign(key, digest, nil)
	return err != nil
}

func show(results ...any) (text string) {
	for _, r := range results {
		switch r := r.(type) {
		case interface{ DER() []byte }:
			text += hex.EncodeToString(r.DER())
		case interface{ Bytes() []byte }:
			text += hex.EncodeToString(r.Bytes())
		case bool, string, int:
			text += fmt.Sprint(r)
		default:
			text += fmt.Sprintf("%x", r)
		}
	}
	return text
}

func main() {
	results := map[string]map[string]string{}
`

// function returns Go code for a function that runs a cell in its setting, checks the cell's errors and returns the
// result as text.
func function(code string, s setting) string {
	statements := strings.Split(strings.TrimPrefix(s.before+"; "+code, "; "), "; ")
	var b strings.Builder
	b.WriteString("func() string {\n")
	result := ""
	for i, statement := range statements {
		if _, err := parser.ParseExpr(statement); err == nil && i == len(statements)-1 && s.result == "" {
			result = statement
			break
		}
		b.WriteString(statement + "\n")
		left, _, isDefinition := strings.Cut(statement, " := ")
		if !isDefinition {
			continue
		}
		variables := strings.Split(left, ", ")
		for _, v := range variables {
			fmt.Fprintf(&b, "_ = %s\n", v) // cells need not use every variable that they set
		}
		if i := slices.Index(variables, "err"); i >= 0 {
			b.WriteString("check(err)\n")
			variables = slices.Delete(variables, i, i+1)
		}
		result = strings.Join(variables, ", ")
	}
	return b.String() + "return show(" + cmp.Or(s.result, result) + ")\n}()"
}

var cell = regexp.MustCompile("^`([^`]+)`$")

// A row of the page is a task and the code for it.
type row struct{ task, there, here string }

// rows returns the rows of a table of the page.
func rows(t *testing.T, title string) (all []row) {
	_, section, ok := strings.Cut(string(must(os.ReadFile(page))), "\n"+title+"\n")
	if !ok {
		t.Fatalf("no section %q", title)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || strings.HasPrefix(line, "|---") || strings.TrimSpace(cells[0]) == "" {
			continue
		}
		var code [2]string
		for i := range code {
			m := cell.FindStringSubmatch(strings.TrimSpace(cells[i+1]))
			if m == nil {
				t.Fatalf("%q is not code", cells[i+1])
			}
			code[i] = m[1]
		}
		all = append(all, row{strings.TrimSpace(cells[0]), code[0], code[1]})
	}
	return all
}

// TestHere makes a program of the cells in this library's column and runs the program. Each cell must return the same
// result as the other library's cell in the same row.
func TestHere(t *testing.T) {
	var there, here map[string]map[string]string
	libtest.Check(t, json.Unmarshal(must(os.ReadFile(output)), &there))
	var program strings.Builder
	program.WriteString(preamble)
	unused := maps.Clone(settings)
	total, report := 0, newReport(t)
	for _, table := range tables {
		all := rows(t, table.title)
		report.same("number of rows of "+table.name, len(all), len(there[table.name]))
		fmt.Fprintf(&program, "results[%q] = map[string]string{}\n", table.name)
		for _, r := range all {
			name := table.name + ": " + r.task
			if _, ok := settings[name]; !ok {
				name = r.task
			}
			delete(unused, name)
			fmt.Fprintf(&program, "results[%q][%q] = %s\n", table.name, r.task, function(r.here, settings[name]))
			total++
		}
	}
	program.WriteString("check(json.NewEncoder(os.Stdout).Encode(results))\n}\n")
	report.is(len(unused) == 0, "there are rows for %v", unused)
	file := filepath.Join(t.TempDir(), "main.go")
	libtest.Check(t, os.WriteFile(file, []byte(program.String()), 0o666))
	cmd := exec.CommandContext(t.Context(), "go", "run", file)
	cmd.Stderr = os.Stderr
	libtest.Check(t, json.Unmarshal(must(cmd.Output()), &here))
	for table, results := range there {
		for task, want := range results {
			report.same(table+": "+task, here[table][task], want)
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
		if out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput(); err != nil || string(out) != want[i] {
			t.Errorf("program %d: %v\n%s", i, err, out)
		}
	}
}
