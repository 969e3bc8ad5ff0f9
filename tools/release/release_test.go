package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const repository = "../.."

// clone copies the files of this repository, committed or not, into a new one with a single commit.
func clone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	r := newRelease(t, repository)
	list, err := r.git(t.Context(), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), string(text))
	}
	git(t, dir, "init", "-q")
	commit(t, dir)
	return dir
}

func newRelease(t *testing.T, root string) *release {
	t.Helper()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	modules, err := readModules(root)
	if err != nil {
		t.Fatal(err)
	}
	r := &release{root: root, dir: t.TempDir(), modules: modules, out: &bytes.Buffer{}, now: time.Now()}
	r.install = r.try
	return r
}

func said(r *release) string { return r.out.(*bytes.Buffer).String() }

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := command(t.Context(), dir, nil, "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "-q", "--message", "x")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// edit replaces text which is there once.
func edit(t *testing.T, name, old, new string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), old); n != 1 {
		t.Fatalf("%s has %q %d times", name, old, n)
	}
	write(t, name, strings.Replace(string(b), old, new, 1))
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want %q", err, text)
	}
}

// online fails the test for an error, or skips it if that may be for want of other modules and CI does not see it.
func online(t *testing.T, err error) {
	t.Helper()
	switch {
	case errors.Is(err, errOffline) && os.Getenv("CI") != "true":
		t.Skipf("NOT TESTED: %v", err)
	case err != nil:
		t.Fatal(err)
	}
}

// TestTry installs the command of this tree and runs README's program.
func TestTry(t *testing.T) {
	r := newRelease(t, repository)
	version, err := r.version()
	if err != nil {
		t.Fatal(err)
	}
	online(t, r.install(t.Context(), version))
	t.Log(said(r))
}

