package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A project is what is mutated, and how it is tested.
type project struct {
	root      string   // of the workspace
	module    string   // path of the module
	mutated   []string // directories of the packages that are mutated, "." for the root
	tests     []string // directories of packages whose tests may notice a mutant, the quickest first
	small     string   // directory of the tests of small groups, in which what is rare in a large one happens all the time; "" for none
	smallTags string   // with which they are compiled
	smallMain string   // directory of the command that writes the overlay with which they are compiled
	smallOf   []string // directories of the packages whose mutants are tried there; those below them have constants that would not compile
	skip      string   // a pattern of the tests left out, which look at the code or the clock and not at what is computed
}

// A build is a set of tags under which mutants are compiled.
type build struct{ tags string }

// builds are those of the library: Go alone, and, for the files that only it
// compiles, the one with assembly. The assembly's own mutants are the business
// of tools/evidence/asmproof.
func builds() []build {
	b := []build{{"purego"}}
	if runtime.GOARCH == "amd64" {
		b = append(b, build{""})
	}
	return b
}

// A library is a package under mutation.
type library struct {
	dir   string
	types *types.Package
	info  *types.Info
	fset  *token.FileSet
	files []*source

	loaded *packages.Package
}

func (p *project) path(dir string) string {
	if dir == "." {
		return p.module
	}
	return p.module + "/" + dir
}

// load reads and checks the packages of the given directories.
func (p *project) load(b build, dirs []string) ([]*library, error) {
	var patterns []string
	for _, d := range dirs {
		patterns = append(patterns, p.path(d))
	}
	fset := token.NewFileSet()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedExportFile,
		Dir:        p.root,
		BuildFlags: []string{"-tags=" + b.tags},
		Fset:       fset,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	var libraries []*library
	for _, d := range dirs {
		i := slices.IndexFunc(loaded, func(q *packages.Package) bool { return q.PkgPath == p.path(d) })
		if i < 0 {
			return nil, fmt.Errorf("there is no package %s", p.path(d))
		}
		q := loaded[i]
		for _, e := range q.Errors {
			return nil, fmt.Errorf("loading %s: %w", q.PkgPath, e)
		}
		l := &library{dir: d, types: q.Types, info: q.TypesInfo, fset: fset, loaded: q}
		for _, syn := range q.Syntax {
			s := &source{path: fset.Position(syn.Pos()).Filename, pkg: l, file: fset.File(syn.Pos()), syn: syn}
			if s.text, err = os.ReadFile(s.path); err != nil {
				return nil, err
			}
			l.files = append(l.files, s)
		}
		libraries = append(libraries, l)
	}
	return libraries, nil
}

