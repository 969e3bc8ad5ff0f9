// Package mentions finds the functions, variables and constants that the functions of a program mention.
package mentions

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A Node is the declaration of a function, or of a variable or constant outside functions.
type Node struct {
	Name     string // as in a linked program: path.F or path.(*T).F
	Function bool
	Package  *packages.Package
	Decl     ast.Node // an *ast.FuncDecl or *ast.ValueSpec
	Mentions []*Node  // in the order of the source; for a method of an interface, all methods of this name
}

// Visit adds n, and all nodes to which it leads, to seen.
func (n *Node) Visit(seen map[*Node]bool) {
	if !seen[n] {
		seen[n] = true
		for _, other := range n.Mentions {
			other.Visit(seen)
		}
	}
}

// Load loads packages with their syntax and types, and returns the declarations in packages whose paths are ours, by
// name. Those of our packages outside the patterns are included if something mentions them, without Package, Decl and
// Mentions. Load sets the mode of config.
func Load(config packages.Config, ours func(path string) bool, patterns ...string) (map[string]*Node, error) {
	config.Mode = packages.LoadSyntax
	loaded, err := packages.Load(&config, patterns...)
	if err != nil {
		return nil, err
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("no packages in %s", config.Dir)
	}
	nodes, methods := map[string]*Node{}, map[string][]*Node{}
	add := func(p *packages.Package, id *ast.Ident, decl ast.Node) {
		f, isFunction := decl.(*ast.FuncDecl)
		node := &Node{Name: name(p.TypesInfo.Defs[id]), Function: isFunction, Package: p, Decl: decl}
		nodes[node.Name] = node
		if isFunction && f.Recv != nil {
			methods[id.Name] = append(methods[id.Name], node)
		}
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			return nil, fmt.Errorf("loading %s: %w", p.PkgPath, e)
		}
		if !ours(p.PkgPath) {
			continue
		}
		for _, file := range p.Syntax {
			for _, decl := range file.Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					add(p, decl.Name, decl)
				case *ast.GenDecl:
					for _, spec := range decl.Specs {
						if v, ok := spec.(*ast.ValueSpec); ok {
							for _, id := range v.Names {
								add(p, id, v)
							}
						}
					}
				}
			}
		}
	}
	for _, node := range slices.Collect(maps.Values(nodes)) {
		called := func(name string, function bool) {
			if nodes[name] == nil {
				nodes[name] = &Node{Name: name, Function: function}
			}
			node.Mentions = append(node.Mentions, nodes[name])
		}
		ast.Inspect(node.Decl, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch object := node.Package.TypesInfo.Uses[id].(type) {
			case *types.Func:
				if r := object.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
					node.Mentions = append(node.Mentions, methods[object.Name()]...)
				} else if object.Pkg() != nil && ours(object.Pkg().Path()) {
					called(name(object.Origin()), true)
				}
			case *types.Var, *types.Const:
				if object.Pkg() != nil && object.Parent() == object.Pkg().Scope() && ours(object.Pkg().Path()) {
					called(name(object), false)
				}
			}
			return true
		})
	}
	return nodes, nil
}

// Modules maps the folders of all modules that may handle secrets to the packages to load from each. Of the tools, only
// the library for JavaScript handles the secrets of other people. Loading scale and ethereum/geth would take minutes,
// because of their many dependencies.
var Modules = map[string][]string{
	".":                {"./...", "./ethereum/...", "./nostr/...", "./protocols/...", "./cmd/p256k1/..."}, // built together by go.work
	"compat/decred/v4": {"./..."},
	"compat/btcec/v2":  {"./..."},
	"compat/erigon":    {"./..."},
	"compat/v1":        {"./..."},
	javaScript:         {"."}, // for WebAssembly
}

const javaScript = "tools/js/wasm"

// LoadModules returns what Load returns for each of Modules in the repository at root, by its folder. For modules
// outside go.work and for JavaScript, functions of the library are in other packages, without Decl.
func LoadModules(root string, ours func(path string) bool) (all map[string]map[string]*Node, err error) {
	defer must.Recover(&err)
	all = make(map[string]map[string]*Node)
	for folder, patterns := range Modules {
		config := packages.Config{Dir: filepath.Join(root, folder)}
		switch folder {
		case ".":
		case javaScript:
			config.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		default:
			config.Env = append(os.Environ(), "GOWORK=off")
		}
		all[folder] = must.Get(Load(config, ours, patterns...))
	}
	return all, nil
}

// name returns the name of a function, variable or constant as in a linked program.
func name(object types.Object) string {
	if f, ok := object.(*types.Func); ok {
		return pointer.ReplaceAllString(f.FullName(), "$1.(*$2)")
	}
	return object.Pkg().Path() + "." + object.Name()
}

var pointer = regexp.MustCompile(`^\(\*(.+)\.(\w+)\)`)
