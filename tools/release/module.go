package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// library is the path of the library's module. The paths of the other modules begin with it, unless a module replaces
// another project's module or is version 1.
const library = "p256k1.mleku.dev/v2"

// module is a module of the repository.
type module struct {
	dir     string // relative to the root, with slashes
	api     string // the version whose API it has, if it replaces another project's module and has its path
	private bool   // has no tag in this repository
	heavy   bool   // outside, and requires many modules of other projects, in versions that need not be the other modules' versions
	outside bool   // not in the workspace, so its go.mod replaces modules by folders, which has no effect for its users
	path    string
	file    *modfile.File
}

// table lists the modules. The modules for go-ethereum and Apache Beam require so many others that they are not in the
// workspace.
var table = []module{
	{dir: "."},
	{dir: "cmd/p256k1"},
	{dir: "ethereum"},
	{dir: "ethereum/geth", outside: true, heavy: true},
	{dir: "nostr"},
	{dir: "protocols"},
	{dir: "scale", outside: true, heavy: true},
	{dir: "compat/btcec/v2", api: "v2.5.1", outside: true},
	{dir: "compat/decred/v4", api: "v4.4.1", outside: true},
	{dir: "compat/erigon", api: "v1.3.0", outside: true},
	{dir: versionOne, outside: true, private: true},
	{dir: "tools", private: true},
}

// versionOne is the folder of the next version of version 1, which has a separate repository.
const versionOne = "compat/v1"

// versions are the versions of one release: the library's version, and the version of all modules around it.
// docs/releasing.md explains them.
type versions struct{ library, around string }

// of returns the version of a module of this project that does not replace another project's module.
func (v versions) of(path string) string {
	if path == library {
		return v.library
	}
	return v.around
}

// as returns the path and the version that the module has in a release.
func (m *module) as(v versions) modpath.Version {
	if m.api != "" {
		return modpath.Version{Path: library + "/" + m.dir, Version: m.api + "-p256k1." + strings.TrimPrefix(v.around, "v")}
	}
	return modpath.Version{Path: m.path, Version: v.of(m.path)}
}

// tag returns the name of the tag that makes the go command find a version of the module.
func (m *module) tag(v versions) string {
	_, major, _ := modpath.SplitPathVersion(m.path) // for example v4, which both the folder and the version contain
	return path.Join(strings.TrimSuffix(m.dir, major), m.as(v).Version)
}

// tags returns the names of the tags of a release.
func (r *release) tags(v versions) (names []string) {
	for _, m := range r.modules {
		if !m.private {
			names = append(names, m.tag(v))
		}
	}
	return names
}

func isOurs(path string) bool { return path == library || strings.HasPrefix(path, library+"/") }

// readModules returns the modules of the tree at root.
func readModules(root string) (all []*module) {
	for _, m := range table {
		name := filepath.Join(root, m.dir, "go.mod")
		text, err := os.ReadFile(name)
		if err != nil {
			must.Fail("%w: run it in the root of the repository", err)
		}
		m.file = must.Get(modfile.Parse(name, text, nil))
		m.path = m.file.Module.Mod.Path
		all = append(all, &m)
	}
	return all
}

// version checks that the go.mod files can be published and agree with each other, and returns the versions that the
// modules require of each other.
func (r *release) version() versions {
	var errs []error
	ours := make(map[string]*module)
	for _, m := range r.modules {
		ours[m.path] = m
	}
	required := make(map[string]string) // the versions of the library, of the modules around it (""), and of other projects' modules
	for _, m := range r.modules {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s: "+format, append([]any{m.file.Syntax.Name}, args...)...))
		}
		if !m.outside && len(m.file.Replace)+len(m.file.Exclude) > 0 {
			bad("has replace or exclude, with which go install refuses a module")
		}
		for _, replace := range m.file.Replace {
			to := ours[replace.Old.Path]
			if m.outside && (to == nil || replace.Old.Version != "" || path.Join(m.dir, replace.New.Path) != to.dir) {
				bad("replaces %s by %s, which is not of this tree", replace.Old, replace.New)
			}
		}
		for _, require := range m.file.Require {
			path, v := require.Mod.Path, require.Mod.Version
			needed := ours[path]
			key := path
			switch {
			case needed != nil && needed.api != "" && m.api != "":
				if v != needed.api {
					bad("requires %s %s, which this tree replaces with the API of %s", path, v, needed.api)
				}
				continue
			case !isOurs(path) && m.heavy:
				continue
			case isOurs(path) && needed == nil:
				bad("%s is not in this repository", path)
			case isOurs(path) && needed.private:
				bad("%s will not be published", path)
			case isOurs(path) && path != library:
				key = ""
			}
			if cmp.Or(required[key], v) != v {
				bad("requires %s %s, others %s", path, v, required[key])
			}
			required[key] = v
		}
	}
	v := versions{required[library], required[""]}
	if v.library == "" || v.around == "" {
		errs = append(errs, fmt.Errorf("the modules require %q: a version of the library or of the modules around it is missing", v))
	}
	must.Do(errors.Join(errs...))
	return v
}

// setVersion writes the versions that the modules require of each other into go.mod and go.work.
func (r *release) setVersion(v versions) {
	for _, m := range r.modules {
		for _, require := range m.file.Require {
			if isOurs(require.Mod.Path) {
				must.Do(m.file.AddRequire(require.Mod.Path, v.of(require.Mod.Path)))
			}
		}
		text := must.Get(m.file.Format())
		must.Do(os.WriteFile(m.file.Syntax.Name, text, 0o666))
	}
	name := filepath.Join(r.root, "go.work")
	text := must.Get(os.ReadFile(name))
	work := must.Get(modfile.ParseWork(name, text, nil))
	for _, replace := range work.Replace {
		if path := replace.Old.Path; isOurs(path) {
			replace.Syntax.Token[len(replace.Syntax.Token)-3] = v.of(path) // path version => folder
		}
	}
	must.Do(os.WriteFile(name, modfile.Format(work.Syntax), 0o666))
}

// tidy tidies all modules. The go command alone would look for releases of this project's modules that a module
// requires. While it runs, each go.mod of the workspace therefore replaces these modules by the folders of this tree.
// It is restored even after an error or an interruption.
func (r *release) tidy(ctx context.Context) {
	r.version()
	replace, restore := []string{"mod", "edit"}, []string{"mod", "edit"}
	for _, m := range r.modules {
		if m.api == "" {
			replace = append(replace, "-replace="+m.path+"="+filepath.Join(r.root, m.dir))
			restore = append(restore, "-dropreplace="+m.path)
		}
	}
	for _, m := range r.modules {
		steps := [][]string{replace, {"mod", "tidy"}, restore}
		if m.outside { // its go.mod already leads to the tree
			steps = steps[1:2]
		}
		err := ctx.Err()
		for _, step := range steps {
			_, failed := command(context.WithoutCancel(ctx), filepath.Join(r.root, m.dir), append(os.Environ(), "GOWORK=off", "GOFLAGS="), "go", step...)
			err = errors.Join(err, failed)
		}
		if err != nil {
			must.Fail("%w: %w", errUntried, err)
		}
	}
}
