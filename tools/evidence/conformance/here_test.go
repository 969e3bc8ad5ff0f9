package conformance

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

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
	"sign an event":                              {"event := hello", "event.ID"},
	"check an event's signature":                 {"event := hello; check(event.Sign(key))", "err == nil"},
	"parse an event":                             {"", "event.Content"},
	"decrypt a message (NIP-44)": {
		`c := must(nip44.New(key, otherPub.XOnly())); payload := must(c.Encrypt(nil, []byte("hello")))`, "string(message)",
	},
	"encode a public key as npub (NIP-19)":   {"pub := otherPub.XOnly()", "string(npub)"},
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
	hello    = nostr.Event{CreatedAt: 1, Kind: 1, Content: "hello"}
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
	results := make(map[string]map[string]string)
	set := func(table, task string, result string) {
		if results[table] == nil {
			results[table] = make(map[string]string)
		}
		results[table][task] = result
	}
`

// function returns Go code for a function that runs a cell in its setting, checks the cell's errors and returns the
// result as text.
func function(code string, s setting) string {
	statements := strings.Split(code, "; ")
	if s.before != "" {
		statements = slices.Concat(strings.Split(s.before, "; "), statements)
	}
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
	if s.result != "" {
		result = s.result
	}
	return b.String() + "return show(" + result + ")\n}()"
}

var cell = regexp.MustCompile("^`([^`]+)`$")

// A row of the page is a task and the code for it.
type row struct{ task, there, here string }

// rows returns the rows of a table of the page.
func rows(t *testing.T, title string) (all []row) {
	t.Helper()
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
	unused := make(map[string]bool)
	for name := range settings {
		unused[name] = true
	}
	total := 0
	for _, table := range tables {
		all := rows(t, table.title)
		if len(all) != len(there[table.name]) {
			t.Errorf("%s: %d rows here, %d there", table.name, len(all), len(there[table.name]))
		}
		for _, r := range all {
			name := table.name + ": " + r.task
			if _, ok := settings[name]; !ok {
				name = r.task
			}
			delete(unused, name)
			fmt.Fprintf(&program, "set(%q, %q, %s)\n", table.name, r.task, function(r.here, settings[name]))
			total++
		}
	}
	program.WriteString("check(json.NewEncoder(os.Stdout).Encode(results))\n}\n")
	if len(unused) > 0 {
		t.Errorf("no rows for %v", unused)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	libtest.Check(t, os.WriteFile(file, []byte(program.String()), 0o666))
	cmd := exec.CommandContext(t.Context(), "go", "run", file)
	cmd.Stderr = os.Stderr
	libtest.Check(t, json.Unmarshal(must(cmd.Output()), &here))
	for table, results := range there {
		for task, want := range results {
			if got := here[table][task]; got != want {
				t.Errorf("%s: %s: %s here, %q there", table, task, got, want)
			}
		}
	}
	t.Logf("result: %d rows", total)
}
