// Package patch changes a copy of the library, for "go test -overlay", so that tests can run a changed library and the
// library needs no hooks for tests.
package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/internal/locals"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A Patch is a set of changed and added files of the library.
type Patch struct {
	root    string
	sources map[string]string // texts of changed files, by their names below the root
	files   map[string]string // paths of replacement files, by their names below the root
}

// ErrNotApplied means that an edit does not fit, because the library has changed.
var ErrNotApplied = errors.New("NOT APPLIED, bring this patch up to date")

// New returns an empty patch of the library in the folder root.
func New(root string) (*Patch, error) {
	root, err := filepath.Abs(root)
	return &Patch{root, map[string]string{}, map[string]string{}}, err
}

// Edit replaces the text old, which must occur once in a function, by new. The function, F or T.F, is in the given
// file, a slash-separated path below the root. If the function is "", old must occur once in the whole file. Local
// names are marked (package locals), so that the edit outlives a renaming. Edits of one file build on one another.
func (p *Patch) Edit(file, function, old, new string) error {
	fail := func(problem any) error { return fmt.Errorf("%w: %s: %s: %v", ErrNotApplied, file, function, problem) }
	original, err := os.ReadFile(p.path(file))
	if err != nil {
		return fail(err)
	}
	source, changed := p.sources[file]
	if !changed {
		source = string(original)
	}
	from, to := 0, len(source)
	if function != "" {
		before, err1 := parse(string(original))
		after, err2 := parse(source) // after earlier edits, positions may differ
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		i := slices.IndexFunc(before.Decls, func(d ast.Decl) bool { return Name(d) == function })
		if i < 0 {
			return fail("there is no such function")
		}
		names := locals.Of(before.Decls[i].(*ast.FuncDecl))
		old, err1 = names.Resolve(old)
		new, err2 = names.Resolve(new)
		if err := errors.Join(err1, err2); err != nil {
			return fail(err)
		}
		from, to = int(after.Decls[i].Pos()-after.FileStart), int(after.Decls[i].End()-after.FileStart)
	}
	if c := strings.Count(source[from:to], old); c != 1 {
		return fail(fmt.Sprintf("it has %q %d times", old, c))
	}
	p.sources[file] = source[:from] + strings.Replace(source[from:to], old, new, 1) + source[to:]
	return nil
}

func parse(source string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", source, 0)
}

// Name returns F for a function F, T.F for a method of T, and "" for other declarations.
func Name(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	switch {
	case !ok:
		return ""
	case f.Recv == nil:
		return f.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "." + f.Name.Name
}

// Sources returns the changed files by their absolute paths.
func (p *Patch) Sources() map[string]string {
	changed := make(map[string]string)
	for file, source := range p.sources {
		changed[p.path(file)] = source
	}
	return changed
}

// Add adds a file, or replaces a file of the library, unless the patch already changes, adds or replaces this file. The
// path is absolute.
func (p *Patch) Add(path, text string) error {
	name, err := filepath.Rel(p.root, path)
	if err != nil {
		return err
	}
	name = filepath.ToSlash(name)
	if p.sources[name] == "" && p.files[name] == "" {
		p.sources[name] = text
	}
	return nil
}

// Files adds each Go file below the folder dir at the same path below the root, in place of a file that the root may
// have there.
func (p *Patch) Files(dir string) (err error) {
	defer must.Recover(&err)
	dir = must.Get(filepath.Abs(dir))
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if path.Ext(name) == ".go" {
			p.files[name] = filepath.Join(dir, filepath.FromSlash(name))
		}
		return err
	})
}

// Write writes the changed files and overlay.json to the folder dir, and returns the path of overlay.json.
func (p *Patch) Write(dir string) (overlay string, err error) {
	defer must.Recover(&err)
	must.Do(os.MkdirAll(dir, 0o700))
	replace := make(map[string]string)
	for file, path := range p.files {
		replace[p.path(file)] = path
	}
	for file, source := range p.sources {
		path := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		must.Do(os.WriteFile(path, []byte(source), 0o600))
		replace[p.path(file)] = path
	}
	overlay = filepath.Join(dir, "overlay.json")
	text := must.Get(json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t"))
	return overlay, os.WriteFile(overlay, text, 0o600)
}

func (p *Patch) path(file string) string { return filepath.Join(p.root, filepath.FromSlash(file)) }
