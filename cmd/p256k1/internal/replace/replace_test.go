package replace

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const (
	decred = "github.com/decred/dcrd/dcrec/secp256k1/v4"
	clone  = "../../../.." // the clone that contains this test
)

// released holds the options of a command that was installed from a release.
var released = Options{Release: "v0.1.0"}

const program = `module example.com/program // kept

go 1.24

require  (
	github.com/btcsuite/btcd/btcec/v2 v2.3.3
	github.com/decred/dcrd/dcrec/secp256k1/v4   v4.3.0 // indirect; and kept as it is
)
`

// ours is the line that a released version of this command writes for Decred's module.
const ours = "replace " + decred + " => p256k1.mleku.dev/v2/compat/decred/v4 v4.4.1-p256k1.0.1.0\n"

// folder makes a folder of files, given as alternating names and texts.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		write(t, filepath.Join(dir, files[i]), files[i+1])
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	libtest.Check(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)))
}

func read(t *testing.T, name ...string) string {
	t.Helper()
	text := libtest.Must(os.ReadFile(filepath.Join(name...)))
	return string(text)
}

// run does the work of the command, and returns its report.
func run(t *testing.T, dir string, o Options, write bool) (string, error) {
	t.Helper()
	p, err := Look(t.Context(), dir, o)
	if err == nil && write {
		err = p.Write()
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = p.Report(&b, write)
	return b.String(), err
}

// refuse checks that a command fails with an error that contains the given text.
func refuse(t *testing.T, dir string, o Options, want string) {
	t.Helper()
	if _, err := run(t, dir, o, true); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// parseFile reads a go.mod.
func parseFile(t *testing.T, name ...string) *modfile.File {
	t.Helper()
	return libtest.Must(modfile.Parse(filepath.Join(name...), []byte(read(t, name...)), nil))
}

// TestDropIns compares the table with the modules that it describes.
func TestDropIns(t *testing.T) {
	for _, d := range dropIns {
		if m := parseFile(t, clone, d.folder, "go.mod"); m.Module.Mod.Path != d.path || m.Go.Version != needsGo {
			t.Errorf("%s is of %s for Go %s, want %s for %s", d.folder, m.Module.Mod.Path, m.Go.Version, d.path, needsGo)
		}
	}
}

// TestFormatting writes to go.mod files with unusual ends, and checks that a second run finds the line in the file.
func TestFormatting(t *testing.T) {
	for before, after := range map[string]string{
		strings.TrimSuffix(program, "\n"):  program + "\n" + ours,
		program + "// the end":             program + "// the end\n\n" + ours,
		program + "replace a.b/c => ./d\n": program + "replace a.b/c => ./d\n\n" + ours,
	} {
		dir := folder(t, "go.mod", before)
		for range 2 {
			if _, err := run(t, dir, released, true); err != nil || read(t, dir, "go.mod") != after {
				t.Errorf("%q becomes %q, %v", before, read(t, dir, "go.mod"), err)
			}
		}
	}
}

// TestShell runs the printed commands in a shell, in the program's folder and outside it. The commands must change the
// program, and no part of a folder's name may be executed as a command.
func TestShell(t *testing.T) {
	libtest.Need(t, "sh")
	t.Setenv("GOWORK", "off")
	const other = "module other\n\ngo 1.26.0\n\n" + ours
	for _, name := range []string{"it's $(touch pwned) `touch pwned`", "-a b", "plain", "."} {
		start := folder(t, "go.mod", other, name+"/go.mod", "module m\n\ngo 1.26.0\n\nrequire "+decred+" v4.4.0\n\n"+ours)
		t.Chdir(start)
		// between runs the commands that are printed between two texts.
		between := func(text, from, to string) {
			t.Helper()
			_, command, _ := strings.Cut(text, from)
			command, _, ok := strings.Cut(command, to)
			if !ok || (name == "." && strings.Contains(command, "-C")) {
				t.Fatal(text)
			}
			if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", command, err, out)
			}
			if strings.Contains(read(t, name, "go.mod"), "=>") || (name != "." && read(t, "go.mod") != other) {
				t.Errorf("%s changes another program", command)
			}
			if _, err := os.Stat("pwned"); err == nil {
				t.Errorf("%s runs the name", command)
			}
		}
		_, err := run(t, name, Options{Release: "v0.2.0"}, true)
		between(fmt.Sprintln(err), ": to remove that line, run ", "\n")
		text := libtest.Must(run(t, name, released, true))
		between(text, "To undo it:\n  ", "\n")
	}
}

// TestGoEnv tries settings of the go command in the file that GOENV names and in the environment.
func TestGoEnv(t *testing.T) {
	const work, unuses = "go 1.26.0\n\nuse .\n", "go.work, which does not list this folder"
	dir := folder(t, "go.work", work, "a.work", work, "go.mod", program, "sub/go.mod", program)
	elsewhere, unused := folder(t, "go.mod", program), folder(t, "go.work", "go 1.26.0\n")
	sub := filepath.Join(dir, "sub")
	settings := filepath.Join(t.TempDir(), "env")
	t.Setenv("GOENV", settings)
	for way, set := range map[string]func(name, value string){
		"its file": func(name, value string) {
			t.Setenv(name, "")
			write(t, settings, name+"="+value+"\n")
		},
		"environment": func(name, value string) { t.Setenv(name, value) },
	} {
		for _, c := range []struct{ dir, value, file, note string }{
			{dir, "", "go.work", ""},
			{dir, "off", "go.mod", ""},
			{dir, filepath.Join(dir, "a.work"), "a.work", ""},
			{dir, filepath.Join(unused, "go.work"), "go.mod", unuses},
			{elsewhere, filepath.Join(dir, "a.work"), "go.mod", "a.work, which does not list this folder"},
			{sub, "", "go.mod", unuses},
			{sub, "off", "go.mod", ""},
		} {
			set("GOWORK", c.value)
			text, err := run(t, c.dir, released, false)
			if err != nil || !strings.Contains(text, "These lines belong in "+c.file+",") || !strings.Contains(text, c.note) ||
				strings.Contains(text, "With GOWORK=off, Go builds this module") != (c.note != "") {
				t.Errorf("%s, %+v: %v\n%s", way, c, err, text)
			}
		}
		t.Setenv("GOWORK", "")
		for _, flags := range []string{"-modfile=alt.mod", "-mod=mod '--modfile=a b.mod'"} {
			set("GOFLAGS", flags)
			refuse(t, elsewhere, released, "GOFLAGS is "+flags)
		}
		set("GOFLAGS", "-mod=mod -ldflags=-X=a.modfile=b")
		if _, err := run(t, elsewhere, released, false); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		t.Setenv("GOFLAGS", "")
	}
	// An invalid GOWORK makes every go command fail.
	t.Setenv("GOWORK", "go.work")
	refuse(t, dir, released, "go env: exit status 1: go: invalid GOWORK")
}

// TestLinked tries a go.mod that is a link, which must stay a link when the file is written, and a link to the
// program's folder. The go command resolves .. in the path of the link, and the system in the path of the folder, so no
// relative path leads to the clone for both.
func TestLinked(t *testing.T) {
	dir, elsewhere := t.TempDir(), folder(t, "kept/go.mod", program, "deep/er/program/go.mod", program)
	name, link := filepath.Join(dir, "go.mod"), filepath.Join(dir, "link")
	inside := filepath.Join(elsewhere, "deep", "er", "program")
	if err := errors.Join(os.Symlink(filepath.Join(elsewhere, "kept", "go.mod"), name), os.Symlink(inside, link)); err != nil {
		t.Skip(err)
	}
	// leads returns the right-hand side of the first replace line, which must lead from a folder to the module.
	leads := func(dir string) string {
		t.Helper()
		target := filepath.FromSlash(parseFile(t, dir, "go.mod").Replace[0].New.Path)
		if m := parseFile(t, lead(dir, target), "go.mod"); m.Module.Mod.Path != decred {
			t.Errorf("%s is of %s", target, m.Module.Mod.Path)
		}
		return target
	}
	libtest.Must(run(t, dir, Options{Local: clone}, true))
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error(err, info)
	}
	leads(dir)

	near := filepath.Join(elsewhere, "clone")
	write(t, filepath.Join(near, "compat/decred/v4/go.mod"), "module "+decred+"\n")
	write(t, filepath.Join(near, "go.mod"), "module "+library+"\n")
	for range 2 {
		if _, err := run(t, link, Options{Local: near}, true); err != nil || !filepath.IsAbs(leads(link)) {
			t.Fatal(err, read(t, link, "go.mod"))
		}
	}
	// A relative path that leads to the clone from the folder itself does not lead to it from the link.
	lines := "replace " + decred + " => ../../../clone/compat/decred/v4\nreplace " + library + " => ../../../clone\n"
	write(t, filepath.Join(link, "go.mod"), program+lines)
	if _, err := run(t, inside, Options{Local: near}, true); err != nil {
		t.Error(err)
	}
	refuse(t, link, Options{Local: near}, "-dropreplace=")
	// The go command looks for a go.work above the link.
	t.Setenv("GOWORK", "")
	write(t, filepath.Join(link, "go.mod"), program)
	write(t, filepath.Join(dir, "go.work"), "go 1.26.0\n\nuse ./link\n")
	refuse(t, link, released, filepath.Join(dir, "go.work")+" uses this folder")
}

