package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// errUntried means that the release may be good but could not be tried, because the machine lacks something, or other
// projects' modules cannot be downloaded.
var errUntried = errors.New("the release could not be tried")

// A trial has the environment of a user: go commands with an empty module cache, outside the workspace, and a host that
// serves this tree with the tags of a release.
type trial struct {
	*release
	versions versions
	dir      string
	cache    string   // the module cache
	network  []string // environment in which all modules but this project's can be downloaded
	hosted   []string // environment in which this project's modules can be downloaded; others come only from the cache
}

// newTrial starts a host, which ends with ctx.
func (r *release) newTrial(ctx context.Context, v versions) *trial {
	dir := must.Get(os.MkdirTemp(r.dir, "trial"))
	t := &trial{release: r, versions: v, dir: dir, cache: filepath.Join(dir, "cache")}
	t.makeRepositories(ctx)
	known := must.Get(command(ctx, r.root, nil, "go", "env", "GOMODCACHE", "GOPROXY"))
	users, proxies, _ := strings.Cut(strings.TrimSpace(known), "\n")
	t.network = append(os.Environ(),
		"GOWORK=off", "GOENV=off", "GOFLAGS=-modcacherw -trimpath", // so that compiled packages are reused although the folder differs
		"GOMODCACHE="+t.cache, "GOBIN="+filepath.Join(dir, "bin"), "GOPROXY="+asProxy(users)+","+proxies,
	)
	hosted := append(host(ctx, dir), "GOPRIVATE="+domain, "GONOPROXY="+domain, "GOSUMDB=off", "GOPROXY="+asProxy(t.cache))
	t.hosted = slices.Concat(t.network, hosted)
	return t
}

// asProxy returns the value of GOPROXY for a module cache.
func asProxy(cache string) string {
	return "file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download"))
}

// makeRepositories makes the repositories that the host serves. The first is a copy of this repository, whose last
// commit has the files of this tree, committed or not, and the tags of the release. The other has an earlier library.
func (t *trial) makeRepositories(ctx context.Context) {
	v1 := t.folder(map[string]string{
		"go.mod": "module " + domain + "\n\ngo 1.21\n",
		"v1.go":  "package p256k1\n\nfunc ECSeckeyVerify(b []byte) bool { return b[31] == 1 }\n",
	})
	v1git, v2git := filepath.Join(t.dir, "v1.git"), filepath.Join(t.dir, "v2.git")
	t.git(ctx, "init", "-q", "--bare", v1git)
	t.git(ctx, "clone", "-q", "--bare", t.root, v2git)
	commitAll(ctx, v1, v1git, "v1.1.2")
	commitAll(ctx, t.root, v2git, t.tags(t.versions)...)
}

// commitAll commits the files of a folder to a bare repository and tags the commit.
func commitAll(ctx context.Context, dir, repository string, tags ...string) {
	env := append(os.Environ(), "GIT_DIR="+repository, "GIT_WORK_TREE="+dir, "GIT_INDEX_FILE="+filepath.Join(repository, "index"))
	steps := [][]string{
		{"add", "--all"},
		{"-c", "user.name=release", "-c", "user.email=", "commit", "-q", "--allow-empty", "--message", "release"},
	}
	if _, err := command(ctx, dir, env, "git", "rev-parse", "--verify", "-q", "HEAD"); err == nil {
		steps = slices.Insert(steps, 0, []string{"read-tree", "HEAD"}) // so that files which are ignored but committed stay
	}
	for _, tag := range tags {
		steps = append(steps, []string{"tag", "--force", tag})
	}
	for _, step := range steps {
		must.Get(command(ctx, dir, env, "git", step...))
	}
}

// folder makes a new folder with files.
func (t *trial) folder(files map[string]string) string {
	dir := must.Get(os.MkdirTemp(t.dir, "folder"))
	for name, text := range files {
		name = filepath.Join(dir, name)
		must.Do(os.MkdirAll(filepath.Dir(name), 0o777))
		must.Do(os.WriteFile(name, []byte(text), 0o666))
	}
	return dir
}

// fetch downloads the modules that m requires in the commit with the given tag, and returns m's go.mod.
func (t *trial) fetch(ctx context.Context, tag string, m *module) *modfile.File {
	show := func(name string) string {
		repository := filepath.Join(t.dir, "v2.git")
		return must.Get(command(ctx, repository, nil, "git", "show", tag+":"+path.Join(m.dir, name)))
	}
	return t.download(ctx, show("go.mod"), show("go.sum"))
}

// download fills the cache with the modules of other projects that a go.mod requires. The go command compares their
// checksums with a go.sum.
func (t *trial) download(ctx context.Context, mod, sum string) *modfile.File {
	file := must.Get(modfile.Parse("go.mod", []byte(mod), nil))
	others := "module others\n\ngo 1.26.0\n"
	for _, require := range file.Require {
		if m := require.Mod; !isOurs(m.Path) {
			others += "\nrequire " + m.Path + " " + m.Version + "\n"
		}
	}
	dir := t.folder(map[string]string{"go.mod": others, "go.sum": sum})
	if _, err := command(ctx, dir, t.network, "go", "mod", "download"); err != nil {
		must.Fail("%w: %w", errUntried, err)
	}
	return file
}

// step is a command, and a regular expression that its output must match.
type step struct{ command, says string }

// run runs commands in a folder.
func (t *trial) run(ctx context.Context, dir string, steps ...step) (err error) {
	defer must.Recover(&err)
	for _, s := range steps {
		words := strings.Fields(s.command)
		name := words[0]
		if name == "p256k1" {
			name = filepath.Join(t.dir, "bin", name)
		}
		out := must.Get(command(ctx, dir, t.hosted, name, words[1:]...))
		if !regexp.MustCompile(s.says).MatchString(out) {
			return fmt.Errorf("%s: printed %q, want %s", s.command, out, s.says)
		}
		t.say("works: %s", s.command)
	}
	return nil
}
