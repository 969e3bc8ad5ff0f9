package aliases

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const root = "../../.."

// modules lists the modules, with the functions that say that they keep or hand out slices, or change them in place.
var modules = []struct {
	folder, path string
	left         string // a pattern of the folders whose functions are left out
	test         string // the arguments of "go test", in folder
	shares       string
}{
	// Opener.Open decrypts in place, and the results of the others are valid until the next call, or parts of a line.
	{".", "p256k1.mleku.dev/v2", `^(internal|tools|cmd|compat|scale|docs|ethereum/geth)(/|$)`, "-run=^TestEveryOperation$ ./tools/evidence/operations",
		`^(bip324\.Opener\.Open|nostr\.Reader\.Next|wire\.Reader\.(Line|Object|Text))$`},
	// As in libsecp256k1, keys are changed in place. Zero wipes the bytes that Sec and KeyPairBytes return.
	{"compat/v1", "p256k1.mleku.dev", `^$`, tests, `^p256k1\.ECSeckey(Negate|Tweak\w+)$|^p256k1\.KeyPair\.Seckey$|^signer\.P256K1(Signer\.Sec|Gen\.KeyPairBytes)$`},
	// As in btcec, keys are sorted in place, and options keep what they get.
	{"compat/btcec/v2", "github.com/btcsuite/btcd/btcec/v2", `^$`, tests, `^musig2\.(AggregateKeys|Sign|PartialSignature\.Verify|With\w+)$`},
	{"compat/erigon", "github.com/erigontech/secp256k1", `^$`, tests, `^$`},
	{"compat/decred/v4", "github.com/decred/dcrd/dcrec/secp256k1/v4", `^$`, tests, `^$`},
}

// tests leaves out those that look at memory: allocations, capacities, and results in the caller's memory.
const tests = "-short -skip=^Test(Allocs|Memory) ./..."

// target matches functions with the name of their first slice, if it is the memory for results, or the function appends
// to it.
var target = regexp.MustCompile(`^curve\.\w+Batch(Vartime)? p$|^curve\.InvertBatch dst$|\.Append\w+ \w+$| (buf|dst|out|out32|output)$|\.(SchnorrSign|SignRaw) sig64$|^(nip19\.Decode|p256k1\.ECDSASignCompact|rfc6979\.Generator\.Next) \w+$|\.Read \w+$`)

// fills has the functions that write their result to the beginning of a slice, instead of appending it.
var fills = map[string]bool{"bip324.Conn.ReadMessage": true, "bip324.Conn.ReadPacket": true, "p256k1.SHA256.Sum": true, "wire.Reader.HexUpTo": true}

// TestAliases compiles Enter and Leave into all exported functions, and runs the tests that call all of them.
func TestAliases(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it builds the library again")
	}
	for _, module := range modules {
		overlay, functions := rewrite(t, module.folder, module.path, regexp.MustCompile(module.left), regexp.MustCompile(module.shares))
		command := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off", "-overlay=" + overlay}, strings.Fields(module.test)...)...)
		command.Dir = filepath.Join(root, module.folder)
		if module.folder != "." {
			command.Env = append(os.Environ(), "GOWORK=off")
		}
		output, err := command.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %v\n%s", module.path, command.Args, err, output)
		}
		t.Logf("result: %d exported functions of %s keep no slice and hand none out", functions, module.path)
	}
}

// rewrite writes the files of a module with Enter and Leave in exported functions, and returns the name of the file for
// -overlay and the number of the functions.
func rewrite(t *testing.T, folder, module string, left, shares *regexp.Regexp) (overlay string, functions int) {
	base, written := libtest.Must(filepath.Abs(filepath.Join(root, folder))), t.TempDir()
	replaced := make(map[string]string)
	put := func(file, text string) {
		replaced[file] = filepath.Join(written, fmt.Sprint(len(replaced), ".go"))
		libtest.Check(t, os.WriteFile(replaced[file], []byte(text), 0o600))
	}
	put(filepath.Join(base, "internal/aliases/aliases.go"), string(libtest.Must(os.ReadFile("aliases.go"))))
	libtest.Check(t, filepath.WalkDir(base, func(file string, entry os.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(base)+"/")
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (left.MatchString(name) || strings.Contains(name, "internal") || entry.Name() == "testdata" || entry.Name()[0] == '.'):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text := string(libtest.Must(os.ReadFile(file)))
		if changed, n := instrument(text, module, shares); n > 0 {
			put(file, changed)
			functions += n
		}
		return nil
	}))
	overlay = filepath.Join(written, "overlay.json")
	libtest.Check(t, os.WriteFile(overlay, libtest.Must(json.Marshal(map[string]any{"Replace": replaced})), 0o600))
	return overlay, functions
}

// instrument inserts Enter and Leave into the exported functions of a file, without new lines.
func instrument(text, module string, shares *regexp.Regexp) (changed string, functions int) {
	file := libtest.Must(parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution))
	source := func(n ast.Node) string { return text[n.Pos()-1 : n.End()-1] }
	inserted := make(map[token.Pos]string)
	for _, declared := range file.Decls {
		f, ok := declared.(*ast.FuncDecl)
		if !ok || !f.Name.IsExported() || f.Body == nil || f.Type.TypeParams != nil {
			continue
		}
		name := file.Name.Name + "."
		if f.Recv != nil {
			name += strings.Trim(source(f.Recv.List[0].Type), "*") + "."
		}
		name += f.Name.Name
		if shares.MatchString(name) || (file.Name.Name == "curve" && !strings.Contains(source(f.Type), "[]")) { // curve is fast
			continue
		}
		functions++
		call := fmt.Sprintf("aliases.Enter(%q", name)
		var to *ast.Field // the memory for results
		before := false   // whether there is a slice before
		for _, field := range f.Type.Params.List {
			for _, id := range field.Names {
				if !before && target.MatchString(name+" "+id.Name) {
					to = &ast.Field{Names: []*ast.Ident{id}, Type: field.Type}
				} else if id.Name != "_" {
					call += ", &" + id.Name
				}
				before = before || strings.HasPrefix(source(field.Type), "[]")
			}
		}
		call += ")"
		var results []string
		if list := f.Type.Results; list != nil {
			for i, field := range list.List {
				names := []string{fmt.Sprint("result", i)}
				if field.Names == nil {
					inserted[field.Type.Pos()] = names[0] + " "
				} else {
					names = nil
				}
				for _, id := range field.Names {
					names = append(names, id.Name)
				}
				for _, result := range names {
					results = append(results, "&"+result)
					if to != nil && source(to.Type) == source(field.Type) && !fills[name] {
						call += fmt.Sprintf(".Append(&%s, &%s)", to.Names[0].Name, result)
					}
				}
			}
			if !list.Opening.IsValid() {
				inserted[list.Pos()] = "(" + inserted[list.Pos()]
				inserted[list.End()] = ")"
			}
		}
		inserted[f.Body.Lbrace+1] = fmt.Sprintf("defer %s.Leave(%s);", call, strings.Join(results, ", "))
	}
	if functions > 0 {
		inserted[file.Name.End()] = fmt.Sprintf("; import %q", module+"/internal/aliases")
	}
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(inserted[token.Pos(i+1)])
		b.WriteByte(text[i])
	}
	return b.String(), functions
}