// dependants returns, for each package that is mutated, the directories of the
// packages of tests whose binaries hold it, itself first.
func (p *project) dependants() (map[string][]string, error) {
	var patterns []string
	for _, d := range p.tests {
		patterns = append(patterns, p.path(d))
	}
	loaded, err := packages.Load(&packages.Config{
		Mode:       packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedForTest,
		Dir:        p.root,
		BuildFlags: []string{"-tags=" + builds()[0].tags},
		Tests:      true,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	holds := map[string]map[string]bool{} // by the path of the test's package
	for _, q := range loaded {
		for _, e := range q.Errors {
			return nil, fmt.Errorf("loading the tests of %s: %w", q.PkgPath, e)
		}
		path := strings.TrimSuffix(strings.TrimSuffix(q.PkgPath, ".test"), "_test")
		if holds[path] == nil {
			holds[path] = map[string]bool{}
		}
		packages.Visit([]*packages.Package{q}, func(r *packages.Package) bool {
			holds[path][r.PkgPath] = true
			return true
		}, nil)
	}
	result := map[string][]string{}
	for _, m := range p.mutated {
		for _, d := range append([]string{m}, p.tests...) {
			if holds[p.path(d)][p.path(m)] && !slices.Contains(result[m], d) {
				result[m] = append(result[m], d)
			}
		}
	}
	return result, nil
}

// find returns the mutants of the packages in the order of their text: those of
// the first build, and those of files that only a later one compiles.
func (p *project) find(dirs []string) (map[build][]*mutant, error) {
	known := map[string]bool{}
	found := map[build][]*mutant{}
	for _, b := range builds() {
		libraries, err := p.load(b, dirs)
		if err != nil {
			return nil, err
		}
		for _, l := range libraries {
			var all []*mutant
			for _, s := range l.files {
				if known[s.path] {
					continue
				}
				known[s.path] = true
				for _, u := range s.units() {
					all = append(all, u.mutants()...)
				}
			}
			valid, err := l.compilable(all)
			if err != nil {
				return nil, err
			}
			found[b] = append(found[b], valid...)
		}
	}
	return found, nil
}

// importer finds the packages that a loaded one imports.
type importer map[string]*packages.Package

func (m importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if q := m[path]; q != nil && q.Types != nil {
		return q.Types, nil
	}
	return nil, fmt.Errorf("%s is not imported", path)
}

// check returns the places, in the texts given by the files' paths, where the
// compiler would find errors, and the values of all constant expressions that are
// compiled.
func (l *library) check(texts map[string]string) (found []types.Error, values []string, err error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(fset, path, texts[path], parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, fmt.Errorf("a mutant that is no Go: %w", err)
		}
		files = append(files, f)
	}
	config := types.Config{
		Importer:  importer(l.loaded.Imports),
		Sizes:     l.loaded.TypesSizes,
		GoVersion: "go1.26",
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				found = append(found, e)
			}
		},
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config.Check(l.types.Path(), fset, files, &info) // its error is the first of those
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST && !isExported(d) {
				return false // what is compiled is the use
			}
			if e, ok := n.(ast.Expr); ok && info.Types[e].Value != nil {
				values = append(values, info.Types[e].Value.ExactString())
				return false
			}
			return true
		})
	}
	return found, values, nil
}

func isExported(d *ast.GenDecl) bool {
	return slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
		return slices.ContainsFunc(s.(*ast.ValueSpec).Names, (*ast.Ident).IsExported)
	})
}

// compilable returns those of the mutants that compile, and to another program.
func (l *library) compilable(all []*mutant) ([]*mutant, error) {
	_, same, err := l.check(l.texts())
	if err != nil {
		return nil, err
	}
	bad := map[*mutant]bool{}
	for _, m := range all {
		if m.unit.constant {
			texts := l.texts()
			s := m.unit.file
			texts[s.path] = apply(s.text, 0, len(s.text), m.edits)
			found, values, err := l.check(texts)
			if err != nil {
				return nil, err
			}
			bad[m] = len(found) > 0 || slices.Equal(values, same)
		}
	}
	all = slices.DeleteFunc(all, func(m *mutant) bool { return bad[m] })
	for {
		// Not all errors are found at once: of one that is declared and not
		// used, only if there are no others.
		s := newSchema(l, all, 1)
		texts := l.texts()
		for path, t := range s.texts {
			texts[path] = t
		}
		texts[filepath.Join(filepath.Dir(l.files[0].path), switchName)] = switchStub(l.types.Name())
		found, _, err := l.check(texts)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return all, nil
		}
		clear(bad)
		for _, e := range found {
			at := e.Fset.Position(e.Pos)
			if m := s.mutantAt(at.Filename, at.Offset); m != nil {
				bad[m] = true
			} else {
				return nil, fmt.Errorf("mutated %s: %w", l.dir, e)
			}
		}
		before := len(all)
		all = slices.DeleteFunc(all, func(m *mutant) bool { return bad[m] })
		if len(all) == before {
			return nil, fmt.Errorf("mutated %s: %w", l.dir, found[0])
		}
	}
}

// texts returns the files of l as they are.
func (l *library) texts() map[string]string {
	t := map[string]string{}
	for _, s := range l.files {
		t[s.path] = string(s.text)
	}
	return t
}
