package consttime

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// vartime has the functions that may call variable-time functions although their names do not say so, because their
// arguments are public. The search does not continue through them.
var vartime = Listed("vartime")

// symbol returns the name of a function as in a linked program: path.F or path.(*T).F.
func symbol(f *ssa.Function) string { return pointer.ReplaceAllString(f.String(), "$1.(*$2)") }

var pointer = regexp.MustCompile(`^\(\*(.+)\.(\w+)\)`)

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

// leadsToVartime loads one module of modules, with the files in overlay replaced or added. It returns a path to a
// variable-time function from each function without Vartime in its name that leads to one, by calls or other mentions.
// It leaves out the functions that reviewed.txt excuses, and marks the needed ones.
func leadsToVartime(module string, overlay map[string][]byte, used map[string]bool) (paths [][]string, err error) {
	config := &packages.Config{
		Mode:    packages.LoadAllSyntax,
		Dir:     filepath.Join(root, module),
		Overlay: overlay,
		Fset:    token.NewFileSet(),
	}
	if module != "." {
		// Functions of other modules have no bodies in this build. The library's functions are checked with its own
		// module, so only their names matter here.
		config.Mode = packages.LoadSyntax
		config.Env = append(os.Environ(), "GOWORK=off")
	}
	loaded, err := packages.Load(config, modules[module]...)
	if err != nil {
		return nil, err
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("no packages in %s", config.Dir)
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			return nil, fmt.Errorf("loading %s: %w", p.PkgPath, e)
		}
	}
	program, _ := ssautil.Packages(loaded, ssa.InstantiateGenerics)
	program.Build()

	mentions := map[*ssa.Function][]*ssa.Function{}
	methods := map[string][]*ssa.Function{} // by name, for calls through interfaces
	var functions []*ssa.Function
	for f := range ssautil.AllFunctions(program) {
		if !inLibrary(f) {
			continue
		}
		functions = append(functions, f)
		if f.Signature.Recv() != nil {
			methods[f.Name()] = append(methods[f.Name()], f)
		}
	}
	sort.Slice(functions, func(i, j int) bool { return functions[i].String() < functions[j].String() })
	for _, f := range functions {
		for _, block := range f.Blocks {
			for _, instruction := range block.Instrs {
				for _, operand := range instruction.Operands(nil) {
					if g, ok := (*operand).(*ssa.Function); ok && inLibrary(g) {
						mentions[f] = append(mentions[f], g)
					}
				}
				if call, ok := instruction.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
					mentions[f] = append(mentions[f], methods[call.Common().Method.Name()]...)
				}
			}
		}
	}

	for _, f := range functions {
		if isVartime(f) {
			continue
		}
		path := search(f, mentions, map[*ssa.Function]bool{})
		if path == nil {
			continue
		}
		if vartime[symbol(f)] {
			used[symbol(f)] = true
			continue
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// search returns a path from f to a variable-time function that does not go through a function of vartime, or nil.
func search(f *ssa.Function, mentions map[*ssa.Function][]*ssa.Function, seen map[*ssa.Function]bool) []string {
	seen[f] = true
	for _, g := range mentions[f] {
		if isVartime(g) {
			return []string{f.String(), g.String()}
		}
		if vartime[symbol(g)] || seen[g] {
			continue
		}
		if path := search(g, mentions, seen); path != nil {
			return append([]string{f.String()}, path...)
		}
	}
	return nil
}

// isVartime reports whether f or a function that encloses f has Vartime in its name.
func isVartime(f *ssa.Function) bool {
	for ; f != nil; f = f.Parent() {
		if strings.Contains(f.Name(), "Vartime") {
			return true
		}
	}
	return false
}

// ours matches the paths of this repository's packages, including the packages that replace packages of other projects.
var ours = regexp.MustCompile(`^(p256k1\.mleku\.dev|github\.com/decred/dcrd/dcrec/secp256k1/v4|github\.com/btcsuite/btcd/btcec/v2)(/|$)`)

// inLibrary reports whether f belongs to the library and not to helpers of its tests.
func inLibrary(f *ssa.Function) bool {
	var path string
	switch {
	case f.Pkg != nil:
		path = f.Pkg.Pkg.Path()
	case f.Object() != nil && f.Object().Pkg() != nil: // the wrapper of a method value
		path = f.Object().Pkg().Path()
	}
	return ours.MatchString(path) && path != "p256k1.mleku.dev/v2/internal/oracle" && path != "p256k1.mleku.dev/v2/internal/vectors"
}
