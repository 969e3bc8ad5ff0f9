package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// readers has the tests that give functions their input in pieces, and the functions, which read, or have a parameter
// or result of the type io.Reader.
var readers = map[string]string{
	"compat/btcec/v2/schnorr/musig2/closed_test.go TestRandomnessReadWhole": "nonces.go:WithCustomRand nonces.go:GenNonces sign.go:Decode",

	"draws_test.go TestDraws":                         "compat/decred/keys.go:GeneratePrivateKeyFromRand",
	"ecdsa/signer_test.go testSigner":                 "signer.go:Sign",
	"nostr/reader_test.go TestReader":                 "reader.go:NewReader reader.go:read",
	"protocols/bip324/conn_test.go TestMemory":        "conn.go:readFull",
	"protocols/bip324/conn_test.go TestProxy":         "conn.go:connect conn.go:read",
	"schnorr/signer_test.go testSigner":               "signer.go:Sign signer.go:SignMessage signer.go:sign",
	"cmd/p256k1/internal/cli/key_test.go TestReaders": "secret.go:readFull secret.go:readLine digest.go:read bar.go:expect bar.go:Read verify.go:inputs verify.go:unclosed",

	"cmd/p256k1/internal/bulk/csv_test.go TestHeader":        "verify.go:Header",
	"cmd/p256k1/internal/bulk/splitter_test.go TestSplitter": "pipeline.go:file pipeline.go:Read splitter.go:isSteady splitter.go:newSplitter splitter.go:read splitter.go:readAhead",
	"cmd/p256k1/internal/unpack/unpack_test.go TestReader":   "unpack.go:IsText unpack.go:NewReader unpack.go:Read unpack.go:openZstd",
}

// streams has functions that read from generators of bytes, which never return less than is asked for, and functions
// that only call one of readers.
var streams = strings.Fields(`
	internal/schemes/verify/schnorr.go:setWeights cmd/p256k1/internal/sample/sample.go:bytes cmd/p256k1/internal/sample/sample.go:row
	cmd/p256k1/internal/sample/sample.go:Write ethereum/keccak.go:finish ethereum/keccak.go:newHasher
	cmd/p256k1/verify/verify.go:Header cmd/p256k1/verify/verify.go:IsText compat/decred/v4/secp256k1.go:GeneratePrivateKeyFromRand
`)

// reads reports whether n names the type io.Reader or a function that reads, except rand.Read.
func reads(n ast.Node) bool {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg := ""
	if id, ok := s.X.(*ast.Ident); ok {
		pkg = id.Name
	}
	switch pkg {
	case "io":
		return strings.HasPrefix(s.Sel.Name, "Read") || strings.HasPrefix(s.Sel.Name, "Copy")
	case "bufio":
		return strings.HasPrefix(s.Sel.Name, "New")
	}
	return s.Sel.Name == "Read" && pkg != "rand"
}

// TestReaders fails for a function that reads, unless a test gives the function its input in pieces: byte by byte, by
// halves, and with the end.
func TestReaders(t *testing.T) {
	found, want := []string{}, slices.Clone(streams)
	for _, name := range tree(t) {
		helper := strings.HasPrefix(name, "internal/libtest/") || strings.HasPrefix(name, "internal/vectors/")
		tool := strings.HasPrefix(name, "tools/") || strings.HasPrefix(name, "scale/")
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata/") || helper || tool {
			continue
		}
		for _, d := range libtest.Must(parser.ParseFile(token.NewFileSet(), name, read(t, name), 0)).Decls {
			if f, ok := d.(*ast.FuncDecl); ok && slices.ContainsFunc(nodes(f), reads) {
				found = append(found, name+":"+f.Name.Name)
			}
		}
	}
	for test, functions := range readers {
		file, name, _ := strings.Cut(test, " ")
		for _, d := range libtest.Must(parser.ParseFile(token.NewFileSet(), file, read(t, file), 0)).Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name && slices.ContainsFunc(nodes(f), piecewise) {
				test = ""
			}
		}
		if test != "" {
			t.Errorf("%s gives nothing in pieces", test)
		}
		for _, f := range strings.Fields(functions) {
			if !strings.Contains(f, "/") {
				f = path.Dir(file) + "/" + f
			}
			want = append(want, f)
		}
	}
	slices.Sort(found)
	slices.Sort(want)
	if found = slices.Compact(found); !slices.Equal(found, want) {
		t.Errorf("these functions read:\n%s\nand these are in lists:\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}

func nodes(f *ast.FuncDecl) (all []ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool { all = append(all, n); return true })
	return all
}

// piecewise reports whether n makes readers that return their data in pieces. A proxy in package bip324 does so.
func piecewise(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return n.Sel.Name == "Readers" || n.Sel.Name == "OneByteReader"
	case *ast.CompositeLit:
		id, ok := n.Type.(*ast.Ident)
		return ok && id.Name == "proxy"
	}
	return false
}
