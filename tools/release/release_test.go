package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

const repository = "../.."

// clone returns a clone of this repository without tags. Its last commit has the files of this tree, committed or not.
func clone(t *testing.T) string {
	t.Helper()
	root, bare, dir := libtest.Must(filepath.Abs(repository)), filepath.Join(t.TempDir(), "bare.git"), t.TempDir()
	git(t, root, "clone", "-q", "--bare", "--no-tags", root, bare)
	commitAll(t.Context(), root, bare)
	git(t, root, "clone", "-q", "--no-tags", bare, dir)
	return dir
}

func newRelease(t *testing.T, root string) *release {
	t.Helper()
	return open(root, t.TempDir(), &bytes.Buffer{})
}

func said(r *release) string { return r.out.(*bytes.Buffer).String() }

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return libtest.Must(command(t.Context(), dir, nil, "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...))
}

func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "-q", "--allow-empty", "--message", "x")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	libtest.Check(t, os.MkdirAll(filepath.Dir(name), 0o777))
	libtest.Check(t, os.WriteFile(name, []byte(text), 0o666))
}

// edit replaces a text that occurs once.
func edit(t *testing.T, name, old, new string) {
	t.Helper()
	b := libtest.Must(os.ReadFile(name))
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

// online fails the test for an error. It skips the test instead if the error is errUntried, which means that the
// machine lacks something, and CI is not set.
func online(t *testing.T, err error) {
	t.Helper()
	if errors.Is(err, errUntried) {
		libtest.Untested(t, err)
	}
	libtest.Check(t, err)
}

// TestTry installs the command of this tree and runs README's program.
func TestTry(t *testing.T) {
	r := newRelease(t, repository)
	online(t, must.Catch(func() { r.install(t.Context(), r.version()) }))
	t.Log(said(r))
}

// TestRelease makes two releases of this tree in a copy of the repository.
func TestRelease(t *testing.T) {
	for _, who := range []string{"GIT_AUTHOR", "GIT_COMMITTER"} { // identity for tags, because git has no user here
		t.Setenv(who+"_NAME", "x")
		t.Setenv(who+"_EMAIL", "x@example.org")
	}
	dir := clone(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	tried := 0
	run := func(step func(r *release, ctx context.Context, version string), version string) error {
		r := newRelease(t, dir)
		r.install = func(context.Context, versions) { tried++ } // TestTry runs the checks
		return must.Catch(func() { step(r, t.Context(), version) })
	}
	prepare, tag := (*release).prepare, (*release).tag
	const first, second = "v2.100.0-beta.1", "v2.100.0"

	for _, bad := range []string{"2.100.0", "v2.100", "v1.0.0", "first"} {
		wantError(t, run(prepare, bad), "no version like")
	}
	write(t, in("docs/more.md"), noRelease+".\n")
	wantError(t, run(prepare, first), "not committed")
	commit(t, dir)
	wantError(t, run(prepare, first), noRelease)
	for name := range strings.FieldsSeq(git(t, dir, "grep", "-l", noRelease, "--", "*.md")) {
		edit(t, in(name), noRelease, "There are releases")
	}
	commit(t, dir)
	wantError(t, run(tag, first), "not {"+first)

	online(t, run(prepare, first))
	wantError(t, run(tag, first), "not committed")
	commit(t, dir)
	if got, want := lastRelease(t, in("CHANGELOG.md")), "2.100.0-beta.1, around it 0.1.0"; got != want {
		t.Errorf("CHANGELOG.md: the last release is %s, want %s", got, want)
	}
	if out := git(t, dir, "show", "--format=", "--name-only"); out != releaseFiles {
		t.Errorf("the release changes\n%s", out)
	}
	libtest.Check(t, run(tag, first))
	want := []string{
		"cmd/p256k1/v0.1.0", "compat/btcec/v2.5.1-p256k1.0.1.0", "compat/decred/v4.4.1-p256k1.0.1.0", "compat/erigon/v1.3.0-p256k1.0.1.0",
		"ethereum/geth/v0.1.0", "ethereum/v0.1.0", "nostr/v0.1.0", "protocols/v0.1.0", "scale/v0.1.0", first,
	}
	if got := strings.Fields(git(t, dir, "tag")); !slices.Equal(got, want) {
		t.Errorf("tags %q, want %q", got, want)
	}
	wantError(t, run(tag, first), "exist already:\n")

	wantError(t, run(prepare, first), "nothing under Unreleased")
	git(t, dir, "checkout", "-q", ".")
	edit(t, in("CHANGELOG.md"), unreleased, unreleased+"\n- Something.\n")
	commit(t, dir)
	wantError(t, run(prepare, "v2.99.0"), "does not come after")
	libtest.Check(t, run(prepare, second))
	if got, want := lastRelease(t, in("CHANGELOG.md")), "2.100.0, around it 0.2.0"; got != want {
		t.Errorf("CHANGELOG.md: the last release is %s, want %s", got, want)
	}
	if tried != 3 {
		t.Errorf("two preparations and a tag were tried out %d times", tried)
	}
}

// releaseFiles are the files that contain a version.
const releaseFiles = `CHANGELOG.md
cmd/p256k1/go.mod
compat/btcec/v2/go.mod
compat/decred/v4/go.mod
compat/erigon/go.mod
compat/v1/go.mod
ethereum/geth/go.mod
ethereum/go.mod
go.work
nostr/go.mod
protocols/go.mod
scale/go.mod
tools/go.mod
`

// lastRelease returns the versions in the first heading that contains versions.
func lastRelease(t *testing.T, name string) string {
	t.Helper()
	b := libtest.Must(os.ReadFile(name))
	m := regexp.MustCompile(`(?m)^## (\d.*) – \d{4}-\d\d-\d\d$`).FindSubmatch(b)
	if m == nil {
		t.Fatalf("%s has no release", name)
	}
	return string(m[1])
}

// TestPublished moves a package of the library that published modules import. Modules that were made for a beta may
// then fail to build. Modules that were made for a release must not fail.
func TestPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("builds what two versions published; .ci/run does not skip it")
	}
	dir := clone(t)
	publish := func(v versions) {
		r := newRelease(t, dir)
		r.setVersion(v)
		commit(t, dir)
		for _, m := range r.modules {
			git(t, dir, "tag", m.tag(v))
		}
	}
	build := func() (string, error) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		r := newRelease(t, dir)
		err := must.Catch(func() { r.newTrial(ctx, versions{"v2.0.1", "v0.3.0"}).published(ctx) })
		return said(r), err
	}
	const room, other = "hmacsha256", "secret/hmacsha256"
	publish(versions{"v2.0.0-beta.1", "v0.1.0"})
	move(t, dir, room, other)
	publish(versions{"v2.0.0", "v0.2.0"})
	out, err := build()
	online(t, err)
	for _, want := range []string{"works: modules released with v2.0.0, with the library v2.0.1", "modules released with v2.0.0-beta.1 do not build"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	move(t, dir, other, room)
	_, err = build()
	wantError(t, err, "modules released with v2.0.0 do not build with the library v2.0.1")
}

