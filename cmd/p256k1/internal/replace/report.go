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
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// Needed reports whether the program needs one of the modules that can be replaced.
func (p *Plan) Needed() bool { return len(p.found) > 0 }

// drop returns the command that removes lines from one file, and also makes the edits that more lists.
func (p *Plan) drop(lines []line, more ...string) string {
	words := []string{lines[0].in.kind(), "edit"}
	for _, l := range lines {
		if flag := "-dropreplace=" + l.Old.String(); !slices.Contains(words, flag) { // a file may contain a line twice
			words = append(words, flag)
		}
	}
	return p.command(lines[0].in, append(words, more...)...)
}

// undo returns the commands that remove the missing lines after they have been written. If no lines are missing, the
// commands remove the existing lines, except the line for the library if a go.mod requires the library itself.
func (p *Plan) undo() (commands []string) {
	var lines []line
	for _, r := range p.missing {
		lines = append(lines, line{r, p.file})
	}
	if len(p.missing) == 0 {
		lines = slices.DeleteFunc(slices.Clone(p.there), func(l line) bool {
			return l.Old.Path == library && slices.ContainsFunc(p.modules, p.own)
		})
	}
	for len(lines) > 0 {
		in, n := lines[0].in, 1
		for n < len(lines) && lines[n].in == in {
			n++
		}
		switch {
		case in.isWork():
			commands = append(commands, p.drop(lines[:n]))
		case p.own(in):
			commands = append(commands, p.drop(lines[:n]), p.command(in, "mod", "tidy"))
		default: // go mod tidy cannot remove the requirement, because no release of the library can be downloaded yet
			commands = append(commands, p.drop(lines[:n], "-droprequire="+library), p.command(in, "mod", "tidy"))
		}
		lines = lines[n:]
	}
	return commands
}

// places returns the names of the files that contain the lines.
func (p *Plan) places() (names []string) {
	for _, l := range p.there {
		names = append(names, show.Name(l.in.name))
	}
	return slices.Compact(names)
}

// own reports whether a go.mod requires the library itself. If the program needs the library only because of the
// replace lines, go mod tidy marks the requirement as indirect.
func (p *Plan) own(f *file) bool {
	return slices.ContainsFunc(f.requires, func(r *modfile.Require) bool {
		return r.Mod.Path == library && (!r.Indirect || len(p.missing) > 0)
	})
}

// stale reports whether the list of vendored modules lacks a wanted line, so that Go refuses to build from it.
func (p *Plan) stale() bool {
	list, err := os.ReadFile(p.path("vendor/modules.txt"))
	return err == nil && slices.ContainsFunc(p.wanted, func(r *modfile.Replace) bool {
		return r.Old.Path != library && !bytes.Contains(list, []byte(" => "+strings.TrimSpace(r.New.Path+" "+r.New.Version)+"\n"))
	})
}

// block returns the missing lines in the form in which they are written into the file.
func (p *Plan) block() string {
	var lines []string
	quote := func(v module.Version) string { return strings.TrimSpace(modfile.AutoQuote(v.Path) + " " + v.Version) }
	for _, r := range p.missing {
		lines = append(lines, quote(r.Old)+" => "+quote(r.New))
	}
	if len(lines) == 1 {
		return "replace " + lines[0] + "\n"
	}
	return "replace (\n\t" + strings.Join(lines, "\n\t") + "\n)\n"
}

// Write appends the missing lines to the file, and changes nothing else in it.
func (p *Plan) Write() error {
	if len(p.missing) == 0 {
		return nil
	}
	more := "\n" + p.block()
	if !bytes.HasSuffix(p.file.text, []byte("\n")) {
		more = "\n" + more
	}
	f, err := os.OpenFile(p.path(p.file.name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if _, err = f.WriteString(more); err != nil { // the disk may be full: no part of a line may stay
		err = errors.Join(err, f.Truncate(int64(len(p.file.text))))
	}
	return errors.Join(err, f.Close())
}

// Report writes which modules were found, which lines are missing or have been written, and what changes because of
// them.
func (p *Plan) Report(w io.Writer, written bool) error {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s: %s", show.Name(p.path(p.file.name)), show.Text(p.title))
	for _, f := range p.found {
		v, how := f.version, "required"
		if f.orLater {
			v += " or later"
		}
		if !f.direct {
			how = "required indirectly"
		}
		say("  %s %s, %s; replaced by the API of %s", f.path, v, how, f.api)
	}
	if !p.Needed() {
		say("It requires nothing that can be replaced:")
		for _, d := range dropIns {
			say("  %s", d.path)
		}
		say("If go mod tidy changes its go.mod, run this command again: only a tidy go.mod\n" +
			"names all modules that the program needs.")
	}
	for _, n := range p.notes {
		say("Note: %s", show.Text(n))
	}
	if p.Needed() {
		p.instruct(say, written)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// instruct says which lines are missing or have been written, what to run, and what changes.
func (p *Plan) instruct(say func(format string, args ...any), written bool) {
	file, work := p.file.name, p.file.isWork()
	switch {
	case len(p.missing) == 0:
		say("\nThe lines that replace them are already in %s, and nothing is written.", strings.Join(p.places(), " and "))
	case written:
		say("\nWritten at the end of %s:\n\n%s", show.Name(file), strings.TrimSuffix(p.block(), "\n"))
	default:
		say("\nThese lines belong in %s, where -w writes them:\n\n%s", show.Name(file), strings.TrimSuffix(p.block(), "\n"))
	}
	var next []string
	vendor := p.command(p.file, p.file.kind(), "vendor")
	if !work {
		next = []string{p.command(p.file, "mod", "tidy")}
	}
	undo := p.undo()
	if p.vendored {
		next, undo = append(next, vendor), append(undo, vendor)
	}
	if len(next) > 0 {
		say("\nThen run\n  %s", strings.Join(next, "\n  "))
	}
	if !work && (p.file.goLine == "" || version.Compare("go"+p.file.goLine, "go"+needsGo) < 0) {
		say("go mod tidy raises its Go version from %s to %s.", cmp.Or(p.file.goLine, "1.16"), needsGo)
	}
	if p.vendored && p.stale() {
		say("Until vendor is made again, Go refuses to build from it.")
	}
	say("\nChanges besides speed; docs/drop-in.md lists all of them:")
	for _, f := range p.found {
		for _, c := range f.changes {
			// When the lines are there, go mod tidy may have raised the version to that of the replacement.
			raised := len(p.there) > 0 && f.version == f.api
			if c.before == "" || raised || semver.Compare(f.version, c.before) < 0 {
				say("  %s", c.text)
			}
		}
	}
	say("  Go ignores these lines when it builds programs that require this program.")
	if !work && !slices.ContainsFunc(p.file.replaces, func(r *modfile.Replace) bool {
		return !slices.ContainsFunc(p.there, func(l line) bool { return l.Replace == r })
	}) {
		say("  Because of these lines, go install PROGRAM@VERSION refuses this program.")
	}
	say("\nTo undo it:\n  %s", strings.Join(undo, "\n  "))
	if !p.vendored {
		say("If there is a folder vendor by then, also run %s.", vendor)
	}
	if !work {
		say("These commands do not lower the versions of Go and of modules that go mod tidy\n" +
			"raised. For the earlier versions, restore the earlier go.mod and go.sum.")
	}
}
