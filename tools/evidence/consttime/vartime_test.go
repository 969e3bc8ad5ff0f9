package consttime

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	// These imports run this test again after a change in the library: the go command's cache does not see files of
	// other modules that a test reads.
	_ "p256k1.mleku.dev/v2/compat/decred/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/mentions"
	_ "p256k1.mleku.dev/v2/tools/evidence/operations"
)

const root = "../../.."

// vartime has the functions that may call variable-time functions although their names do not say so, because their
// arguments are public. The search does not continue through them.
var vartime = Listed("vartime")

// A graph has the functions, variables and constants of a module by name, and what they mention.
type graph = map[string]*mentions.Node

// graphs has the graphs of all modules, by their folders. A test reads the files of scale and ethereum/geth instead.
var graphs = sync.OnceValue(func() map[string]graph { return libtest.Must(mentions.LoadModules(root, inLibrary)) })

// waysToVartime returns the next function, variable or constant on a way to a variable-time function, for each that
// leads to one by calls or other mentions. A way does not go through the functions that reviewed.txt excuses, but used
// gets those that lead to a variable-time function.
func waysToVartime(graph graph, used map[string]bool) (next map[*mentions.Node]*mentions.Node) {
	callers, next := make(map[*mentions.Node][]*mentions.Node), make(map[*mentions.Node]*mentions.Node)
	var ends []*mentions.Node
	for _, f := range graph {
		for _, g := range f.Mentions {
			callers[g] = append(callers[g], f)
		}
		if isVartime(f) {
			ends = append(ends, f)
		}
	}
	for ; len(ends) > 0; ends = ends[1:] {
		for _, f := range callers[ends[0]] {
			if vartime[f.Name] {
				used[f.Name] = true
			} else if !isVartime(f) && next[f] == nil {
				next[f], ends = ends[0], append(ends, f)
			}
		}
	}
	return next
}

// isVartime reports whether f is a function with Vartime in its name.
func isVartime(f *mentions.Node) bool {
	return f.Function && strings.Contains(f.Name[strings.LastIndex(f.Name, ".")+1:], "Vartime")
}

// ours matches the paths of this repository's packages, including the packages that replace packages of other projects.
var ours = regexp.MustCompile(`^(p256k1\.mleku\.dev|github\.com/decred/dcrd/dcrec/secp256k1/v4|github\.com/btcsuite/btcd/btcec/v2|github\.com/erigontech/secp256k1)(/|$)`)

// inLibrary reports whether a package belongs to the library and not to helpers of its tests.
func inLibrary(path string) bool {
	return ours.MatchString(path) && path != "p256k1.mleku.dev/v2/internal/oracle" && path != "p256k1.mleku.dev/v2/internal/vectors"
}

// TestNoSecretReachesVartime checks that each function that leads to a function with Vartime in its name has Vartime in
// its own name, or is excused by reviewed.txt.
func TestNoSecretReachesVartime(t *testing.T) {
	used, found := map[string]bool{}, 0
	for _, graph := range graphs() {
		next := waysToVartime(graph, used)
		for f := range next {
			if f.Function {
				way := f.Name
				for g := next[f]; g != nil; g = next[g] {
					way += " → " + g.Name
				}
				t.Errorf("a variable-time function is reached: %s", way)
				found++
			}
		}
	}
	for name := range vartime {
		if !used[name] {
			t.Errorf("reviewed.txt: %s reaches no variable-time function", name)
		}
	}
	t.Logf("result: %d functions reach a variable-time function without Vartime in their names; %d take public values and are on the reviewed list", found, len(vartime))
}

// TestModules checks that the tests load every module of the repository except the tools, scale and ethereum/geth. No
// file of scale and of ethereum/geth may name a Vartime function or a secret, except its tests.
func TestModules(t *testing.T) {
	notLoaded, read := regexp.MustCompile(`^(scale|ethereum/geth)(/|$)`), 0
	unloaded := regexp.MustCompile(`Vartime|PrivateKey|curve\.|\b(secret|seckey|priv|nonce)\w*`)
	files := os.DirFS(root)
	libtest.Check(t, fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		dir := path.Dir(name)
		switch {
		case err != nil:
		case d.IsDir() && slices.Contains(strings.Fields("testdata tools node_modules .git"), d.Name()):
			return filepath.SkipDir
		case notLoaded.MatchString(dir) && path.Ext(name) == ".go":
			read++
			named := unloaded.FindString(string(libtest.Must(fs.ReadFile(files, name))))
			if named == "Vartime" || (named != "" && !strings.HasSuffix(name, "_test.go")) {
				t.Errorf("%s names %s, but no test loads this file", name, named)
			}
		case d.Name() == "go.mod" && !notLoaded.MatchString(dir) && mentions.Modules[dir] == nil &&
			!slices.Contains(mentions.Modules["."], "./"+dir+"/..."):
			t.Errorf("the module in %s is not checked", dir)
		}
		return err
	}))
	if read < 10 {
		t.Errorf("only %d files of scale and ethereum/geth were found", read)
	}
}
