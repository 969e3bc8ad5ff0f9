package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A project is the code to mutate, and the way to test it.
type project struct {
	root      string   // root of the workspace
	module    string   // path of the module
	mutated   []string // directories of the packages to mutate, "." for the root
	tests     []string // directories of packages whose tests may notice a mutant, the quickest first
	small     string   // directory of the tests in small groups, where cases that are rare in a large group are common; "" for none
	smallTags string   // tags with which the tests in small groups are compiled
	smallMain string   // directory of the command that writes the overlay for small groups
	smallOf   []string // directories of packages whose mutants are tried in small groups; mutants of constants in lower packages would not compile
	skip      string   // pattern of the tests to leave out, because they check the code or the time instead of results
}

// A build is a set of tags under which mutants are compiled.
type build struct{ tags string }

// builds returns the builds of the library: the build with only Go, and the build with assembly for the files that only
// this build compiles. tools/evidence/asmproof tests mutants of the assembly.
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

// dependants returns, for each mutated package, the directories of the packages whose test binaries contain it,
// beginning with the package itself.
func (p *project) dependants() (map[string][]string, error) {
	const format = `{{if eq .Name "main"}}{{.ImportPath}} {{join .Deps " "}}{{end}}`
	args := []string{"list", "-test", "-tags=" + builds()[0].tags, "-f", format}
	for _, d := range p.tests {
		args = append(args, p.path(d))
	}
	c := exec.Command("go", args...)
	c.Dir = p.root
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("listing the tests: %w\n%s", err, out)
	}
	holds := map[string][]string{} // by the path of a test's package
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		holds[strings.TrimSuffix(fields[0], ".test")] = fields
	}
	result := map[string][]string{}
	for _, m := range p.mutated {
		for _, d := range append([]string{m}, p.tests...) {
			if slices.Contains(holds[p.path(d)], p.path(m)) && !slices.Contains(result[m], d) {
				result[m] = append(result[m], d)
			}
		}
	}
	return result, nil
}

// find returns the mutants of the packages in the order of the text. Each file is mutated in the first build that
// compiles it.
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

// An importer maps the paths of the packages that a loaded package imports to these packages.
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

// check returns the type checker's errors in the files. texts maps the path of each file to its text.
func (l *library) check(texts map[string]string) (found []types.Error, err error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(fset, path, texts[path], parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("a mutant that is not valid Go: %w", err)
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
	config.Check(l.types.Path(), fset, files, nil) // Check returns only the first of the errors
	return found, nil
}

// compilable returns the mutants that compile.
func (l *library) compilable(all []*mutant) ([]*mutant, error) {
	for {
		// One error may hide another, so this is repeated until there is none.
		texts := l.texts()
		maps.Copy(texts, newSchema(l, all, 0))
		texts[filepath.Join(filepath.Dir(l.files[0].path), switchName)] = switchStub(l.types.Name())
		found, err := l.check(texts)
		if err != nil || len(found) == 0 {
			return all, err
		}
		bad := map[*mutant]bool{}
		for _, e := range found {
			var i int
			if _, err := fmt.Sscanf(filepath.Base(e.Fset.Position(e.Pos).Filename), mutantFile, &i); err != nil {
				return nil, fmt.Errorf("mutated %s: %w", l.dir, e)
			}
			bad[all[i]] = true
		}
		all = slices.DeleteFunc(all, func(m *mutant) bool { return bad[m] })
	}
}

// texts returns the unchanged text of each file of l, by path.
func (l *library) texts() map[string]string {
	t := map[string]string{}
	for _, s := range l.files {
		t[s.path] = string(s.text)
	}
	return t
}
