package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A project is the code to mutate, and the way to test it.
type project struct {
	root      string   // root of the workspace
	module    string   // path of the module
	mutated   []string // directories of the packages to mutate, "." for the root
	tests     []string // directories of packages whose tests may notice a mutant, the quickest first
	small     string   // directory of the tests in small groups, where cases that are rare in a large group are common; "" for none
	smallTags string   // tags with which the tests in small groups are compiled
	smallOf   []string // directories of packages whose mutants are tried in small groups; mutants of constants in lower packages would not compile
	skip      string   // pattern of the tests to leave out, because they check the code or the time instead of results
}

// builds returns the tags of the builds of the library: the build with only Go, and the build with assembly for the
// files that only this build compiles. tools/evidence/asmproof tests mutants of the assembly.
func builds() []string {
	if runtime.GOARCH == "amd64" {
		return []string{"purego", ""}
	}
	return []string{"purego"}
}

// A library is a package under mutation.
type library struct {
	*packages.Package
	dir   string
	files []*source
}

// paths returns the import paths of the packages in the given directories.
func (p *project) paths(dirs []string) (paths []string) {
	for _, dir := range dirs {
		paths = append(paths, path.Join(p.module, dir))
	}
	return paths
}

// load reads and checks the packages of the given directories.
func (p *project) load(tags string, dirs []string) (libraries []*library) {
	paths := p.paths(dirs)
	loaded := must.Get(packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedExportFile,
		Dir:        p.root,
		BuildFlags: []string{"-tags=" + tags},
	}, paths...))
	for i, dir := range dirs {
		index := slices.IndexFunc(loaded, func(l *packages.Package) bool { return l.PkgPath == paths[i] })
		if index < 0 {
			must.Do(fmt.Errorf("there is no package %s", paths[i]))
		}
		l := &library{Package: loaded[index], dir: dir}
		for _, err := range l.Errors {
			must.Do(fmt.Errorf("loading %s: %w", l.PkgPath, err))
		}
		for _, syntax := range l.Syntax {
			file := l.Fset.File(syntax.Pos())
			text := must.Get(os.ReadFile(file.Name()))
			l.files = append(l.files, &source{library: l, file: file, syntax: syntax, text: text})
		}
		libraries = append(libraries, l)
	}
	return libraries
}

// dependants returns, for each mutated package, the directories of the packages whose test binaries contain it,
// beginning with the package itself.
func (p *project) dependants() map[string][]string {
	const format = `{{if eq .Name "main"}}{{.ImportPath}} {{join .Deps " "}}{{end}}`
	args := append([]string{"list", "-test", "-tags=" + builds()[0], "-f", format}, p.paths(p.tests)...)
	out := must.Get(must.Output(p.command(context.Background(), ".", "go", args...)))
	contents := map[string][]string{} // by the path of a test's package
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		contents[strings.TrimSuffix(fields[0], ".test")] = fields
	}
	result := map[string][]string{}
	for _, mutated := range p.mutated {
		for _, dir := range append([]string{mutated}, p.tests...) {
			has := slices.Contains(contents[path.Join(p.module, dir)], path.Join(p.module, mutated))
			if has && !slices.Contains(result[mutated], dir) {
				result[mutated] = append(result[mutated], dir)
			}
		}
	}
	return result
}

// find returns the mutants of the packages in the order of the text. Each file is mutated in the first build that
// compiles it.
func (p *project) find(dirs []string) (found []*mutant) {
	known := map[string]bool{}
	for _, tags := range builds() {
		for _, l := range p.load(tags, dirs) {
			var all []*mutant
			for _, s := range l.files {
				if !known[s.file.Name()] {
					all = append(all, s.mutants()...)
				}
				known[s.file.Name()] = true
			}
			for _, m := range l.compilable(all) {
				m.tags = tags
				found = append(found, m)
			}
		}
	}
	return found
}

// An importer maps the paths of the packages that a loaded package imports to these packages.
type importer map[string]*packages.Package

func (m importer) Import(path string) (*types.Package, error) {
	if imported := m[path]; imported != nil && imported.Types != nil {
		return imported.Types, nil
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("%s is not imported", path)
}

// compilable returns the mutants that the type checker accepts.
func (l *library) compilable(all []*mutant) []*mutant {
	for {
		// One error may hide another, so this is repeated until there is none.
		bad, fset := map[*mutant]bool{}, token.NewFileSet()
		var files []*ast.File
		texts := newSchema(l, all, 0, switchStub(l.Name))
		for _, path := range slices.Sorted(maps.Keys(texts)) {
			files = append(files, must.Get(parser.ParseFile(fset, path, texts[path], parser.SkipObjectResolution)))
		}
		config := types.Config{
			Importer:  importer(l.Imports),
			Sizes:     l.TypesSizes,
			GoVersion: "go1.26",
			Error: func(err error) {
				i, e := 0, err.(types.Error)
				if _, err := fmt.Sscanf(filepath.Base(fset.Position(e.Pos).Filename), mutantFile, &i); err != nil {
					must.Do(fmt.Errorf("mutated %s: %w", l.dir, e))
				}
				bad[all[i]] = true
			},
		}
		config.Check(l.PkgPath, fset, files, nil) // Check returns only the first of the errors
		if len(bad) == 0 {
			return all
		}
		all = slices.DeleteFunc(all, func(m *mutant) bool { return bad[m] })
	}
}
