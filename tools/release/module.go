package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"
)

// library is the path of the library's module. Those of the others begin with it.
const library = "p256k1.mleku.dev/v2"

// published holds the folders of the modules that get tags. The others are for work in a clone.
var published = []string{".", "cmd/p256k1", "nostr", "protocols", beam}

// versions are those of one release: the library's, and the one that all modules around it have. docs/releasing.md says how
// they go together.
type versions struct{ library, around string }

// beam is the folder of the module on Apache Beam. It needs so many modules that it is not in the workspace either.
const beam = "scale"

// dropIns are the folders of the modules in others' places, and the version whose API each has. They have others' paths, so they
// are not in the workspace, and lead to the tree by replace, which those who require them do not see.
var dropIns = map[string]string{"compat/decred/v4": "v4.4.1", "compat/btcec/v2": "v2.5.1"}

// module is one of the workspace, on Apache Beam, or in another's place.
type module struct {
	path string
	dir  string // relative to the root, with slashes
	file *modfile.File
}

func (m *module) isDropIn() bool { return dropIns[m.dir] != "" }

// isOutside reports whether the module is not in the workspace: it leads to the tree by replace.
func (m *module) isOutside() bool { return m.isDropIn() || m.dir == beam }

func (m *module) published() bool { return slices.Contains(published, m.dir) || m.isDropIn() }

// of returns the version of a module of ours that is not in another's place.
func (v versions) of(path string) string {
	if path == library {
		return v.library
	}
	return v.around
}

// as returns the path and the version that the module has in a release.
func (m *module) as(v versions) modpath.Version {
	if m.isDropIn() {
		return modpath.Version{Path: library + "/" + m.dir, Version: dropIns[m.dir] + "-p256k1." + strings.TrimPrefix(v.around, "v")}
	}
	return modpath.Version{Path: m.path, Version: v.of(m.path)}
}

// tag returns the name of the tag that makes the go command find a version of the module.
func (m *module) tag(v versions) string {
	version := m.as(v).Version
	switch {
	case m.dir == ".":
		return version
	case m.isDropIn(): // without its folder's v4, since the version has it
		return path.Dir(m.dir) + "/" + version
	}
	return m.dir + "/" + version
}

func isOurs(path string) bool { return path == library || strings.HasPrefix(path, library+"/") }

// readModules returns the modules of the workspace at root, and those outside it.
func readModules(root string) ([]*module, error) {
	name := filepath.Join(root, "go.work")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: run it in the root of the repository", err)
	}
	work, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return nil, err
	}
	var all []*module
	var dirs []string
	for _, use := range work.Use {
		dirs = append(dirs, filepath.ToSlash(filepath.Clean(use.Path)))
	}
	for _, dir := range slices.Concat(dirs, []string{beam}, slices.Sorted(maps.Keys(dropIns))) {
		name := filepath.Join(root, dir, "go.mod")
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := modfile.Parse(name, text, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, &module{file.Module.Mod.Path, dir, file})
	}
	return all, nil
}

// version makes sure that the go.mod files are fit to be published and agree with one another, and returns the versions which
// the modules require of one another.
func (r *release) version() (versions, error) {
	var errs []error
	ours := make(map[string]*module)
	for _, m := range r.modules {
		ours[m.path] = m
	}
	relative := func(from, to string) string {
		to, _ = filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(to)) // both are relative
		return filepath.ToSlash(to)
	}
	required := make(map[bool]string) // the library's version, and the one of the modules around it
	direct := make(map[string]bool)   // outside modules that one of ours imports
	wanted := make(map[string]map[string][]string)
	for _, m := range r.modules {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("%s: "+format, append([]any{m.file.Syntax.Name}, args...)...))
		}
		switch {
		case m.isOutside():
			for _, replace := range m.file.Replace {
				if to := ours[replace.Old.Path]; to == nil || replace.Old.Version != "" || replace.New.Path != relative(m.dir, to.dir) {
					bad("replaces %s by %s, which is not of this tree", replace.Old, replace.New)
				}
			}
		case len(m.file.Replace)+len(m.file.Exclude) > 0:
			bad("has replace or exclude, with which go install refuses a module")
		}
		for _, require := range m.file.Require {
			path, v := require.Mod.Path, require.Mod.Version
			switch needed := ours[path]; {
			case needed != nil && needed.isDropIn() && m.isDropIn():
				if v != dropIns[needed.dir] {
					bad("requires %s %s, in whose place is the API of %s", path, v, dropIns[needed.dir])
				}
			case !isOurs(path) && m.dir == beam: // Beam's modules say which versions they need
			case !isOurs(path):
				direct[path] = direct[path] || !require.Indirect
				if wanted[path] == nil {
					wanted[path] = make(map[string][]string)
				}
				wanted[path][v] = append(wanted[path][v], m.dir)
			case needed == nil:
				bad("%s is not in the workspace", path)
			case m.published() && !needed.published():
				bad("%s will not be published", path)
			case cmp.Or(required[path == library], v) != v:
				bad("requires %s %s, others %s", path, v, required[path == library])
			default:
				required[path == library] = v
			}
		}
	}
	for path, versions := range wanted {
		if direct[path] && len(versions) > 1 {
			errs = append(errs, fmt.Errorf("one version of %s is needed: %v", path, versions))
		}
	}
	v := versions{required[true], required[false]}
	if v.library == "" || v.around == "" {
		errs = append(errs, fmt.Errorf("the modules require %q of one another", v))
	}
	return v, errors.Join(errs...)
}

// setVersion writes the versions that the modules require of one another into go.mod and go.work.
func (r *release) setVersion(v versions) error {
	for _, m := range r.modules {
		for _, require := range m.file.Require {
			if isOurs(require.Mod.Path) {
				if err := m.file.AddRequire(require.Mod.Path, v.of(require.Mod.Path)); err != nil {
					return err
				}
			}
		}
		text, err := m.file.Format()
		if err != nil {
			return err
		}
		if err := os.WriteFile(m.file.Syntax.Name, text, 0o666); err != nil {
			return err
		}
	}

	name := filepath.Join(r.root, "go.work")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork(name, text, nil)
	if err != nil {
		return err
	}
	for _, old := range slices.Clone(work.Replace) {
		replace := *old // which DropReplace empties
		if !isOurs(replace.Old.Path) {
			continue
		}
		if err := work.DropReplace(replace.Old.Path, replace.Old.Version); err != nil {
			return err
		}
		if err := work.AddReplace(replace.Old.Path, v.of(replace.Old.Path), replace.New.Path, ""); err != nil {
			return err
		}
	}
	work.Cleanup()
	return os.WriteFile(name, modfile.Format(work.Syntax), 0o666)
}