// move moves a package of the library, and updates all importers in this tree.
func move(t *testing.T, dir, from, to string) {
	t.Helper()
	for name := range strings.FieldsSeq(git(t, dir, "grep", "-l", "\""+library+"/"+from+"\"", "--", "*.go")) {
		edit(t, filepath.Join(dir, name), "\""+library+"/"+from+"\"", "\""+library+"/"+to+"\"")
	}
	libtest.Check(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
}

// TestPage compares docs/releasing.md with the table of modules, and with the host's answers to the go command.
func TestPage(t *testing.T) {
	r := newRelease(t, repository)
	page := libtest.Must(os.ReadFile(filepath.Join(r.root, "docs", "releasing.md")))
	rows := 0
	for _, m := range r.modules {
		v := versions{"v2.0.0-beta.1", "v0.1.0"}
		row := fmt.Sprintf("| `%s` | `%s` |", m.as(v).Path, m.tag(v))
		if strings.Contains(string(page), row) == m.private {
			t.Errorf("row %s, for a module with private = %v", row, m.private)
		}
		rows += strings.Count(string(page), row)
	}
	if n := strings.Count(string(page), "\n| `"+library); n != rows {
		t.Errorf("%d rows for %d modules", n, rows)
	}
	for path, prefix := range map[string]string{
		"/": domain, "/nostr": domain, "/v2x": domain, "/v3": domain,
		"/v2": library, "/v2/": library, "/v2/nostr/nip19": library, "/v2/compat/decred/v4": library,
	} {
		tag := goImport(path)
		if !strings.Contains(tag, `content="`+prefix+` git `) || strings.Count(tag, "go-import") != 1 {
			t.Errorf("%s: %s", path, tag)
		}
		answer, _, _ := strings.Cut(tag, domain+"/git/") // the domain's real repository is elsewhere
		if !strings.Contains(string(page), answer) {
			t.Errorf("the page lacks %s", answer)
		}
	}
}

// TestVersion tests lines that a go.mod may not contain.
func TestVersion(t *testing.T) {
	r := newRelease(t, repository)
	r.version()
	for _, c := range []struct{ dir, add, want string }{
		{"cmd/p256k1", "replace " + library + " => ../..", "replace"},
		{".", "exclude golang.org/x/sys v0.1.0", "exclude"},
		{"cmd/p256k1", "require " + library + "/tools v0.1.0", "will not be published"},
		{"tools", "require " + library + "/nothing v0.1.0", "not in this repository"},
		{"tools", "require " + library + " v2.0.0-alpha", "others v2."},
		{"tools", "require golang.org/x/sys v0.1.0", "requires golang.org/x/sys v0.1.0, others v0."},
		{"compat/btcec/v2", "replace golang.org/x/sys => ../../decred/v4", "which is not of this tree"},
		{"compat/decred/v4", "require " + library + " v2.0.0-alpha", "others v2."},
		{"scale", "require " + library + "/nostr v0.0.9", "others v0."},
		{"scale", "replace golang.org/x/sys => ../nostr", "which is not of this tree"},
	} {
		dir := t.TempDir()
		for _, m := range r.modules {
			text := libtest.Must(os.ReadFile(m.file.Syntax.Name))
			if m.dir == c.dir {
				text = append(text, "\n"+c.add+"\n"...)
			}
			write(t, filepath.Join(dir, m.dir, "go.mod"), string(text))
		}
		wantError(t, must.Catch(func() { newRelease(t, dir).version() }), c.want)
	}
}

// TestArguments checks the errors for invalid arguments.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-tag"}, {"-tidy", "v2.0.0"}, {"-tidy", "-tag", "v2.0.0"}, {"v2.0.0", "v2.1.0"}} {
		wantError(t, run(t.Context(), repository, args, io.Discard), "want a version")
	}
	wantError(t, run(t.Context(), t.TempDir(), []string{"-tidy"}, io.Discard), "in the root of the repository")
}

