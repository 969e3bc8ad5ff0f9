package replace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/version"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"p256k1.mleku.dev/cmd/p256k1/internal/show"
)

// Needed reports whether the program needs one of the modules that can be replaced.
func (p *Plan) Needed() bool { return len(p.found) > 0 }

// edit returns the command that edits the file.
func (p *Plan) edit() string {
	if p.workspace {
		return "go work edit"
	}
	return "go mod edit"
}

// drop returns the command that takes lines away.
func (p *Plan) drop(lines ...module.Version) string {
	var b strings.Builder
	b.WriteString(p.edit())
	for _, v := range lines {
		fmt.Fprintf(&b, " -dropreplace=%s", v)
	}
	return b.String()
}

// block returns the missing lines as they stand in the file.
func (p *Plan) block() string {
	var lines []string
	for _, r := range p.missing {
		line := modfile.AutoQuote(r.Old.Path) + " => " + modfile.AutoQuote(r.New.Path)
		if r.New.Version != "" {
			line += " " + r.New.Version
		}
		lines = append(lines, line)
	}
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return "replace " + lines[0] + "\n"
	}
	return "replace (\n\t" + strings.Join(lines, "\n\t") + "\n)\n"
}

// Write appends the missing lines to the file, and changes nothing else of it. If that fails, the file is as it was.
func (p *Plan) Write() (err error) {
	if len(p.missing) == 0 {
		return nil
	}
	end := "\n"
	if bytes.Contains(p.text, []byte("\r\n")) {
		end = "\r\n"
	}
	more := "\n" + p.block()
	if len(p.text) > 0 && p.text[len(p.text)-1] != '\n' {
		more = "\n" + more
	}
	more = strings.ReplaceAll(more, "\n", end)
	if err := p.check(append(bytes.Clone(p.text), more...)); err != nil {
		return err
	}

	f, err := os.OpenFile(p.name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if now, err := io.ReadAll(io.LimitReader(f, int64(len(p.text))+1)); err != nil {
		return err
	} else if !bytes.Equal(now, p.text) {
		return fmt.Errorf("%s has changed since it was read", show.Name(p.name))
	}
	if _, err := io.WriteString(f, more); err != nil {
		return errors.Join(err, f.Truncate(int64(len(p.text))))
	}
	return nil
}

// check reads what will be written as the go command does.
func (p *Plan) check(text []byte) error {
	var replaced []*modfile.Replace
	if p.workspace {
		work, err := modfile.ParseWork(p.name, text, nil)
		if err != nil {
			return err
		}
		replaced = work.Replace
	} else {
		m, err := modfile.Parse(p.name, text, nil)
		if err != nil {
			return err
		}
		replaced = m.Replace
	}
	for i, r := range p.missing {
		if got := replaced[len(replaced)-len(p.missing)+i]; got.Old != r.Old || got.New != r.New {
			return fmt.Errorf("%s would have %s => %s for %s => %s", show.Name(p.name), got.Old, got.New, r.Old, r.New)
		}
	}
	return nil
}

// Report says what was found, what the lines are, or were if they are written, and what follows from them.
func (p *Plan) Report(w io.Writer, written bool) error {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	file := filepath.Base(p.name)
	say("%s: %s", show.Name(p.name), show.Text(p.title))
	for _, f := range p.found {
		how := "required"
		if !f.direct {
			how = "required by what it requires"
		}
		say("  %s %s, %s; replaced by the API of %s", f.path, f.version, how, f.api)
	}
	if !p.Needed() {
		say("It requires nothing that can be replaced:")
		for _, d := range dropIns {
			say("  %s", d.path)
		}
	}
	for _, n := range p.notes {
		say("Note: %s", show.Text(n))
	}
	if !p.Needed() {
		_, err := io.WriteString(w, b.String())
		return err
	}

	switch {
	case len(p.missing) == 0:
		say("\nThe lines that replace them are there, and %s stays as it is.", file)
	case written:
		say("\nWritten at the end of %s:\n\n%s", file, strings.TrimSuffix(p.block(), "\n"))
	default:
		say("\nThese lines belong into %s, where -w writes them:\n\n%s", file, strings.TrimSuffix(p.block(), "\n"))
	}
	raise := p.goLine == "" || version.Compare("go"+p.goLine, "go"+needsGo) < 0
	var next []string
	switch {
	case !p.workspace:
		next = append(next, "go mod tidy")
	case raise:
		next = append(next, "go work edit -go="+needsGo)
	}
	switch {
	case p.vendored && p.workspace:
		next = append(next, "go work vendor")
	case p.vendored:
		next = append(next, "go mod vendor")
	}
	if len(next) > 0 {
		say("\nThen run in its folder\n  %s", strings.Join(next, "\n  "))
	}
	if p.vendored {
		say("Until then Go refuses to build, since it builds from vendor; with -mod=mod it does not look there.")
	}
	if raise && !p.workspace {
		say("which raises its Go version from %s to %s.", cmp.Or(p.goLine, "1.16"), needsGo)
	}
	say("\nWhat changes besides speed; docs/drop-in.md lists all:")
	for _, f := range p.found {
		for _, c := range f.changes {
			say("  %s", c)
		}
	}
	say("  Go follows these lines where this program is built, not where others require it.")
	if !p.workspace && len(p.existing) == 0 {
		say("  go install PROGRAM@VERSION refuses it then, as any go.mod that replaces something.")
	}
	undo := p.drop(p.lines...)
	if !p.workspace {
		undo += " -droprequire=" + library // which go mod tidy added, and which is not to be had before a release
	}
	say("\nTo undo it:\n  %s", undo)
	if !p.workspace {
		say("  go mod tidy\nThat leaves the versions that go mod tidy raised, of Go and of modules. To have\nthe old ones, take go.mod and go.sum from before.")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
