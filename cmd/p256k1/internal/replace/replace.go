// Package replace puts this library in the place of others, by lines in a program's go.mod.
package replace

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/cmd/p256k1/internal/show"
)

const (
	library = "p256k1.mleku.dev"
	needsGo = "1.26.0" // the go line of the modules below
	maxSize = 16 << 20 // of a go.mod
)

// dropIn is a module of this library's repository that takes the place of another.
type dropIn struct {
	path    string // of the other
	folder  string // in the repository; after the library's path it is what it is published as
	api     string // the version whose API it has; it is published as that, with the library's version
	oldest  string // the first version that has nothing in its API that is not in that, as TestOlder of evidence/dropin shows
	changes []string
}

// published returns the version of d that has a release of the library: docs/releasing.md.
func (d *dropIn) published(release string) string {
	return d.api + "-p256k1." + strings.TrimPrefix(release, "v")
}

var dropIns = []dropIn{{
	path:   "github.com/decred/dcrd/dcrec/secp256k1/v4",
	folder: "compat/decred/v4",
	api:    "v4.4.1",
	oldest: "v4.0.1",
	changes: []string{
		"Signing, deriving and ECDH take a time that does not depend on secrets.",
		"With a public key off the curve, verifying says false and ECDH gives 32 zeros.",
	},
}, {
	path:   "github.com/btcsuite/btcd/btcec/v2",
	folder: "compat/btcec/v2",
	api:    "v2.5.1",
	oldest: "v2.3.4",
	changes: []string{
		"schnorr.ParseSignature refuses s of n or more, as btcec does from 2.5 on.",
	},
}}

// relatives are modules that programs may take for one of those, and that stay as they are.
var relatives = []struct {
	path  string // /v2, /v3 and so on may follow
	below string // older versions are meant, or all
	word  string
}{
	{"github.com/decred/dcrd/dcrec/secp256k1", "", "is another major version, which nothing here replaces"},
	{"github.com/btcsuite/btcd/btcec", "", "is another major version, which nothing here replaces"},
	{"github.com/btcsuite/btcd", "v0.23.0", "is older than v0.23.0: it has a btcec of version 1, which nothing here replaces"},
}

// major is what follows the path of a module for its major version.
var major = regexp.MustCompile(`^(/v[0-9]+)?$`)

// Options say where the lines lead.
type Options struct {
	Local   string // the folder of a clone, or empty for the published modules
	Release string // the library's version of which those are, or empty if there is none
}

// Plan is what is to be done to a program's go.mod, or to a go.work.
type Plan struct {
	options   Options
	dir, name string
	text      []byte
	workspace bool
	title     string
	goLine    string
	vendored  bool
	found     []finding
	notes     []string
	lines     []module.Version // what takes the place of found, and of the library
	existing  []*modfile.Replace
	missing   []*modfile.Replace
}

// finding is a module that a program needs.
type finding struct {
	*dropIn
	version string
	direct  bool
}

// Look reads the go.mod of the program in dir, or the go.work if there is one, and what that uses. A line that replaces one of
// the modules by something else is an error.
func Look(ctx context.Context, dir string, o Options) (*Plan, error) {
	p := &Plan{options: o, dir: dir}
	modules, err := p.read()
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(filepath.Join(dir, "vendor", "modules.txt"))
	p.vendored = err == nil
	versions, direct := make(map[string]string), make(map[string]bool)
	need := func(path, v string) {
		if semver.Compare(v, versions[path]) >= 0 {
			versions[path] = v
		}
	}
	for _, m := range modules {
		for _, r := range m.Require {
			need(r.Mod.Path, r.Mod.Version)
			direct[r.Mod.Path] = direct[r.Mod.Path] || !r.Indirect
		}
		if m.Go != nil && version.Compare("go"+m.Go.Version, "go1.17") >= 0 {
			continue // it names all modules that the program has code of
		}
		if err := graph(ctx, filepath.Dir(m.Syntax.Name), need); err != nil {
			p.note("%s does not name all that is required, as those of Go 1.17 and later do, and the go command did not tell it without "+
				"the network. What only requirements require is not known: run go mod download and this again.", show.Name(m.Syntax.Name))
		}
	}
	for i := range dropIns {
		d := &dropIns[i]
		v, ok := versions[d.path]
		switch {
		case !ok:
		case semver.Compare(v, d.oldest) < 0:
			p.note("%s %s is older than %s, and may have what its replacement lacks: go get %s@%s raises it, and then it can be replaced.",
				d.path, v, d.oldest, d.path, d.oldest)
		default:
			p.found = append(p.found, finding{d, v, direct[d.path]})
		}
	}
	p.judge(versions)
	if len(p.found) == 0 {
		return p, nil
	}
	return p, p.compare()
}

