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
	for _, graph := range graphs() {
		paths := leadsToVartime(graph, used)
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

// TestModules checks that the tests load every module of the repository except the tools, scale and ethereum/geth. No
// file of scale and of ethereum/geth may name a Vartime function.
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
				t.Errorf("%s names a Vartime function, but no test loads this file", name)
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
