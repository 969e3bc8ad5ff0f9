// Package patch changes a copy of the library, for go test -overlay. So tests can
// try a changed library, and the library needs no hooks for them.
package patch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Patch is a set of changed and added files of the library.
type Patch struct {
	root    string
	sources map[string]string // of changed files, by their names below the root
	files   map[string]string // what stands for files, by their names below the root
}

// New returns an empty patch of the library in the folder root.
func New(root string) (*Patch, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	return &Patch{root, map[string]string{}, map[string]string{}}, nil
}

// Edit replaces the text old, which the file has once, by new. The file is named by
// its path below the root, with slashes. Edits of one file build on one another.
func (p *Patch) Edit(file, old, new string) error {
	source, changed := p.sources[file]
	if !changed {
		b, err := os.ReadFile(p.path(file))
		if err != nil {
			return err
		}
		source = string(b)
	}
	if c := strings.Count(source, old); c != 1 {
		return fmt.Errorf("%s has %q %d times: bring this patch up to date", file, old, c)
	}
	p.sources[file] = strings.Replace(source, old, new, 1)
	return nil
}

// Files has every Go file below the folder dir stand for that of the same path below
// the root, whether there is one or not.
func (p *Patch) Files(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			var name string
			name, err = filepath.Rel(dir, path)
			p.files[filepath.ToSlash(name)] = path
		}
		return err
	})
}

// Write writes the changed files and overlay.json to the folder dir, and returns the
// path of overlay.json.
func (p *Patch) Write(dir string) (overlay string, err error) {
	replace := make(map[string]string)
	for file, path := range p.files {
		replace[p.path(file)] = path
	}
	for file, source := range p.sources {
		path := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			return "", err
		}
		replace[p.path(file)] = path
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, b, 0o600)
}

func (p *Patch) path(file string) string {
	return filepath.Join(p.root, filepath.FromSlash(file))
}