// read reads the files, and returns those of modules.
func (p *Plan) read() ([]*modfile.File, error) {
	p.name = filepath.Join(p.dir, "go.work")
	text, err := readFile(p.name)
	switch {
	case os.Getenv("GOWORK") == "off": // the go command does not look at it either
	case err == nil:
		return p.readWork(text)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	p.name = filepath.Join(p.dir, "go.mod")
	if p.text, err = readFile(p.name); errors.Is(err, fs.ErrNotExist) {
		_, missing := os.Stat(p.dir)
		if above := p.above("go.mod"); above != "" && missing == nil {
			return nil, fmt.Errorf("%w; it is in %s", err, show.Name(filepath.Dir(above)))
		}
		return nil, fmt.Errorf("%w; want the folder of a Go program", err)
	} else if err != nil {
		return nil, err
	}
	m, err := parseModule(p.name, p.text)
	if err != nil {
		return nil, err
	}
	p.existing, p.title = m.Replace, "module "+m.Module.Mod.Path
	if m.Go != nil {
		p.goLine = m.Go.Version
	}
	if name := p.above("go.work"); name != "" && os.Getenv("GOWORK") != "off" {
		p.note("The folder is below %s. If that uses it, its replace lines go before those of go.mod: see p256k1 replace %s.",
			show.Name(name), show.Name(filepath.Dir(name)))
	}
	p.nested()
	return []*modfile.File{m}, nil
}

func (p *Plan) readWork(text []byte) ([]*modfile.File, error) {
	work, err := modfile.ParseWork(p.name, text, nil)
	if err != nil {
		return nil, err
	}
	p.text, p.existing, p.workspace = text, work.Replace, true
	if work.Go != nil {
		p.goLine = work.Go.Version
	}
	var all []*modfile.File
	for _, use := range work.Use {
		folder := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(p.dir, folder)
		}
		name := filepath.Join(folder, "go.mod")
		text, err := readFile(name)
		if err != nil {
			return nil, err
		}
		m, err := parseModule(name, text)
		if err != nil {
			return nil, err
		}
		// Where the go.work says nothing, the lines of its modules count.
		for _, r := range m.Replace {
			if !slices.ContainsFunc(work.Replace, func(o *modfile.Replace) bool { return o.Old.Path == r.Old.Path }) {
				p.existing = append(p.existing, absolute(r, folder))
			}
		}
		all = append(all, m)
	}
	p.title = fmt.Sprintf("a workspace of %d", len(all))
	return all, nil
}

// absolute returns r with a path that does not depend on the folder of its file.
func absolute(r *modfile.Replace, folder string) *modfile.Replace {
	to := r.New
	if to.Version == "" && !filepath.IsAbs(filepath.FromSlash(to.Path)) {
		if full, err := filepath.Abs(filepath.Join(folder, to.Path)); err == nil {
			to.Path = full
		}
	}
	return &modfile.Replace{Old: r.Old, New: to}
}

// above returns the nearest file of that name in a folder above, or nothing.
func (p *Plan) above(base string) string {
	folder, err := filepath.Abs(p.dir)
	for err == nil && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
		name := filepath.Join(folder, base)
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}

// nested looks for modules in folders below, to a depth of two, and names those that need lines of their own.
func (p *Plan) nested() {
	for _, pattern := range []string{"*", "*/*"} {
		names, _ := fs.Glob(os.DirFS(p.dir), pattern+"/go.mod") // the pattern is not malformed
		for _, name := range names {
			name = filepath.Join(p.dir, filepath.FromSlash(name))
			text, err := readFile(name)
			if err != nil {
				continue
			}
			m, err := modfile.ParseLax(name, text, nil)
			if err != nil {
				continue
			}
			if slices.ContainsFunc(m.Require, func(r *modfile.Require) bool {
				return slices.ContainsFunc(dropIns, func(d dropIn) bool { return d.path == r.Mod.Path })
			}) {
				p.note("%s is of another module. Where that is built, these lines do not count: see p256k1 replace %s.", show.Name(name), show.Name(filepath.Dir(name)))
			}
		}
	}
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a file")}
	}
	if info.Size() > maxSize {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%d bytes, want at most %d", info.Size(), maxSize)}
	}
	return os.ReadFile(name)
}

func parseModule(name string, text []byte) (*modfile.File, error) {
	m, err := modfile.Parse(name, text, nil)
	if err == nil && m.Module == nil {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("no module line")}
	}
	return m, err
}

// graph calls need with all that is required by anything, as far as the module cache has the go.mod files. It changes nothing.
func graph(ctx context.Context, dir string, need func(path, version string)) error {
	c := exec.CommandContext(ctx, "go", "mod", "graph")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=")
	out, err := c.Output()
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		_, required, _ := strings.Cut(strings.TrimSpace(line), " ")
		if path, version, ok := strings.Cut(required, "@"); ok {
			need(path, version)
		}
	}
	return nil
}

