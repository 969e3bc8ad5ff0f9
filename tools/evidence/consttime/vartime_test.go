package consttime

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	// These imports run this test again after a change in the library: the go command's cache does not see files of
	// other modules that a test reads.
	_ "p256k1.mleku.dev/v2/compat/decred/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	_ "p256k1.mleku.dev/v2/tools/evidence/operations"
)

const root = "../../.."

// TestNoSecretReachesVartime checks that each function that leads to a function with Vartime in its name has Vartime in
// its own name, or is excused by reviewed.txt.
func TestNoSecretReachesVartime(t *testing.T) {
	used, found := map[string]bool{}, 0
	for module := range modules {
		paths := libtest.Must(leadsToVartime(module, nil, used))
		for _, path := range paths {
			t.Errorf("%s reaches %s: %s", path[0], path[len(path)-1], strings.Join(path, " → "))
		}
		found += len(paths)
	}
	for name := range vartime {
		if !used[name] {
			t.Errorf("reviewed.txt: %s reaches no variable-time function", name)
		}
	}
	t.Logf("result: %d functions reach a variable-time function without Vartime in their names; %d take public values and are on the reviewed list", found, len(vartime))
}

// TestModules checks that leadsToVartime loads every module of the repository except the tools, scale and
// ethereum/geth. No file of scale and of ethereum/geth may name a Vartime function.
func TestModules(t *testing.T) {
	notLoaded, read := regexp.MustCompile(`^(scale|ethereum/geth)(/|$)`), 0
	files := os.DirFS(root)
	libtest.Check(t, fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		dir := path.Dir(name)
		switch {
		case err != nil:
		case d.IsDir() && slices.Contains(strings.Fields("testdata tools node_modules .git"), d.Name()):
			return filepath.SkipDir
		case notLoaded.MatchString(dir) && path.Ext(name) == ".go":
			read++
			if bytes.Contains(libtest.Must(fs.ReadFile(files, name)), []byte("Vartime")) {
				t.Errorf("%s names a Vartime function, but leadsToVartime does not load this file", name)
			}
		case d.Name() == "go.mod" && !notLoaded.MatchString(dir) && modules[dir] == nil &&
			!slices.Contains(modules["."], "./"+dir+"/..."):
			t.Errorf("the module in %s is not checked", dir)
		}
		return err
	}))
	if read < 10 {
		t.Errorf("only %d files of scale and ethereum/geth were found", read)
	}
}

// TestVartimePlanted shows that leadsToVartime works. Each text adds a function that reaches a variable-time function
// to a package that handles secrets.
func TestVartimePlanted(t *testing.T) {
	const direct = "import \"p256k1.mleku.dev/v2/curve\"\n\nfunc planted(d *curve.Scalar) { d.InvertVartime(d) }\n"
	overlays, want := map[string]map[string][]byte{}, map[string][]string{}
	for _, p := range []struct{ module, folder, pkg, text string }{
		{".", "ecdh", "ecdh", direct},
		{".", "cmd/p256k1", "main", direct},
		{"compat/btcec/v2", "schnorr/musig2", "musig2", direct},
		{"compat/decred/v4", "schnorr", "schnorr", `
import secp256k1 "p256k1.mleku.dev/v2/compat/decred"

func planted(d *secp256k1.ModNScalar) { secp256k1.InverseVartime(d, d) }
`},
		{".", "ecdsa", "ecdsa", `
import "p256k1.mleku.dev/v2/curve"

// By a function value.
func planted(d *curve.Scalar) { f := d.InvertVartime; f(d) }
`},
		{".", "schnorr", "schnorr", `
import "p256k1.mleku.dev/v2/curve"

func helper(d *curve.Scalar) { d.InvertVartime(d) }

// Through a closure and a helper.
func planted(d *curve.Scalar) { func() { helper(d) }() }
`},
		{".", "internal/lanes", "lanes", `
// A routine in assembly.
func planted(r *Element) { mulVartime(r, r, r) }
`},
		{".", "curve", "curve", `
type inverter interface{ inverted() }

func (s *Scalar) inverted() { s.InvertVartime(s) }

// By an interface.
func planted(i inverter) { i.inverted() }
`},
	} {
		file := libtest.Must(filepath.Abs(filepath.Join(root, p.module, p.folder, "planted.go")))
		if overlays[p.module] == nil {
			overlays[p.module] = map[string][]byte{}
		}
		overlays[p.module][file] = []byte("package " + p.pkg + "\n" + p.text)
		want[p.module] = append(want[p.module], "/"+strings.TrimPrefix(p.folder, "cmd/")+".planted")
	}
	for module, overlay := range overlays {
		paths := libtest.Must(leadsToVartime(module, overlay, map[string]bool{}))
		for _, name := range want[module] {
			if !slices.ContainsFunc(paths, func(path []string) bool { return strings.HasSuffix(path[0], name) }) {
				t.Errorf("%s was not found in %v", name, paths)
			}
		}
	}
}