// TestWeigh checks that a file that is too large is found.
func TestWeigh(t *testing.T) {
	dir := clone(t)
	write(t, filepath.Join(dir, "docs", "large"), strings.Repeat("x", maxFile+1))
	v := versions{"v2.0.0", "v0.1.0"}
	var tried *trial
	online(t, must.Catch(func() { tried = newRelease(t, dir).newTrial(t.Context(), v) }))
	libtest.Check(t, tried.run(t.Context(), dir, step{"go mod download " + library + "@" + v.library, ""}))
	wantError(t, must.Catch(func() { tried.weigh(t.Context()) }), "more than")
}

// TestBills reads the bills of materials and compares them with what go.mod requires. A bill may leave out modules that
// only tests import. The library's bill must list the library and golang.org/x/sys.
func TestBills(t *testing.T) {
	r := newRelease(t, repository)
	r.modules = slices.DeleteFunc(r.modules, func(m *module) bool { return m.heavy })
	v := versions{"v2.0.0-beta.9", "v0.9.0"}
	dir := filepath.Join(t.TempDir(), "bills")
	writeBills := func() { r.writeBills(t.Context(), v, dir) }
	online(t, must.Catch(writeBills))
	for _, m := range r.modules {
		if m.private {
			continue
		}
		f := libtest.Must(os.Open(filepath.Join(dir, strings.ReplaceAll(m.tag(v), "/", "-")+".spdx.json")))
		bill, err := json.Read(f)
		f.Close()
		if err == nil {
			err = spdxlib.ValidateDocument(bill)
		}
		described, failed := spdxlib.GetDescribedPackageIDs(bill)
		if err != nil || failed != nil || len(described) != 1 || described[0] != bill.Packages[0].PackageSPDXIdentifier {
			t.Fatalf("%s: %v, %v, describes %v", m.dir, err, failed, described)
		}
		required := map[string]string{m.as(v).Path: m.as(v).Version}
		for _, require := range m.file.Require {
			needed := require.Mod
			if i := slices.IndexFunc(r.modules, func(m *module) bool { return m.path == needed.Path }); i >= 0 {
				needed = r.modules[i].as(v)
			}
			required[needed.Path] = needed.Version
		}
		var names []string
		for _, p := range bill.Packages {
			names = append(names, p.PackageName)
			if required[p.PackageName] != p.PackageVersion {
				t.Errorf("%s: %s %s, and go.mod requires %q", m.dir, p.PackageName, p.PackageVersion, required[p.PackageName])
			}
		}
		if want := []string{library, "golang.org/x/sys"}; m.dir == "." && !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", m.dir, names, want)
		}
		if n := len(bill.Relationships); n != len(names) {
			t.Errorf("%s: %d relationships of %q", m.dir, n, names)
		}
	}
	if err := must.Catch(writeBills); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written over another folder: %v", err)
	}
}

func TestVersionOne(t *testing.T) {
	for _, c := range []struct{ library, want string }{
		{"v2.0.0-beta.3", "v1.2.0-beta.3"}, {"v2.0.0", "v1.2.0"}, {"v2.1.4", "v1.3.4"}, {"v3.0.0", ""}, {"", ""},
	} {
		var got string
		if err := must.Catch(func() { got = versionOneOf(c.library) }); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s goes with %q, %v, want %q", c.library, got, err, c.want)
		}
	}
}