// TestHostile tries inputs that testdata/hostile.txt cannot contain: bytes that are not text, and extreme sizes.
func TestHostile(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeff" + program:                            "go.mod:1", // the go command refuses it, too
		"\x00\xff\xfe":                                "go.mod:1",
		"\xff\xfem\x00o\x00d\x00":                     "go.mod:1",
		"module m\n//" + strings.Repeat("x", maxSize): "want at most 16777216",
	} {
		dir := folder(t, "go.mod", text)
		refuse(t, dir, released, want)
		if read(t, dir, "go.mod") != text {
			t.Errorf("%q: written", text[:9])
		}
	}
	// A go.mod with many lines must not take long to read.
	many := strings.Repeat("require a.b/c v1.0.0\n", 1<<15)
	if _, err := run(t, folder(t, "go.mod", "module m\ngo 1.20\n"+many+"require "+decred+" v4.3.0\n"), released, true); err != nil {
		t.Error(err)
	}
	refuse(t, folder(t, "go.mod/go.work/empty", ""), released, "not a file")
	// The go command does not accept a folder as a go.work either.
	if _, err := run(t, folder(t, "go.mod", program, "go.work/empty", ""), released, true); err != nil {
		t.Error(err)
	}
	refuse(t, t.TempDir(), Options{}, "want the folder of a Go program")
}

