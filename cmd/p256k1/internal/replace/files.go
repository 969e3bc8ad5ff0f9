package replace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

const maxSize = 16 << 20 // of a go.mod, in bytes

// file is a go.mod or a go.work.
type file struct {
	name     string // path relative to the program's folder, or an absolute path
	text     []byte
	module   string // the module's path, or empty for a go.work
	use      string // the folder as the go.work spells it
	goLine   string // the go line of a go.mod
	requires []*modfile.Require
	replaces []*modfile.Replace
}

// line is a replace line in a file.
type line struct {
	*modfile.Replace
	in *file
}

func (f *file) isWork() bool { return f.module == "" }

// kind returns the go command's subcommand for the file: mod or work.
func (f *file) kind() string {
	if f.isWork() {
		return "work"
	}
	return "mod"
}

// command returns a go command for a shell in the current folder. The command works in the folder of f.
func (p *Plan) command(f *file, words ...string) string {
	if folder := filepath.Dir(p.path(f.name)); !sameFile(folder, ".") {
		words = append([]string{"-C", filepath.ToSlash(folder)}, words...)
	}
	command := "go"
	for _, w := range words {
		command += " " + show.Shell(w)
	}
	return command
}

// path returns the path of a file whose name is relative to the program's folder.
func (p *Plan) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.dir, name)
}

// read reads the go.mod and go.work files that the go command uses to build the program.
func (p *Plan) read(ctx context.Context) error {
	info, err := os.Stat(p.dir)
	if err == nil && !info.IsDir() {
		err = unusable(p.dir, "not a folder")
	}
	if err != nil {
		return fmt.Errorf("%w; want the folder of a Go program", err)
	}
	work, flags, err := p.environment(ctx)
	if err != nil {
		return err
	}
	if modfileFlag.MatchString(flags) {
		return fmt.Errorf("GOFLAGS is %s: with -modfile Go does not read go.mod, and this command reads no other file", show.Text(flags))
	}
	if work != "" && sameFile(filepath.Dir(work), p.dir) {
		return p.readWork(filepath.Base(work))
	}
	m, err := p.readModule("go.mod")
	if errors.Is(err, fs.ErrNotExist) {
		if name := p.nearest("go.mod"); name != "" {
			return fmt.Errorf("%w; it is in %s", err, show.Name(filepath.Dir(name)))
		}
		return fmt.Errorf("%w; want the folder of a Go program", err)
	} else if err != nil {
		return err
	}
	p.file, p.modules, p.title = m, []*file{m}, "module "+m.module
	p.nested()
	if work == "" {
		return nil
	}
	return p.outside(work)
}

// outside returns an error if a go.work uses the program's folder. All modules that a go.work uses are built with the
// replace lines of all of them, so new lines in one go.mod may conflict with lines in another.
func (p *Plan) outside(work string) error {
	_, w, err := parse(work, modfile.ParseWork)
	if err != nil {
		return err
	}
	folder := filepath.Dir(work)
	if slices.ContainsFunc(w.Use, func(u *modfile.Use) bool { return sameFile(lead(folder, u.Path), p.dir) }) {
		return fmt.Errorf("%s uses this folder, so the lines belong in that file: run p256k1 replace %s, "+
			"or set GOWORK=off to use go.mod", show.Name(work), show.Shell(folder))
	}
	p.note("Go uses %s, which does not list this folder. With GOWORK=off, Go builds this module, and follows these lines.",
		show.Name(work))
	return nil
}

// readWork reads the go.work with this name, and the modules that it uses.
func (p *Plan) readWork(name string) error {
	text, work, err := parse(p.path(name), modfile.ParseWork)
	if err != nil {
		return err
	}
	p.file = &file{name: name, text: text, replaces: work.Replace}
	for _, use := range work.Use {
		m, err := p.readModule(filepath.Join(filepath.FromSlash(use.Path), "go.mod"))
		if err != nil {
			return err
		}
		m.use = use.Path
		p.modules = append(p.modules, m)
	}
	p.title = fmt.Sprintf("a workspace of %d", len(p.modules))
	return nil
}

