package rules

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "p256k1.mleku.dev/v2"

// publicPackages lists the folders of the packages that programs may import, each after the packages that it imports.
// The packages in the folder compat are left out, because other libraries chose the names of their functions. The tests
// of those libraries use these functions (tools/evidence/dropin).
var publicPackages = []string{"secret", "hmacsha256", "curve", "rfc6979", ".", "ecdsa", "schnorr", "ecdh", "signer", "keyformat", "ellswift"}

// modulePackages holds the public packages by import path, without the standard library and the internal packages.
// Types of omitted packages are therefore invalid, which does not affect the names that the tests look for.
type modulePackages map[string]*types.Package

func (m modulePackages) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is left out", path)
}

// check type-checks those files of a folder whose names satisfy want. It returns the package, and the object of each
// identifier in these files.
func (m modulePackages) check(t *testing.T, dir string, want func(name string) bool) (*types.Package, *types.Info) {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if ok, err := build.Default.MatchFile(dir, filepath.Base(name)); err != nil {
			t.Fatal(err)
		} else if !ok || !want(name) {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Importer: m, Error: func(error) {}}
	p, _ := config.Check(path.Join(module, dir), fset, files, info)
	return p, info
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// loadModule returns the public packages, and the set of their objects that other public packages use.
func loadModule(t *testing.T) (m modulePackages, used map[types.Object]bool) {
	m, used = make(modulePackages), make(map[types.Object]bool)
	for _, dir := range publicPackages {
		p, info := m.check(t, dir, func(name string) bool { return !isTest(name) })
		if p.Scope().Len() == 0 {
			t.Fatalf("nothing in %s", dir)
		}
		m[p.Path()] = p
		for _, object := range info.Uses {
			used[object] = used[object] || object.Pkg() != p
		}
	}
	return m, used
}

// exported returns the exported objects of a package, and the exported methods of each of its exported types.
func exported(p *types.Package) (objects []types.Object, methods map[*types.Named][]*types.Func) {
	methods = make(map[*types.Named][]*types.Func)
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		objects = append(objects, object)
		named, ok := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !isType || !ok {
			continue
		}
		all := named.Methods()
		if i, ok := named.Underlying().(*types.Interface); ok {
			all = i.Methods()
		}
		methods[named] = nil
		for m := range all {
			if m.Exported() {
				methods[named] = append(methods[named], m)
			}
		}
	}
	return objects, methods
}

// called lists the methods that packages errors, fmt and log/slog, and encoders call.
var called = []string{"Error", "Unwrap", "Format", "LogValue", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary"}

// TestExportedUsed fails for an exported identifier of the public packages that neither an example nor another public
// package uses, because then nothing shows how to use it.
func TestExportedUsed(t *testing.T) {
	m, used := loadModule(t)
	for _, dir := range publicPackages {
		_, info := m.check(t, dir, func(name string) bool {
			return isTest(name) && strings.HasPrefix(filepath.Base(name), "example")
		})
		for _, object := range info.Uses {
			used[object] = true
		}
	}

	checked := 0
	for _, p := range m {
		objects, methods := exported(p)
		for i, declared := range methods {
			if !types.IsInterface(i) {
				continue
			}
			for named := range methods {
				if !types.Implements(types.NewPointer(named), i.Underlying().(*types.Interface)) {
					continue
				}
				for _, method := range declared { // a call of the method of the interface or of the type counts for both
					member, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, p, method.Name())
					used[method] = used[method] || used[member]
					used[member] = used[method]
				}
			}
		}
		for named, list := range methods {
			for _, method := range list {
				checked++
				used[named.Obj()] = used[named.Obj()] || used[method]
				if !used[method] && !slices.Contains(called, method.Name()) {
					t.Errorf("%s.%s.%s is in no example and in no other package", p.Name(), named.Obj().Name(), method.Name())
				}
			}
		}
		for _, object := range objects {
			checked++
			if !used[object] {
				t.Errorf("%s.%s is in no example and in no other package", p.Name(), object.Name())
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d identifiers", checked)
	}
}
