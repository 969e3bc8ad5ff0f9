package rules

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports checks that packages import only from lower layers, for all platforms: it reads the import declarations
// of every file of the module, whatever its build constraints.
func TestImports(t *testing.T) {
	const module = "p256k1.mleku.dev/v2"
	// A package may import the packages of earlier layers in this list. However, the packages after curve may not
	// import the arithmetic packages, which come before curve.
	layers := [][]string{
		{"internal/platform", "internal/params", "internal/parts"},
		{"internal/modinv", "hmacsha256", "secret"},
		{"internal/field", "internal/scalar", "rfc6979"},
		{"internal/group", "internal/recode"},
		{"internal/tables"},
		{"internal/lanes"},
		{"internal/ecmult"},
		{"internal/batch"},
		{"internal/opaque"},
		{"curve"},
		{"internal/schemes/verify", "internal/schemes/swift", "internal/schemes/hextext", "internal/schemes/pool"},
		{"."},
		{"ecdsa", "schnorr", "ecdh"},
		{"signer", "keyformat", "ellswift"},
		{"compat/decred"},
		{"compat/decred/ecdsa"},
	}
	// These packages come after curve, but access the values inside its types on behalf of the schemes.
	inside := []string{"internal/schemes/verify", "internal/schemes/swift"}
	// These packages have the types of other libraries. No package of the module outside compat imports them, because
	// they are a second interface to the arithmetic and use big.Int.
	foreign := []string{"compat/decred"}
	// These packages use public packages and a few internal packages, but no arithmetic packages.
	schemes := []string{"ecdsa", "schnorr", "ecdh", "signer", "keyformat", "ellswift"}
	rooms := []string{"internal/schemes/verify", "internal/schemes/swift", "internal/schemes/hextext", "internal/schemes/pool", "internal/parts"}
	arithmetic := []string{"internal/modinv", "internal/field", "internal/scalar", "internal/group", "internal/recode", "internal/tables", "internal/lanes",
		"internal/ecmult", "internal/batch", "internal/opaque"}
	// These packages import no package of the module, and are imported only by tests.
	forTests := []string{"internal/oracle", "internal/vectors", "internal/asmtest", "internal/asmtest/mxcsr"}
	tests := []string{"internal/rules", "internal/libtest", "internal/libtest/counts", "internal/libtest/aliases"} // import the packages that they test
	outside := []string{"golang.org/x/sys/cpu"}

	layer := make(map[string]int)
	for i, packages := range layers {
		for _, p := range packages {
			layer[p] = i
		}
	}
	seen := make(map[string]bool)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if path != "." && (err == nil || d.Name() == "testdata" || d.Name()[0] == '.' || d.Name()[0] == '_') {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, test := filepath.ToSlash(filepath.Dir(path)), strings.HasSuffix(path, "_test.go")
		seen[dir] = true
		own, known := layer[dir]
		if slices.Contains(tests, dir) {
			return nil
		}
		if !known && !slices.Contains(forTests, dir) {
			t.Errorf("%s: say in this test to which layer %s belongs", path, dir)
			return nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			rest, ours := strings.CutPrefix(imported+"/", module+"/")
			if rest = strings.TrimSuffix(rest, "/"); rest == "" {
				rest = "."
			}
			first, _, _ := strings.Cut(imported, "/")
			switch {
			case !ours:
				if imported == "C" || (strings.Contains(first, ".") && !slices.Contains(outside, imported)) {
					t.Errorf("%s imports %s: the library depends on the standard library and %v", path, imported, outside)
				}
				if imported == "math/big" && !test && dir != "internal/oracle" && !slices.Contains(foreign, dir) {
					t.Errorf("%s imports math/big, which is neither constant-time nor free of allocations", path)
				}
			case test:
			case !known:
				t.Errorf("%s imports %s, but a second implementation must share no code with the first", path, imported)
			case slices.Contains(forTests, rest), slices.Contains(tests, rest):
				t.Errorf("%s imports %s, which is for tests", path, imported)
			case slices.Contains(schemes, dir) && strings.HasPrefix(rest, "internal/") && !slices.Contains(rooms, rest):
				t.Errorf("%s imports %s, but schemes import only public packages and %v", path, imported, rooms)
			case strings.HasPrefix(rest, "compat/") && !strings.HasPrefix(dir, "compat/"):
				t.Errorf("%s imports %s, but the library must not import it", path, imported)
			case own > layer["curve"] && slices.Contains(arithmetic, rest) && !slices.Contains(foreign, dir) && !slices.Contains(inside, dir):
				t.Errorf("%s imports %s, but packages after curve must use curve", path, imported)
			default:
				if to, ok := layer[rest]; !ok || to >= own {
					t.Errorf("%s imports %s, which is not in a layer below", path, imported)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range layer {
		if !seen[dir] {
			t.Errorf("there is no package %s", dir)
		}
	}
}
