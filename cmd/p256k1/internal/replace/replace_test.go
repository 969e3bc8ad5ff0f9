package replace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

const (
	decred = "github.com/decred/dcrd/dcrec/secp256k1/v4"
	btcec  = "github.com/btcsuite/btcd/btcec/v2"
)

// released is what the command of a release has.
var released = Options{Release: "v0.1.0"}

// clone is that of this test.
const clone = "../../../.."

const program = `module example.com/program // kept

go 1.24

require  (
	github.com/btcsuite/btcd/btcec/v2 v2.3.3
	github.com/decred/dcrd/dcrec/secp256k1/v4   v4.3.0 // indirect; and kept as it is
)
`

// folder makes a folder of files; their names and texts alternate.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(files[i+1]), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// in returns the start of a go command in a folder.
func in(dir string) string { return "go -C " + show.Shell(filepath.ToSlash(dir)) + " " }

func read(t *testing.T, name ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(name...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// apply does what the command does with -w, and returns its report.
func apply(t *testing.T, dir string, o Options) (string, error) {
	t.Helper()
	p, err := Look(t.Context(), dir, o)
	if err != nil {
		return "", err
	}
	if err := p.Write(); err != nil {
		return "", err
	}
	return report(t, p, true), nil
}

func report(t *testing.T, p *Plan, written bool) string {
	t.Helper()
	var b strings.Builder
	if err := p.Report(&b, written); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// TestDropIns compares the table with the modules that it is of.
func TestDropIns(t *testing.T) {
	for _, d := range dropIns {
		name := filepath.Join(clone, filepath.FromSlash(d.folder), "go.mod")
		m, err := modfile.Parse(name, []byte(read(t, name)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Module.Mod.Path != d.path || m.Go.Version != needsGo {
			t.Errorf("%s is of %s for Go %s, want %s for %s", name, m.Module.Mod.Path, m.Go.Version, d.path, needsGo)
		}
	}
}

func TestPublished(t *testing.T) {
	dir := folder(t, "go.mod", program)
	text, err := apply(t, dir, released)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, text, "module example.com/program\n", decred+" v4.3.0, required by what it requires; replaced by the API of v4.4.1\n",
		"Written at the end of go.mod", "\ngo mod tidy raises its Go version from 1.24 to 1.26.0.\n", "docs/drop-in.md",
		"To undo it:\n  "+in(dir)+"mod edit -dropreplace="+decred+" -droprequire=p256k1.mleku.dev/v2\n  "+in(dir)+"mod tidy\n")
	want := program + "\nreplace " + decred + " => p256k1.mleku.dev/v2/compat/decred/v4 v4.4.1-p256k1.0.1.0\n"
	if got := read(t, dir, "go.mod"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestNoRelease: lines that would lead nowhere are an error.
func TestNoRelease(t *testing.T) {
	dir := folder(t, "go.mod", program)
	if _, err := apply(t, dir, Options{}); err == nil || !strings.Contains(err.Error(), "there is no release yet that lines could lead to: --local") {
		t.Error(err)
	}
	if got := read(t, dir, "go.mod"); got != program {
		t.Error(got)
	}
}

// TestBtcec replaces btcec, too, and needs both modules for it.
func TestBtcec(t *testing.T) {
	dir := folder(t, "go.mod", strings.Replace(program, "v2.3.3", "v2.3.4", 1))
	text, err := apply(t, dir, Options{Local: clone})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, text, btcec+" v2.3.4, required; replaced by the API of v2.5.1\n", "-dropreplace="+decred+" -dropreplace="+btcec+" -dropreplace="+library+" -droprequire="+library)
	if got := read(t, dir, "go.mod"); strings.Count(got, "=>") != 3 || !strings.Contains(got, "\t"+btcec+" => ../") {
		t.Error(got)
	}
	// What has more than what would replace it stays.
	dir = folder(t, "go.mod", program)
	if text, err = apply(t, dir, released); err != nil {
		t.Fatal(err)
	}
	expect(t, text, btcec+" v2.3.3 is older than v2.3.4, and may have what its replacement lacks: "+
		in(dir)+"get "+btcec+"@v2.3.4 raises it")
	if got := read(t, dir, "go.mod"); strings.Count(got, "=>") != 1 {
		t.Error(got)
	}
	// In a workspace, go get works in the folder of a module.
	t.Setenv("GOWORK", "")
	dir = folder(t, "go.work", "go 1.26.0\n\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod", "module a\n\ngo 1.26.0\n",
		"b/go.mod", program)
	if text, err = apply(t, dir, released); err != nil {
		t.Fatal(err)
	}
	expect(t, text, "lacks: "+in(dir+"/b")+"get "+btcec+"@v2.3.4 raises it")
}

// TestUntidy has files that name btcec without what it requires of Decred's module. Both are replaced: btcec alone does
// not compile.
func TestUntidy(t *testing.T) {
	start := "\n\nrequire " + btcec + " v2.3.6\n\n"
	for text, want := range map[string]string{
		"go 1.22" + start: " v4.0.1 or later, required by what it requires; ",
		"go 1.16" + start: "mod download and this again",
		"go 1.22" + start + "require " + decred + " v4.0.0\n":               " v4.0.1 or later, required; ",
		"go 1.22" + start + "require " + decred + " v4.4.0 // indirect\n\n": " v4.4.0, required by what it requires; ",
	} {
		t.Setenv("GOMODCACHE", t.TempDir())
		dir := folder(t, "go.mod", "module m\n\n"+text)
		got, err := apply(t, dir, released)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, got, want)
		expect(t, read(t, dir, "go.mod"), "\t"+decred+" => p256k1.mleku.dev/v2/", "\t"+btcec+" => p256k1.mleku.dev/v2/")
	}
	// What is too old requires what is too old.
	for _, text := range []string{btcec + " v2.3.3", "github.com/btcsuite/btcd v0.24.2"} {
		p, err := Look(t.Context(), folder(t, "go.mod", "module m\n\ngo 1.22\n\nrequire "+text+"\n"), released)
		if err != nil || p.Needed() {
			t.Fatal(err, p)
		}
		expect(t, report(t, p, false), "If go mod tidy changes its go.mod, run this again")
	}
}

func TestLocal(t *testing.T) {
	dir := folder(t, "go.mod", program)
	if _, err := apply(t, dir, Options{Local: clone}); err != nil {
		t.Fatal(err)
	}
	once := read(t, dir, "go.mod")
	m, err := modfile.Parse("go.mod", []byte(once), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Replace) != 2 || !strings.HasPrefix(once, program) {
		t.Fatal(once)
	}
	for i, want := range []string{decred, "p256k1.mleku.dev/v2"} {
		r := m.Replace[i]
		name := filepath.Join(dir, filepath.FromSlash(r.New.Path), "go.mod")
		if r.Old.Path != want || r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			t.Errorf("%v, want a path for %s", r, want)
		}
		expect(t, read(t, name), "module "+want+"\n")
	}

	// A second time there is nothing to do, by whatever path the clone is named.
	full, err := filepath.Abs(clone)
	if err != nil {
		t.Fatal(err)
	}
	for _, local := range []string{clone, full, full + "/cmd/.."} {
		text, err := apply(t, dir, Options{Local: local})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, text, "are there", "To undo it")
		if got := read(t, dir, "go.mod"); got != once {
			t.Errorf("not left alone:\n%s", got)
		}
	}
	// Another kind of lines for the same is not mixed with these.
	command := in(dir) + "mod edit -dropreplace=" + decred
	if _, err := apply(t, dir, released); err == nil || !strings.Contains(err.Error(), command) {
		t.Error(err)
	}

	// With one of two lines there, the other is written.
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(program+"replace p256k1.mleku.dev/v2 => "+full+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := apply(t, dir, Options{Local: clone}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "go.mod"); strings.Count(got, "=>") != 2 || !strings.Contains(got, "\nreplace "+decred+" => ../") {
		t.Error(got)
	}
}

// TestLocalWrong names folders that are no clone.
func TestLocalWrong(t *testing.T) {
	dir := folder(t, "go.mod", program)
	for local, want := range map[string]string{
		filepath.Join(dir, "missing"): "no such file",
		dir:                           "want the folder of a clone",
		clone + "/cmd":                "want the folder of a clone",
		folder(t, "compat/decred/v4/go.mod", program): "is of example.com/program; want the folder of a clone",
		folder(t, "compat/decred/v4/go.mod", "\x00"):  "go.mod:1",
	} {
		if _, err := apply(t, dir, Options{Local: local}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", local, err, want)
		}
	}
	// A folder below the program's, with a name that has to be quoted.
	strange := "a \"clone\""
	dir = folder(t, "go.mod", program, strange+"/go.mod", "module p256k1.mleku.dev/v2\n", strange+"/compat/decred/v4/go.mod", "module "+decred+"\n")
	if _, err := apply(t, dir, Options{Local: filepath.Join(dir, strange)}); err != nil {
		t.Error(err)
	}
	expect(t, read(t, dir, "go.mod"), `p256k1.mleku.dev/v2 => "./a \"clone\""`)
}

func TestFormatting(t *testing.T) {
	line := "replace " + decred + " => p256k1.mleku.dev/v2/compat/decred/v4 v4.4.1-p256k1.0.1.0"
	for name, c := range map[string]struct{ before, after string }{
		"no newline": {strings.TrimSuffix(program, "\n"), program + "\n" + line + "\n"},
		"CRLF":       {strings.ReplaceAll(program, "\n", "\r\n"), strings.ReplaceAll(program+"\n"+line+"\n", "\n", "\r\n")},
		"comment":    {program + "// the end", program + "// the end\n\n" + line + "\n"},
		"others":     {program + "replace a.b/c => ./d\n", program + "replace a.b/c => ./d\n\n" + line + "\n"},
	} {
		dir := folder(t, "go.mod", c.before)
		for range 2 { // the second time it is there
			if _, err := apply(t, dir, released); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got := read(t, dir, "go.mod"); got != c.after {
				t.Errorf("%s: %q, want %q", name, got, c.after)
			}
		}
	}
}

// TestRefused has lines of others for the same modules: they are named, and nothing is written.
func TestRefused(t *testing.T) {
	for lines, want := range map[string]string{
		"replace " + decred + " => ../fork":                                                                                 "is replaced by ../fork: GO mod edit -dropreplace=" + decred + " takes",
		"replace " + decred + " v4.3.0 => example.com/fork v1.0.0":                                                          "is replaced by example.com/fork@v1.0.0: GO mod edit -dropreplace=" + decred + "@v4.3.0 takes",
		"replace " + decred + " => p256k1.mleku.dev/v2/compat/decred/v4 v4.4.0":                                             "compat/decred/v4@v4.4.0: GO mod",
		"replace " + decred + " => p256k1.mleku.dev/v2/compat/decred/v4 v4.4.1-p256k1.0.1.0\nreplace " + decred + " => ./x": "is replaced by ./x",
	} {
		text := program + lines + "\n"
		dir := folder(t, "go.mod", text)
		want = strings.Replace(want, "GO ", in(dir), 1)
		if _, err := apply(t, dir, released); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", lines, err, want)
		}
		if got := read(t, dir, "go.mod"); got != text {
			t.Errorf("%s: written:\n%s", lines, got)
		}
	}
}

func TestVersions(t *testing.T) {
	const start = "module m\n\ngo 1.21\n\nrequire "
	for require, want := range map[string]string{
		decred + " v4.4.1": decred + " v4.4.1, required; replaced by the API of v4.4.1\n",
		decred + " v4.5.0": "v4.5.0 is newer than v4.4.1",
		decred + " v4.4.2-0.20251231000000-0123456789ab":                                "ab is newer than v4.4.1",
		decred + " v4.0.0-20210127014238-b33b46cf1a24":                                  "24 is older than v4.0.1, and may have",
		"github.com/decred/dcrd/dcrec/secp256k1/v3 v3.0.0":                              "Note: github.com/decred/dcrd/dcrec/secp256k1/v3 v3.0.0 is another major version",
		"github.com/btcsuite/btcd/btcec/v3 v3.0.0":                                      "btcec/v3 v3.0.0 is another major version",
		"github.com/decred/dcrd/dcrec/secp256k1 v1.0.4":                                 "secp256k1 v1.0.4 is another major version",
		"github.com/btcsuite/btcd v0.22.1":                                              "btcd v0.22.1 is older than v0.23.0: it has a btcec of version 1",
		"github.com/ethereum/go-ethereum v1.17.0":                                       "CGO_ENABLED=0",
		"(\n" + decred + " v4.4.1\ngithub.com/decred/dcrd/dcrec/secp256k1/v2 v2.0.0\n)": "v2 v2.0.0 is another",
	} {
		p, err := Look(t.Context(), folder(t, "go.mod", start+require+"\n"), released)
		if err != nil {
			t.Error(err)
			continue
		}
		text := report(t, p, false)
		expect(t, text, want)
		if needed := strings.Contains(require, decred) && !strings.Contains(require, "v4.0.0"); p.Needed() != needed || strings.Contains(text, "requires nothing") == needed {
			t.Errorf("needed: %v\n%s", p.Needed(), text)
		}
	}
	// What changed in a later version changes for programs on an older one.
	for require, want := range map[string][]bool{
		decred + " v4.0.1": {true, true}, decred + " v4.4.0": {true, false}, decred + " v4.4.1": {false, false},
		btcec + " v2.3.4": {true, true, true, true, true}, btcec + " v2.5.0": {true, true, true, true, false},
		btcec + " v2.5.1": {true, true, false, false, false},
		decred + " v4.4.1\nrequire " + btcec + " v2.4.0": {false, false, true, true, true},
	} {
		p, err := Look(t.Context(), folder(t, "go.mod", start+require+"\n"), released)
		if err != nil {
			t.Fatal(err)
		}
		text := report(t, p, false)
		for i, want := range want {
			change := []string{"S256() ", "RecoverCompact ", "schnorr.ParseSignature ", "PartialSignature.Decode ", "V2Ecdh "}[i]
			if strings.Contains(text, change) != want {
				t.Errorf("%s: %s: want %v in\n%s", require, change, want, text)
			}
		}
	}
	// A release candidate of Go is one of its version.
	p, err := Look(t.Context(), folder(t, "go.mod", "module m\n\ngo 1.26rc1\n\nrequire "+decred+" v4.4.0\n"), released)
	if err != nil || len(p.notes) != 0 {
		t.Error(err, p.notes)
	}
	expect(t, report(t, p, false), "from 1.26rc1 to 1.26.0")
	// What looks alike is left unmentioned.
	p, err = Look(t.Context(), folder(t, "go.mod", start+"(\ngithub.com/btcsuite/btcd v0.24.2\ngithub.com/btcsuite/btcd/chaincfg/chainhash v1.1.0\n"+
		decred+" v4.4.0\ngithub.com/decred/dcrd/dcrec/secp256k1x/v3 v3.0.0\n)\n"), released)
	if err != nil || len(p.notes) != 0 {
		t.Error(err, p.notes)
	}
}

// TestOldGo: before Go 1.17, go.mod does not name what requirements require.
func TestOldGo(t *testing.T) {
	const version = "v4.3.0"
	files := []string{
		"go.mod", "module m\n\ngo 1.16\n\nrequire a.b/c v1.0.0\n\nreplace a.b/c => ./c\n",
		"c/go.mod", "module a.b/c\n\ngo 1.16\n\nrequire " + decred + " " + version + "\n",
	}
	p, err := Look(t.Context(), folder(t, files...), released)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, report(t, p, false), "mod download and this again", "requires nothing")

	// From a module cache with that go.mod, the go command tells.
	const text = "module " + decred + "\n"
	t.Setenv("GOMODCACHE", folder(t, "cache/download/"+decred+"/@v/"+version+".mod", text))
	sum, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil })
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, append(files, "go.sum", decred+" "+version+"/go.mod "+sum+"\n")...)
	got, err := apply(t, dir, released)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, got, decred+" v4.3.0, required by what it requires;", "from 1.16 to")
	if strings.Contains(got, "is not known") {
		t.Error(got)
	}
	expect(t, read(t, dir, "go.mod"), files[1]+"\nreplace "+decred)
}