// readModule reads the go.mod with this name.
func (p *Plan) readModule(name string) (*file, error) {
	text, m, err := parseModule(p.path(name))
	if err != nil {
		return nil, err
	}
	goLine := cmp.Or(m.Go, new(modfile.Go)).Version
	return &file{name: name, text: text, module: m.Module.Mod.Path, goLine: goLine, requires: m.Require, replaces: m.Replace}, nil
}

// existing returns the effective replace lines: the lines of the file and, for modules that a go.work does not replace,
// the lines in the go.mod files of its modules.
func (p *Plan) existing() (lines []line) {
	files := p.modules
	if p.file.isWork() {
		files = append([]*file{p.file}, files...)
	}
	for _, f := range files {
		for _, r := range f.replaces {
			if f == p.file || !slices.ContainsFunc(p.file.replaces, func(o *modfile.Replace) bool { return o.Old.Path == r.Old.Path }) {
				lines = append(lines, line{r, f})
			}
		}
	}
	return lines
}

// modfileFlag matches a GOFLAGS that makes Go use a file other than go.mod.
var modfileFlag = regexp.MustCompile(`(^|[\s'"])--?modfile=`)

// environment returns the go.work that the go command uses in the program's folder, if any, and the go command's
// GOFLAGS.
func (p *Plan) environment(ctx context.Context) (work, flags string, err error) {
	out, err := goCommand(ctx, p.dir, nil, "env", "GOWORK", "GOFLAGS")
	work, flags, _ = strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	if work == "off" {
		work = ""
	}
	return work, flags, err
}

// goCommand runs the installed go command in a folder and returns its output.
func goCommand(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = dir
	c.Env = append(append(c.Environ(), "GOTOOLCHAIN=local"), env...)
	out, err := c.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), nil
}

// nearest returns the path of the file with the given name in the program's folder or in the nearest folder above it,
// or "" if there is no such file.
func (p *Plan) nearest(base string) string {
	folder, err := filepath.Abs(p.dir)
	for above := ""; err == nil && folder != above; folder, above = filepath.Dir(folder), folder {
		name := filepath.Join(folder, base)
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return name
		}
	}
	return ""
}

// nested looks for other modules in folders up to two levels below the program's folder, and notes which of them need
// lines of their own.
func (p *Plan) nested() {
	for _, pattern := range []string{"*/go.mod", "*/*/go.mod"} {
		names, _ := fs.Glob(os.DirFS(p.dir), pattern) // such a pattern is never malformed
		for _, name := range names {
			m, err := p.readModule(filepath.FromSlash(name))
			if err == nil && slices.ContainsFunc(m.requires, func(r *modfile.Require) bool { return isDropIn(r.Mod.Path) }) {
				name = p.path(m.name)
				p.note("%s belongs to another module. These lines have no effect on builds of that module: run p256k1 replace %s.",
					show.Name(name), show.Shell(filepath.Dir(name)))
			}
		}
	}
}

// parse reads a go.mod or a go.work with the parser for it.
func parse[T any](name string, parser func(name string, text []byte, fix modfile.VersionFixer) (T, error)) (text []byte, parsed T, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = unusable(name, "not a file")
	case info.Size() > maxSize:
		err = unusable(name, fmt.Sprintf("%d bytes, want at most %d", info.Size(), maxSize))
	default:
		text, err = os.ReadFile(name)
	}
	if err == nil {
		parsed, err = parser(name, text, nil)
	}
	return text, parsed, err
}

// parseModule reads a go.mod.
func parseModule(name string) ([]byte, *modfile.File, error) {
	text, m, err := parse(name, modfile.Parse)
	if err == nil && m.Module == nil {
		err = unusable(name, "no module line")
	}
	return text, m, err
}

// unusable returns an error about a file.
func unusable(name, why string) error {
	return &fs.PathError{Op: "read", Path: name, Err: errors.New(why)}
}