// requiredVersion returns the library's version that the clone's modules require.
func requiredVersion(t *testing.T) string {
	t.Helper()
	m := parseFile(t, clone, "compat/btcec/v2/go.mod")
	i := slices.IndexFunc(m.Require, func(r *modfile.Require) bool { return r.Mod.Path == library })
	if i < 0 {
		t.Fatal(m.Require)
	}
	return m.Require[i].Mod.Version
}

var update = flag.Bool("update", false, "write what is printed into testdata")

// TestCases runs the files of testdata. Each has a description, the commands, the files of programs, and the expected
// output and files. $DIR is the folder of the programs, $FULL the full path of the clone, $CLONE the relative path that
// leads to the clone, and $VERSION the version of the library that the clone's modules require. In a command, ␣ stands
// for a space, and ¶ stands before the first word of each paragraph to compare, if only some are compared.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			if base := filepath.Base(name); base == "workspace.txt" && strings.Contains(libtest.Must(resolved(clone)), " ") {
				t.Skip("in a folder whose name has a space, the command also prints a note")
			}
			want := read(t, name)
			got := play(t, want)
			if *update {
				libtest.Check(t, os.WriteFile(name, []byte(got), 0o666))
			} else if got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}

var (
	begin  = regexp.MustCompile(`(?m)^-- (.+) --\n`)
	local  = regexp.MustCompile(`\$FULL\S*`)
	quoted = regexp.MustCompile(`"(\$(?:CLONE|FULL)\S*)"`)
)

