package replace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/version"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// Needed reports whether the program needs one of the modules that can be replaced.
func (p *Plan) Needed() bool { return len(p.found) > 0 }

// drop returns the command that takes lines of one file away, and does more to it.
func (p *Plan) drop(lines []line, more ...string) string {
	in := lines[0].in
	words := []string{in.kind(), "edit"}
	for _, l := range lines {
		if flag := "-dropreplace=" + l.Old.String(); !slices.Contains(words, flag) { // a line may stand twice
			words = append(words, flag)
		}
	}
	return p.command(in, append(words, more...)...)
}

// undo returns the commands that take away the missing lines, once they are written. If none is missing, they take away
// those that are there, but for that of the library, if a go.mod requires it for itself.
func (p *Plan) undo() (commands []string) {
	lines := slices.DeleteFunc(slices.Clone(p.there), func(l line) bool {
		return l.Old.Path == library && slices.ContainsFunc(p.modules, p.own)
	})
	if len(p.missing) > 0 {
		lines = nil
		for _, r := range p.missing {
			lines = append(lines, line{r, p.file})
		}
	}
	for len(lines) > 0 {
		in := lines[0].in
		after := slices.IndexFunc(lines, func(l line) bool { return l.in != in })
		if after < 0 {
			after = len(lines)
		}
		var more []string
		if !in.isWork() && !p.own(in) {
			more = []string{"-droprequire=" + library} // which is not to be had before a release
		}
		commands = append(commands, p.drop(lines[:after], more...))
		if !in.isWork() {
			commands = append(commands, p.command(in, "mod", "tidy"))
		}
		lines = lines[after:]
	}
	return commands
}

// places returns the names of the files that have lines.
func (p *Plan) places() (names []string) {
	for _, l := range p.there {
		names = append(names, show.Name(l.in.name))
	}
	return slices.Compact(names)
}

// own reports whether a go.mod requires the library for itself. For the lines, go mod tidy requires it as indirect.
func (p *Plan) own(f *file) bool {
	return slices.ContainsFunc(f.requires, func(r *modfile.Require) bool {
		return r.Mod.Path == library && (!r.Indirect || len(p.missing) > 0)
	})
}

// block returns the missing lines as they stand in the file.
func (p *Plan) block() string {
	var lines []string
	for _, r := range p.missing {
		line := modfile.AutoQuote(r.Old.Path)
		if r.Old.Version != "" {
			line += " " + r.Old.Version
		}
		line += " => " + modfile.AutoQuote(r.New.Path)
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
	end, name, text := "\n", p.path(p.file.name), p.file.text
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	more := "\n" + p.block()
	if len(text) > 0 && text[len(text)-1] != '\n' {
		more = "\n" + more
	}
	more = strings.ReplaceAll(more, "\n", end)
	if err := p.check(name, append(bytes.Clone(text), more...)); err != nil {
		return err
	}

	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if now, err := io.ReadAll(io.LimitReader(f, int64(len(text))+1)); err != nil {
		return err
	} else if !bytes.Equal(now, text) {
		return fmt.Errorf("%s has changed since it was read", show.Name(name))
	}
	if _, err := io.WriteString(f, more); err != nil {
		return errors.Join(err, f.Truncate(int64(len(text))))
	}
	return nil
}

// check reads what will be written as the go command does.
func (p *Plan) check(name string, text []byte) error {
	var replaced []*modfile.Replace
	if p.file.isWork() {
		work, err := modfile.ParseWork(name, text, nil)
		if err != nil {
			return err
		}
		replaced = work.Replace
	} else {
		m, err := modfile.Parse(name, text, nil)
		if err != nil {
			return err
		}
		replaced = m.Replace
	}
	for i, r := range p.missing {
		if got := replaced[len(replaced)-len(p.missing)+i]; got.Old != r.Old || got.New != r.New {
			return fmt.Errorf("%s would have %s => %s for %s => %s", show.Name(name), got.Old, got.New, r.Old, r.New)
		}
	}
	return nil
}

// Report says what was found, what the lines are, or were if they are written, and what follows from them.
func (p *Plan) Report(w io.Writer, written bool) error {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	file, work := p.file.name, p.file.isWork()
	say("%s: %s", show.Name(p.path(file)), show.Text(p.title))
	for _, f := range p.found {
		v, how := f.version, "required"
		if f.orLater {
			v += " or later"
		}
		if !f.direct {
			how = "required by what it requires"
		}
		say("  %s %s, %s; replaced by the API of %s", f.path, v, how, f.api)
	}
	if !p.Needed() {
		say("It requires nothing that can be replaced:")
		for _, d := range dropIns {
			say("  %s", d.path)
		}
		say("If go mod tidy changes its go.mod, run this again: only then it names all.")
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
		say("\nThe lines that replace them are there, in %s, and nothing is written.", strings.Join(p.places(), " and "))
	case written:
		say("\nWritten at the end of %s:\n\n%s", show.Name(file), strings.TrimSuffix(p.block(), "\n"))
	default:
		say("\nThese lines belong into %s, where -w writes them:\n\n%s", show.Name(file), strings.TrimSuffix(p.block(), "\n"))
	}
	var next, vendor []string
	if !work {
		next = []string{p.command(p.file, "mod", "tidy")}
	}
	if p.vendored {
		vendor = []string{p.command(p.file, p.file.kind(), "vendor")}
	}
	if next = append(next, vendor...); len(next) > 0 {
		say("\nThen run\n  %s", strings.Join(next, "\n  "))
	}
	if !work && (p.file.goLine == "" || version.Compare("go"+p.file.goLine, "go"+needsGo) < 0) {
		say("go mod tidy raises its Go version from %s to %s.", cmp.Or(p.file.goLine, "1.16"), needsGo)
	}
	if p.vendored && len(p.missing) > 0 {
		say("Until vendor is made again, Go refuses to build from it.")
	}
	say("\nWhat changes besides speed; docs/drop-in.md lists all:")
	for _, f := range p.found {
		for _, c := range f.changes {
			if c.before == "" || semver.Compare(f.version, c.before) < 0 {
				say("  %s", c.text)
			}
		}
	}
	say("  Go follows these lines where this program is built, not where others require it.")
	if !work && len(p.file.replaces) == 0 {
		say("  go install PROGRAM@VERSION refuses it then, as any go.mod that replaces something.")
	}
	say("\nTo undo it:\n  %s", strings.Join(append(p.undo(), vendor...), "\n  "))
	if !work {
		say("That leaves the versions that go mod tidy raised, of Go and of modules. To have\n" +
			"the old ones, take go.mod and go.sum from before.")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