func (p *Plan) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// judge says what there is to say of the versions.
func (p *Plan) judge(versions map[string]string) {
	for _, f := range p.found {
		if semver.Compare(f.version, f.api) > 0 {
			p.note("%s %s is newer than %s, whose API takes its place: a program that uses what came later will not compile.",
				f.path, f.version, f.api)
		}
	}
	for _, r := range relatives {
		for path, v := range versions {
			rest, ok := strings.CutPrefix(path, r.path)
			isDropIn := slices.ContainsFunc(dropIns, func(d dropIn) bool { return d.path == path })
			if ok && major.MatchString(rest) && !isDropIn && (r.below == "" || semver.Compare(v, r.below) < 0) {
				p.note("%s %s %s.", path, v, r.word)
			}
		}
	}
	if _, ok := versions["github.com/ethereum/go-ethereum"]; ok {
		p.note("go-ethereum has C instead where cgo is on; with CGO_ENABLED=0 it has what is replaced.")
	}
	slices.Sort(p.notes)
}

// compare finds out what lines are needed, and which of them are missing.
func (p *Plan) compare() error {
	if p.options.Local == "" && p.options.Release == "" {
		return fmt.Errorf("%s can be replaced, and there is no release yet that lines could lead to: --local names a clone of %s", p.found[0].path, library)
	}
	add := func(path, folder, version string) error {
		to := module.Version{Path: library + "/" + folder, Version: version}
		if p.options.Local != "" {
			var err error
			if to, err = p.local(folder); err != nil {
				return err
			}
		}
		p.lines = append(p.lines, module.Version{Path: path})
		p.missing = append(p.missing, &modfile.Replace{Old: module.Version{Path: path}, New: to})
		return nil
	}
	for _, f := range p.found {
		if err := add(f.path, f.folder, f.published(p.options.Release)); err != nil {
			return err
		}
	}
	if p.options.Local != "" {
		if err := add(library, "", ""); err != nil {
			return err
		}
	}
	var others []string
	for _, r := range p.existing {
		i := slices.IndexFunc(p.lines, func(v module.Version) bool { return v.Path == r.Old.Path })
		if i < 0 {
			continue
		}
		wanted := slices.IndexFunc(p.missing, func(w *modfile.Replace) bool { return w.Old.Path == r.Old.Path })
		switch {
		case r.Old.Version == "" && wanted >= 0 && p.same(r.New, p.missing[wanted].New):
			p.missing = slices.Delete(p.missing, wanted, wanted+1)
		default:
			others = append(others, show.Text(fmt.Sprintf("%s is replaced by %s: %s takes that line away", r.Old, r.New, p.drop(r.Old))))
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("%s has lines of another kind, which stay as they are. %s", show.Name(p.name), strings.Join(others, "; "))
	}
	return nil
}

// local returns the right side of a line for a folder of the clone.
func (p *Plan) local(folder string) (module.Version, error) {
	clone := filepath.Join(p.options.Local, filepath.FromSlash(folder))
	name := filepath.Join(clone, "go.mod")
	want := library
	for _, d := range dropIns {
		if d.folder == folder {
			want = d.path
		}
	}
	text, err := readFile(name)
	if err != nil {
		return module.Version{}, fmt.Errorf("--local: %w; want the folder of a clone of %s", err, library)
	}
	if m, err := parseModule(name, text); err != nil {
		return module.Version{}, fmt.Errorf("--local: %w", err)
	} else if m.Module.Mod.Path != want {
		return module.Version{}, fmt.Errorf("--local: %s is of %s; want the folder of a clone of %s", show.Name(name), m.Module.Mod.Path, library)
	}
	from, err := resolved(p.dir)
	if err != nil {
		return module.Version{}, err
	}
	to, err := resolved(clone)
	if err != nil {
		return module.Version{}, err
	}
	// The go command strikes out folders with .. in the path by which it was called. Where that has a symbolic link, it may not
	// arrive where the system does, and no relative path is right for both.
	relative, err := filepath.Rel(from, to)
	if err != nil || !p.leads(relative, to) { // on another drive, or so
		return module.Version{Path: filepath.ToSlash(to)}, nil
	}
	if relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		relative = "." + string(filepath.Separator) + relative
	}
	return module.Version{Path: filepath.ToSlash(relative)}, nil
}

// resolved returns the path without symbolic links, from which .. leads where the system's does.
func resolved(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// same reports whether two right sides lead to the same.
func (p *Plan) same(a, b module.Version) bool {
	if a == b {
		return true
	}
	if a.Version != "" || b.Version != "" {
		return false
	}
	return p.leads(a.Path, b.Path)
}

// leads reports whether two paths lead from the folder to the same, as the go command reads them.
func (p *Plan) leads(a, b string) bool {
	base, err := filepath.Abs(p.dir)
	if err != nil {
		return false
	}
	var info [2]os.FileInfo
	for i, path := range []string{a, b} {
		folder := filepath.FromSlash(path)
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(base, folder)
		}
		if info[i], err = os.Stat(folder); err != nil {
			return false
		}
	}
	return os.SameFile(info[0], info[1])
}