// TestRelease makes a release of this tree, and further ones after changes in the API, in a repository of its own.
func TestRelease(t *testing.T) {
	t.Setenv("GOVULNDB", nowhere)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "x")
		t.Setenv("GIT_"+who+"_EMAIL", "x@example.org")
	}
	dir := clone(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	var out string
	installed := 0
	run := func(step func(r *release, ctx context.Context, version string) error, version string) error {
		r := newRelease(t, dir)
		r.install = func(context.Context, versions) error { // TestTry does it
			installed++
			return nil
		}
		err := step(r, t.Context(), version)
		out = said(r)
		return err
	}
	prepare, tag := (*release).prepare, (*release).tag
	first, second := "v2.100.0", "v2.101.0"

	readme, err := os.ReadFile(in("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(readme), noRelease) {
		wantError(t, run(prepare, first), noRelease)
		edit(t, in("README.md"), noRelease, "There are releases")
	}
	write(t, in("ecdh/old.go"), "package ecdh\n\n// Old will go.\nfunc Old() {}\n")
	wantError(t, run(prepare, first), "not committed")
	commit(t, dir)
	for _, bad := range []string{"2.100.0", "v2.100", "v1.0.0", "first"} {
		wantError(t, run(prepare, bad), "no version like")
	}
	wantError(t, run(tag, first), "not {"+first)

	online(t, run(prepare, first))
	for _, want := range []string{"API: compared with nothing", "govulncheck: DID NOT RUN"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	wantError(t, run(tag, first), "not committed")
	commit(t, dir)
	if got := lastVersion(t, in("CHANGELOG.md")); got != first {
		t.Errorf("CHANGELOG.md: the last release is %s", got)
	}
	if out := git(t, dir, "show", "--format=", "--name-only"); out != releaseFiles {
		t.Errorf("the release changes\n%s", out)
	}

	// A checksum of other files, and a file that the go command leaves out.
	edit(t, in("doc.go"), "\npackage ", "\n//\n// Changed.\npackage ")
	commit(t, dir)
	wantError(t, run(tag, first), "where the files have")
	git(t, dir, "reset", "-q", "--hard", "HEAD~1")
	write(t, in("cmd/p256k1/.gitattributes"), "main.go export-ignore\n")
	commit(t, dir)
	wantError(t, run(tag, first), "is not that of its files")
	git(t, dir, "reset", "-q", "--hard", "HEAD~1")

	if err := run(tag, first); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"cmd/p256k1/v0.1.0", "compat/btcec/v2.5.1-p256k1.0.1.0", "compat/decred/v4.4.1-p256k1.0.1.0",
		"nostr/v0.1.0", "protocols/v0.1.0", "scale/v0.1.0", first,
	}
	if got := strings.Fields(git(t, dir, "tag")); !slices.Equal(got, want) {
		t.Errorf("tags %q, want %q", got, want)
	}
	wantError(t, run(tag, first), "is there already")

	// The next one: the same version, nothing to tell, a function less and a function more, a function more.
	wantError(t, run(prepare, first), "does not come after")
	wantError(t, run(prepare, second), "nothing under Unreleased")
	git(t, dir, "checkout", "-q", ".")
	edit(t, in("CHANGELOG.md"), unreleased, unreleased+"\n- Something.\n")
	write(t, in("schnorr/new.go"), "package schnorr\n\n// New is new.\nfunc New() {}\n")
	if err := os.Remove(in("ecdh/old.go")); err != nil {
		t.Fatal(err)
	}
	commit(t, dir)
	wantError(t, run(prepare, second), "may not break")
	for _, want := range []string{"INCOMPATIBLE with " + first + ": ./ecdh.Old: removed", "compatible with " + first + ": ./schnorr.New: added"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	git(t, dir, "checkout", "-q", "HEAD~1", "ecdh/old.go")
	commit(t, dir)
	if err := run(prepare, second); err != nil {
		t.Fatal(err)
	}
	if got := lastVersion(t, in("CHANGELOG.md")); got != second {
		t.Errorf("CHANGELOG.md: the last release is %s", got)
	}
	if installed != 3 {
		t.Errorf("what was prepared twice and tagged once was tried out %d times", installed)
	}
}

// releaseFiles are the files in which a version is.
const releaseFiles = `CHANGELOG.md
cmd/p256k1/go.mod
cmd/p256k1/go.sum
compat/btcec/v2/go.mod
compat/decred/v4/go.mod
go.work
nostr/go.mod
nostr/go.sum
protocols/go.mod
protocols/go.sum
scale/go.mod
tools/go.mod
`

// lastVersion returns that of the first section that has one, or nothing.
func lastVersion(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+), around it 0\.\d+\.0 – \d{4}-\d\d-\d\d$`).FindSubmatch(b)
	if m == nil {
		return ""
	}
	return "v" + string(m[1])
}

// TestVersion has what may not be in go.mod.
func TestVersion(t *testing.T) {
	r := newRelease(t, repository)
	if _, err := r.version(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ dir, add, want string }{
		{"cmd/p256k1", "replace " + library + " => ../..", "replace"},
		{".", "exclude golang.org/x/sys v0.1.0", "exclude"},
		{"cmd/p256k1", "require " + library + "/tools v0.1.0", "will not be published"},
		{"tools", "require " + library + "/nothing v0.1.0", "not in the workspace"},
		{"tools", "require " + library + " v2.0.0-alpha", "others v2."},
		{"tools", "require golang.org/x/sys v0.1.0", "one version of golang.org/x/sys"},
		{"compat/btcec/v2", "replace golang.org/x/sys => ../../decred/v4", "which is not of this tree"},
		{"compat/decred/v4", "require " + library + " v2.0.0-alpha", "others v2."},
		{"scale", "require " + library + "/nostr v0.0.9", "others v0."},
		{"scale", "replace golang.org/x/sys => ../nostr", "which is not of this tree"},
	} {
		dir := t.TempDir()
		text, err := os.ReadFile(filepath.Join(r.root, "go.work"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "go.work"), string(text))
		for _, m := range r.modules {
			text, err := os.ReadFile(m.file.Syntax.Name)
			if err != nil {
				t.Fatal(err)
			}
			if m.dir == c.dir {
				text = append(text, "\n"+c.add+"\n"...)
			}
			write(t, filepath.Join(dir, m.dir, "go.mod"), string(text))
		}
		_, err = newRelease(t, dir).version()
		wantError(t, err, c.want)
	}
}

// TestArguments has those that mean nothing.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-tag"}, {"-tidy", "v2.0.0"}, {"-tidy", "-tag", "v2.0.0"}, {"v2.0.0", "v2.1.0"}} {
		wantError(t, run(t.Context(), repository, args, io.Discard), "want a version")
	}
	wantError(t, run(t.Context(), t.TempDir(), []string{"-tidy"}, io.Discard), "in the root of the repository")
}

// TestWeigh has a file that is too large.
func TestWeigh(t *testing.T) {
	dir := clone(t)
	write(t, filepath.Join(dir, "docs", "large"), strings.Repeat("x", maxFile+1))
	r := newRelease(t, dir)
	p, err := r.serve(t.Context(), versions{"v2.0.0", "v0.1.0"})
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, r.weigh(p, r.modules[0]), "more than")
}

const nowhere = "http://127.0.0.1:1"

// TestVulnerabilities has databases with a vulnerability in what the library calls, with none, and one that cannot be had.
func TestVulnerabilities(t *testing.T) {
	if os.Getenv("CI") != "true" {
		t.Skip("NOT TESTED: builds govulncheck, which CI does")
	}
	database := func(affected string) string {
		dir := t.TempDir()
		const id, when = "GO-2026-9999", "2026-01-01T00:00:00Z"
		entry := `{"schema_version":"1.3.1","id":"` + id + `","modified":"` + when + `","published":"` + when + `","details":"Made up.",` +
			`"affected":[{"package":{"name":"golang.org/x/sys","ecosystem":"Go"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}],` +
			`"ecosystem_specific":{"imports":[{"path":"golang.org/x/sys/cpu"}]}}]}`
		modules := `[]`
		if affected != "" {
			entry = strings.ReplaceAll(entry, "golang.org/x/sys", affected)
			modules = `[{"path":"` + affected + `","vulns":[{"id":"` + id + `","modified":"` + when + `"}]}]`
			write(t, filepath.Join(dir, "ID", id+".json"), entry)
		}
		write(t, filepath.Join(dir, "index", "db.json"), `{"modified":"`+when+`"}`)
		write(t, filepath.Join(dir, "index", "modules.json"), modules)
		write(t, filepath.Join(dir, "index", "vulns.json"), `[]`)
		return dir
	}
	t.Run("found", func(t *testing.T) {
		t.Setenv("GOVULNDB", "file://"+database("golang.org/x/sys"))
		wantError(t, newRelease(t, repository).vulnerabilities(t.Context()), "GO-2026-9999")
	})
	t.Run("none", func(t *testing.T) {
		t.Setenv("GOVULNDB", "file://"+database(""))
		r := newRelease(t, repository)
		if err := r.vulnerabilities(t.Context()); err != nil || strings.Contains(said(r), "DID NOT RUN") {
			t.Errorf("%v: %s", err, said(r))
		}
	})
	t.Run("not there", func(t *testing.T) {
		t.Setenv("GOVULNDB", nowhere)
		r := newRelease(t, repository)
		if err := r.vulnerabilities(t.Context()); err != nil || !strings.Contains(said(r), "DID NOT RUN") {
			t.Errorf("%v: %s", err, said(r))
		}
	})
}