// play runs the commands of a case, and returns the case with their output and with the files that they leave.
func play(t *testing.T, text string) string {
	text, _, _ = strings.Cut(text, "-- printed --\n")
	full := libtest.Must(resolved(clone))
	version := requiredVersion(t)
	dir := t.TempDir()
	expand := strings.NewReplacer("$DIR", dir, "$FULL", full, "$VERSION", version, "␣", " ").Replace
	// hide returns text in which $CLONE replaces the path from a folder to the clone.
	hide := func(folder, text string) string {
		base, err := resolved(folder)
		if err != nil {
			return text
		}
		relative := libtest.Must(filepath.Rel(base, full))
		return strings.ReplaceAll(text, filepath.ToSlash(relative), "$CLONE")
	}
	files := begin.FindAllStringSubmatchIndex(text, -1)
	before := make([]string, len(files))
	for i, f := range files {
		end := len(text)
		if i+1 < len(files) {
			end = files[i+1][0]
		}
		before[i] = expand(local.ReplaceAllStringFunc(text[f[1]:end], func(path string) string {
			return modfile.AutoQuote(expand(path)) // the clone may be in a folder whose name has spaces
		}))
		write(t, filepath.Join(dir, text[f[2]:f[3]]), before[i])
	}

	t.Setenv("GOWORK", "")
	var b strings.Builder
	for line := range strings.Lines(text[:files[0][0]]) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		b.WriteString(line)
		o, program, toWrite := Options{Release: "v0.1.0"}, dir, false
		var paragraphs []string
		words := strings.Fields(command)
		if name, value, ok := strings.Cut(words[0], "="); ok {
			t.Setenv(name, expand(value))
			continue
		}
		for i := 1; i < len(words); i++ {
			switch words[i] {
			case "-w":
				toWrite = true
			case "--decred":
				o.Decred = true
			case "--devel":
				o.Release = ""
			case "--local":
				i++
				o.Local = expand(words[i])
			default:
				if first, ok := strings.CutPrefix(words[i], "¶"); ok {
					paragraphs = append(paragraphs, expand(first))
					continue
				}
				program = filepath.Join(dir, words[i])
			}
		}
		printed, err := run(t, program, o, toWrite)
		if err != nil {
			printed = "error: " + err.Error() + "\n"
		}
		if err == nil && len(paragraphs) > 0 {
			all := strings.Split(strings.TrimSuffix(printed, "\n"), "\n\n")
			printed = strings.Join(slices.DeleteFunc(all, func(p string) bool {
				return !slices.ContainsFunc(paragraphs, func(first string) bool { return strings.HasPrefix(p, first) })
			}), "\n") + "\n"
		}
		b.WriteString(hide(program, printed))
	}
	for i, f := range files {
		name := text[f[2]:f[3]]
		if after := read(t, dir, name); after != before[i] {
			b.WriteString("-- " + name + " now has --\n" + hide(filepath.Join(dir, filepath.Dir(name)), strings.TrimPrefix(after, before[i])))
		}
	}
	after := strings.NewReplacer(dir, "$DIR", full, "$FULL", version, "$VERSION").Replace(b.String())
	return text + "-- printed --\n" + quoted.ReplaceAllString(after, "$1")
}
