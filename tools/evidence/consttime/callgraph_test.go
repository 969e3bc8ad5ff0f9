package consttime

import (
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/internal/mentions"
)

// vartime has the functions that may call variable-time functions although their names do not say so, because their
// arguments are public. The search does not continue through them.
var vartime = Listed("vartime")

// modules maps the folders of all modules that may handle secrets to the packages to load from each. The tools handle
// only secrets of their own. Loading scale and ethereum/geth would take minutes, because of their many dependencies, so
// a test reads their files instead.
var modules = map[string][]string{
	".":                {"./...", "./ethereum/...", "./nostr/...", "./protocols/...", "./cmd/p256k1/..."}, // built together by go.work
	"compat/decred/v4": {"./..."},
	"compat/btcec/v2":  {"./..."},
	"compat/erigon":    {"./..."},
	"compat/v1":        {"./..."},
}

// A graph has the functions, variables and constants of a module by name, and what they mention.
type graph = map[string]*mentions.Node

// graphs has the graphs of all modules, by their folders.
var graphs = sync.OnceValue(func() map[string]graph {
	all := make(map[string]graph)
	for module, patterns := range modules {
		config := packages.Config{Dir: filepath.Join(root, module), Fset: token.NewFileSet()}
		if module != "." {
			// Functions of other modules have no bodies in this build. The library's functions are checked with its own
			// module, so only their names matter here.
			config.Env = append(os.Environ(), "GOWORK=off")
		}
		all[module] = libtest.Must(mentions.Load(config, inLibrary, patterns...))
	}
	return all
})

// leadsToVartime returns a path to a variable-time function from each function without Vartime in its name that leads
// to one, by calls or other mentions. It leaves out the functions that reviewed.txt excuses, and marks the needed ones.
func leadsToVartime(graph graph, used map[string]bool) (paths [][]string) {
	for _, name := range slices.Sorted(maps.Keys(graph)) {
		f := graph[name]
		if isVartime(f) || !f.Function {
			continue
		}
		path := search(f, map[*mentions.Node]bool{})
		if path == nil {
			continue
		}
		if vartime[name] {
			used[name] = true
			continue
		}
		paths = append(paths, path)
	}
	return paths
}

// search returns a path from f to a variable-time function that does not go through a function of vartime, or nil.
func search(f *mentions.Node, seen map[*mentions.Node]bool) []string {
	seen[f] = true
	for _, g := range f.Mentions {
		if isVartime(g) {
			return []string{f.Name, g.Name}
		}
		if vartime[g.Name] || seen[g] {
			continue
		}
		if path := search(g, seen); path != nil {
			return append([]string{f.Name}, path...)
		}
	}
	return nil
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