func TestWorkspace(t *testing.T) {
	t.Setenv("GOWORK", "")
	const work = "go 1.24\n\nuse (\n\t.\n\t./a\n)\n"
	const a = "module a\n\ngo 1.24\n\nrequire " + decred + " v4.4.0\n"
	dir := folder(t, "go.work", work, "go.mod", program, "a/go.mod", a, "vendor/modules.txt", "")
	text, err := apply(t, dir, Options{Local: clone})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, text, "a workspace of 2\n", " v4.4.0, required; ", "Then run\n  "+in(dir)+"work vendor\n",
		in(dir)+"work edit -dropreplace="+decred)
	once := read(t, dir, "go.work")
	if w, err := modfile.ParseWork("go.work", []byte(once), nil); err != nil || len(w.Replace) != 2 || !strings.HasPrefix(once, work) {
		t.Fatal(err, once)
	}
	if read(t, dir, "go.mod") != program || read(t, dir, "a/go.mod") != a {
		t.Error("a go.mod was written")
	}
	if text, err = apply(t, dir, Options{Local: clone}); err != nil || read(t, dir, "go.work") != once {
		t.Error(err, text)
	}
	// A go.mod of it gets no lines. With another's they would conflict.
	_, err = apply(t, filepath.Join(dir, "a"), Options{Local: clone})
	if err == nil || read(t, dir, "a/go.mod") != a {
		t.Fatal(err, read(t, dir, "a/go.mod"))
	}
	expect(t, err.Error(), filepath.Join(dir, "go.work")+" uses this folder", ": see p256k1 replace "+show.Shell(dir)+"; ",
		"GOWORK=off")
	// What its modules replace counts, too.
	dir = folder(t, "go.work", work, "go.mod", program, "a/go.mod", a+"replace "+decred+" => ../fork\n")
	if _, err = apply(t, dir, Options{Local: clone}); err == nil || !strings.Contains(err.Error(), "fork") {
		t.Error(err)
	}
	dir = folder(t, "go.work", work, "go.mod", program)
	if _, err = apply(t, dir, Options{Local: clone}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	// Where it is switched off, the go command builds by go.mod.
	t.Setenv("GOWORK", "off")
	if _, err = apply(t, dir, Options{Local: clone}); err != nil || read(t, dir, "go.work") != work || read(t, dir, "go.mod") == program {
		t.Errorf("%v, or the lines are not in go.mod", err)
	}
}

// requiredVersion returns the library's version that the clone's modules require.
func requiredVersion(t *testing.T) string {
	t.Helper()
	m, err := modfile.Parse("go.mod", []byte(read(t, clone, "compat/btcec/v2/go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(m.Require, func(r *modfile.Require) bool { return r.Mod.Path == library })
	if i < 0 {
		t.Fatal(m.Require)
	}
	return m.Require[i].Mod.Version
}

// TestUsed has workspaces that use this library, which Go refuses to replace at all versions, or what it would take the
// place of.
func TestUsed(t *testing.T) {
	t.Setenv("GOWORK", "")
	full, err := filepath.Abs(clone)
	if err != nil {
		t.Fatal(err)
	}
	full = filepath.ToSlash(full)
	required := requiredVersion(t)
	const a = "module a\n\ngo 1.26.0\n\nrequire " + btcec + " v2.5.1\n"
	work := "go 1.26.0\n\nuse (\n\t./a\n\t" + full + "\n)\n"
	dir := folder(t, "go.work", work, "a/go.mod", a)
	for range 2 {
		text, err := apply(t, dir, Options{Local: clone})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, text, " -dropreplace="+library+"@"+required+"\n")
	}
	w, err := modfile.ParseWork("go.work", []byte(read(t, dir, "go.work")), nil)
	if err != nil || len(w.Replace) != 3 || w.Replace[2].Old != (module.Version{Path: library, Version: required}) {
		t.Error(err, read(t, dir, "go.work"))
	}
	versioned := library + " " + required
	for line, want := range map[string]string{
		library + " => " + full:    " is replaced by " + full + ": GO work edit -dropreplace=" + library + " takes that line",
		versioned + " => ./a":      " is replaced by ./a: GO work edit -dropreplace=" + library + "@" + required + " takes",
		versioned + " => " + full:  "",
		library + " v0.0.1 => ./a": "", // is of no interest
	} {
		dir := folder(t, "go.work", work+"replace "+line+"\n", "a/go.mod", a)
		want = strings.Replace(want, "GO ", in(dir), 1)
		_, err := apply(t, dir, Options{Local: clone})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	// In the go.mod of a module of the workspace a line for all versions does.
	dir = folder(t, "go.work", work, "a/go.mod", a+"replace "+library+" => "+full+"\n")
	if text, err := apply(t, dir, Options{Local: clone}); err != nil || strings.Count(text, "\t"+library) != 0 {
		t.Error(err, text)
	}
	work = "go 1.26.0\n\nuse (\n\t./a\n\t./b/\n)\n" // go work edit knows them as they are written
	for _, path := range []string{decred, btcec} {
		dir := folder(t, "go.work", work, "a/go.mod", a, "b/go.mod", "module "+path+"\n\ngo 1.26.0\n")
		_, err := apply(t, dir, Options{Local: clone})
		if err == nil {
			t.Fatal("no error")
		}
		expect(t, err.Error(), filepath.Join(dir, "go.work")+" uses "+path+" itself, and ",
			": "+in(dir)+"work edit -dropuse=./b/ takes it out")
		if read(t, dir, "go.work") != work {
			t.Error("written")
		}
	}
}

// ours are the lines that this command writes for Decred's module, from a release on.
const ours = "replace " + decred + " => p256k1.mleku.dev/v2/compat/decred/v4 v4.4.1-p256k1.0.1.0\n"

// TestSameTwice has the same lines in two modules of a workspace, and twice in one go.mod. Go takes both.
func TestSameTwice(t *testing.T) {
	t.Setenv("GOWORK", "")
	const work = "go 1.26.0\n\nuse (\n\t./a\n\t./b\n)\n"
	a, b := "module a\n\ngo 1.26.0\n\nrequire "+decred+" v4.4.0\n\n"+ours, "module b\n\ngo 1.26.0\n\n"+ours
	for _, dir := range []string{folder(t, "go.work", work, "a/go.mod", a, "b/go.mod", b), folder(t, "go.mod", a+ours)} {
		text, err := apply(t, dir, released)
		if err != nil {
			t.Error(err)
		}
		expect(t, text, "are there", "edit -dropreplace="+decred+" -droprequire="+library+"\n")
	}
}

// TestUsedLines has the lines in a module that a workspace uses, and that is where they can be taken away.
func TestUsedLines(t *testing.T) {
	t.Setenv("GOWORK", "")
	const work = "go 1.26.0\n\nuse (\n\t.\n\t./x\n\t./y z\n)\n"
	const require = "\n\ngo 1.26.0\n\nrequire " + decred + " v4.4.0\n\n"
	dir := folder(t, "go.work", strings.Replace(work, "./y z", "\"./y z\"", 1), "go.mod", "module m"+require+ours,
		"x/go.mod", "module x"+require+"require "+library+" v0.1.0 // indirect\n"+ours, "y z/go.mod", "module y"+require+ours)
	text, err := apply(t, dir, released)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, text, "are there, in go.mod and x/go.mod and y z/go.mod, and nothing is written", "To undo it:\n"+
		"  "+in(dir)+"mod edit -dropreplace="+decred+" -droprequire="+library+"\n"+
		"  "+in(dir)+"mod tidy\n"+ // which a module needs to be built with GOWORK=off
		"  "+in(dir+"/x")+"mod edit -dropreplace="+decred+" -droprequire="+library+"\n"+
		"  "+in(dir+"/x")+"mod tidy\n"+
		"  "+in(dir+"/y z")+"mod edit -dropreplace="+decred+" -droprequire="+library+"\n"+
		"  "+in(dir+"/y z")+"mod tidy\n")
	if _, err = apply(t, dir, Options{Local: clone}); err == nil {
		t.Fatal("no error")
	}
	expect(t, err.Error(), "in "+filepath.Join(dir, "x", "go.mod")+", "+decred+" is replaced by "+
		"p256k1.mleku.dev/v2/compat/decred/v4@",
		": "+in(dir+"/x")+"mod edit -dropreplace="+decred+" takes that line away")
	// Those of the go.work go before them.
	dir = folder(t, "go.work", "go 1.26.0\n\nuse ./x\n\n"+ours,
		"x/go.mod", "module x"+require+"replace "+decred+" => ../fork\n")
	if text, err = apply(t, dir, released); err != nil {
		t.Fatal(err)
	}
	expect(t, text, "are there, in go.work, and", "To undo it:\n  "+in(dir)+"work edit -dropreplace="+decred+"\n")
}

// TestShell runs what is printed in a shell, in the program's folder and outside: it changes the program, and names of
// folders are no commands.
func TestShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		const missing = "THERE IS NO sh: nobody ran the commands that replace prints"
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	t.Setenv("GOWORK", "off")
	const other = "module other\n\ngo 1.26.0\n\n" + ours
	for _, name := range []string{"it's $(touch pwned) `touch pwned`", "-a b", "plain", "."} {
		start := folder(t, name+"/go.mod", "module m\n\ngo 1.26.0\n\nrequire "+decred+" v4.4.0\n\n"+ours)
		if name != "." {
			if err := os.WriteFile(filepath.Join(start, "go.mod"), []byte(other), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir(start)
		shell := func(command string) {
			t.Helper()
			if out, err := exec.Command(sh, "-c", command).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", command, err, out)
			}
			if strings.Contains(read(t, name, "go.mod"), "=>") || name != "." && read(t, "go.mod") != other {
				t.Errorf("%s changes another program", command)
			}
			if _, err := os.Stat("pwned"); err == nil {
				t.Errorf("%s runs the name", command)
			}
		}
		_, err := apply(t, name, Options{Release: "v0.2.0"})
		_, command, _ := strings.Cut(fmt.Sprint(err), "-p256k1.0.1.0: ")
		command, _, ok := strings.Cut(command, " takes that line away")
		if !ok {
			t.Fatal(err)
		}
		shell(command)
		text, err := apply(t, name, released)
		if err != nil {
			t.Fatal(err)
		}
		_, command, _ = strings.Cut(text, "To undo it:\n  ")
		command, _, _ = strings.Cut(command, "\n")
		shell(command)
		if name == "." && strings.Contains(command, "-C") {
			t.Errorf("%s, want no folder", command)
		}
	}
}

// TestUndo leaves what the program had before.
func TestUndo(t *testing.T) {
	const start = "module m\n\ngo 1.26.0\n\nrequire " + decred + " v4.4.0\n\n"
	full, err := filepath.Abs(clone)
	if err != nil {
		t.Fatal(err)
	}
	full = filepath.ToSlash(full)
	own := "replace " + library + " => " + full + "\n"
	const direct, indirect = "require " + library + " v0.1.0\n", "require " + library + " v0.1.0 // indirect\n"
	const line, libraries, required = " -dropreplace=" + decred, " -dropreplace=" + library, " -droprequire=" + library
	for text, want := range map[string][2]string{
		"":             {line + libraries + required, line + libraries + required},
		direct:         {line + libraries, line},                        // the second time, the other may be its own
		indirect:       {line + libraries, line + libraries + required}, // go mod tidy may have added it after the lines
		direct + own:   {line, line},
		indirect + own: {line, libraries + line + required},
	} {
		dir := folder(t, "go.mod", start+text)
		for _, want := range want {
			text, err := apply(t, dir, Options{Local: clone})
			if err != nil {
				t.Fatal(err)
			}
			expect(t, text, "To undo it:\n  "+in(dir)+"mod edit"+want+"\n  "+in(dir)+"mod tidy\n")
		}
	}
	// In a workspace the program's own line may be in a go.mod, and in a go.work that uses the clone it has a version.
	t.Setenv("GOWORK", "")
	const work = "go 1.26.0\n\nuse ./a\n"
	for _, dir := range []string{
		folder(t, "go.work", work, "a/go.mod", start+direct+own),
		folder(t, "go.work", work+"use "+full+"\nreplace "+library+" "+requiredVersion(t)+" => "+full+"\n",
			"a/go.mod", start+direct),
	} {
		for range 2 {
			text, err := apply(t, dir, Options{Local: clone})
			if err != nil {
				t.Fatal(err)
			}
			expect(t, text, "To undo it:\n  "+in(dir)+"work edit"+line+"\n")
		}
	}
}

// TestGoEnv has settings of the go command: in its file, in the environment, and there without a go command.
func TestGoEnv(t *testing.T) {
	const work = "go 1.26.0\n\nuse .\n"
	dir := folder(t, "go.work", work, "a.work", work, "go.mod", program, "sub/go.mod", program)
	elsewhere, unused := folder(t, "go.mod", program), folder(t, "go.work", "go 1.26.0\n")
	sub := filepath.Join(dir, "sub")
	path, settings := os.Getenv("PATH"), filepath.Join(t.TempDir(), "env")
	t.Setenv("GOENV", settings)
	ways := map[string]func(name, value string){
		"its file": func(name, value string) {
			t.Setenv(name, "")
			if err := os.WriteFile(settings, []byte(name+"="+value+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		},
		"environment":   func(name, value string) { t.Setenv(name, value) },
		"no go command": func(name, value string) { t.Setenv(name, value); t.Setenv("PATH", "") },
	}
	for way, set := range ways {
		for _, c := range []struct{ dir, value, file, note string }{
			{dir, "", "go.work", ""},
			{dir, "off", "go.mod", ""},
			{dir, filepath.Join(dir, "a.work"), "a.work", ""},
			{dir, filepath.Join(unused, "go.work"), "go.mod", "go.work here, which does not use this folder"},
			{elsewhere, filepath.Join(dir, "a.work"), "go.mod", "a.work here, which does not use this folder"},
			{sub, "", "go.mod", "go.work here, which does not use this folder"},
			{sub, "off", "go.mod", ""},
		} {
			set("GOWORK", c.value)
			p, err := Look(t.Context(), c.dir, released)
			if err != nil {
				t.Errorf("%s, %+v: %v", way, c, err)
				continue
			}
			text := report(t, p, false)
			expect(t, text, "These lines belong into "+c.file+",", c.note)
			if strings.Contains(text, "Go works by") != (c.note != "") {
				t.Errorf("%s, %+v:\n%s", way, c, text)
			}
		}
		t.Setenv("GOWORK", "")
		for _, flags := range []string{"-modfile=alt.mod", "-mod=mod '--modfile=a b.mod'"} {
			set("GOFLAGS", flags)
			_, err := Look(t.Context(), elsewhere, released)
			if err == nil || !strings.Contains(err.Error(), "GOFLAGS is "+flags) {
				t.Errorf("%s, %s: %v", way, flags, err)
			}
		}
		set("GOFLAGS", "-mod=mod -ldflags=-X=a.modfile=b")
		if _, err := Look(t.Context(), elsewhere, released); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		t.Setenv("GOFLAGS", "")
		t.Setenv("PATH", path)
	}
	// Where the go command fails, all of its commands would.
	t.Setenv("GOWORK", "go.work")
	if _, err := Look(t.Context(), dir, released); err == nil {
		t.Error("no error")
	} else {
		expect(t, err.Error(), "go env: exit status 1: go: invalid GOWORK")
	}
}

// TestVendor has programs that are built from vendor, which follows what is written and what is undone.
func TestVendor(t *testing.T) {
	t.Setenv("GOWORK", "")
	for file, text := range map[string]string{"go.mod": program, "go.work": "go 1.26.0\n\nuse ./a\n"} {
		dir := folder(t, file, text, "a/go.mod", program, "vendor/modules.txt", "")
		vendor := in(dir) + "mod tidy\n  " + in(dir) + "mod vendor\n"
		undo := "-droprequire=" + library + "\n  " + vendor
		if file == "go.work" {
			vendor = in(dir) + "work vendor\n"
			undo = "-dropreplace=" + decred + "\n  " + vendor
		}
		for _, written := range []bool{true, false} { // the second time the lines are there
			text, err := apply(t, dir, released)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, text, "Then run\n  "+vendor, undo)
			if strings.Contains(text, "Go refuses to build") != written {
				t.Errorf("the lines are written: %v\n%s", written, text)
			}
		}
	}
	// Go does not quote in vendor/modules.txt.
	for vendored, name := range []string{"other", "vendor/modules.txt"} {
		dir := folder(t, "go.mod", program, name, "", "a clone/go.mod", "module "+library+"\n",
			"a clone/compat/decred/v4/go.mod", "module "+decred+"\n")
		text, err := apply(t, dir, Options{Local: filepath.Join(dir, "a clone")})
		if err != nil || strings.Contains(text, "as to ./a clone/compat/decred/v4. Move the clone.") != (vendored == 1) {
			t.Errorf("%v\n%s", err, text)
		}
	}
}

// TestNested has modules below the program's, of which two need lines of their own.
func TestNested(t *testing.T) {
	dir := folder(t, "go.mod", program, "a/go.mod", program, "a/b/go.mod", program, "a/b/c/go.mod", program, "d/go.mod", "module d\n", "e/go.mod", "\x00")
	text, err := apply(t, dir, released)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, text, filepath.Join(dir, "a", "go.mod")+" is of another module",
		"see p256k1 replace "+show.Shell(filepath.Join(dir, "a", "b"))+".")
	if n := strings.Count(text, "another module"); n != 2 || read(t, dir, "a/go.mod") != program {
		t.Errorf("%d notes:\n%s", n, text)
	}
	// From a folder of the program it says where the go.mod is.
	if _, err := apply(t, folder(t, "go.mod", program, "cmd/main.go", "package main\n")+"/cmd", released); err == nil || !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "; it is in ") {
		t.Error(err)
	}
}

// TestLinked has a go.mod that is a link to a file elsewhere: that is written, and the link stays one.
func TestLinked(t *testing.T) {
	dir, elsewhere := t.TempDir(), folder(t, "kept/go.mod", program)
	name := filepath.Join(dir, "go.mod")
	if err := os.Symlink(filepath.Join(elsewhere, "kept", "go.mod"), name); err != nil {
		t.Skip(err)
	}
	if _, err := apply(t, dir, Options{Local: clone}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error(err, info)
	}
	// The go command takes paths from the folder of the link.
	m, err := modfile.Parse(name, []byte(read(t, elsewhere, "kept/go.mod")), nil)
	if err != nil || len(m.Replace) != 2 {
		t.Fatal(err, m)
	}
	expect(t, read(t, dir, filepath.FromSlash(m.Replace[0].New.Path), "go.mod"), "module "+decred+"\n")
}

// TestLinkedFolder names the program's folder by a link. The go command takes .. away from the path of the link, and the system
// from that of the folder, so that no relative path leads to the clone for both.
func TestLinkedFolder(t *testing.T) {
	dir, elsewhere := t.TempDir(), folder(t, "deep/er/program/go.mod", program)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(elsewhere, "deep", "er", "program"), link); err != nil {
		t.Skip(err)
	}
	near := filepath.Join(elsewhere, "clone")
	if err := os.CopyFS(filepath.Join(near, "compat/decred/v4"), os.DirFS(filepath.Join(clone, "compat/decred/v4"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(near, "go.mod"), []byte("module "+library+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := apply(t, link, Options{Local: near}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := modfile.Parse("go.mod", []byte(read(t, link, "go.mod")), nil)
	if err != nil || len(m.Replace) != 2 || !filepath.IsAbs(filepath.FromSlash(m.Replace[0].New.Path)) {
		t.Fatal(err, read(t, link, "go.mod"))
	}
	expect(t, read(t, filepath.FromSlash(m.Replace[0].New.Path), "go.mod"), "module "+decred+"\n")

	// A relative path that leads there by the folder itself does not by the link.
	lines := "replace " + decred + " => ../../../clone/compat/decred/v4\nreplace " + library + " => ../../../clone\n"
	if err := os.WriteFile(filepath.Join(link, "go.mod"), []byte(program+lines), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := apply(t, filepath.Join(elsewhere, "deep/er/program"), Options{Local: near}); err != nil {
		t.Error(err)
	}
	if _, err := apply(t, link, Options{Local: near}); err == nil || !strings.Contains(err.Error(), "-dropreplace=") {
		t.Error(err)
	}

	// The go command looks for a go.work above the link.
	t.Setenv("GOWORK", "")
	for name, text := range map[string]string{link + "/go.mod": program, dir + "/go.work": "go 1.26.0\n\nuse ./link\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Look(t.Context(), link, released); err == nil {
		t.Error("no error")
	} else {
		expect(t, err.Error(), filepath.Join(dir, "go.work")+" uses this folder")
	}
}

// TestHostile has files that are no go.mod, or ones that want to be more.
func TestHostile(t *testing.T) {
	many := strings.Repeat("require a.b/c v1.0.0\n", 1<<15)
	for name, c := range map[string]struct{ text, want string }{
		"empty":     {"", "no module line"},
		"BOM":       {"\ufeff" + program, "go.mod:1"}, // which the go command refuses, too
		"binary":    {"\x00\xff\xfe", "go.mod:1"},
		"UTF-16":    {"\xff\xfem\x00o\x00d\x00", "go.mod:1"},
		"directive": {"module m\nsteal everything\n", "unknown directive: steal"},
		"version":   {"module m\nrequire " + decred + " latest\n", "latest"},
		"block":     {"module m\nrequire (\n", "unterminated"},
		"big":       {"module m\n//" + strings.Repeat("x", maxSize), "want at most 16777216"},
		"path":      {"module m\nreplace " + decred + " => \"../x\\u202e\"\nrequire " + decred + " v4.3.0\ngo 1.20\n", `../x\u202e`},
		"twice":     {"module m\nmodule n\n", "repeated module"},
	} {
		dir := folder(t, "go.mod", c.text)
		if _, err := apply(t, dir, released); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if read(t, dir, "go.mod") != c.text {
			t.Errorf("%s: written", name)
		}
	}
	// Control characters of a module's name do not reach the terminal, and many lines are no trouble.
	dir := folder(t, "go.mod", "module \"a\\x1b[2Jb\"\ngo 1.20\n"+many+"require "+decred+" v4.3.0\n")
	text, err := apply(t, dir, released)
	if err != nil || strings.Contains(text, "\x1b") {
		t.Errorf("%v %q", err, text)
	}
	dir = folder(t, "go.mod/go.work/empty", "")
	if _, err := apply(t, dir, released); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Error(err)
	}
	// Nor is a folder a go.work for the go command.
	if _, err := apply(t, folder(t, "go.mod", program, "go.work/empty", ""), released); err != nil {
		t.Error(err)
	}
	if _, err := apply(t, t.TempDir(), Options{}); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "want the folder of a Go program") {
		t.Error(err)
	}
}

// TestChanged has the file change between reading and writing.
func TestChanged(t *testing.T) {
	for _, changed := range []string{program + "// more\n", strings.Replace(program, "// kept", "// KEPT", 1), program[:20], ""} {
		dir := folder(t, "go.mod", program)
		p, err := Look(t.Context(), dir, released)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := p.Write(); err == nil || !strings.Contains(err.Error(), "has changed") {
			t.Error(err)
		}
		if got := read(t, dir, "go.mod"); got != changed {
			t.Error(got)
		}
	}
}
