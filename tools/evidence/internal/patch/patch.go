// Package patch changes a copy of the library, for go test -overlay. So tests can
// try a changed library, and the library needs no hooks for them.
package patch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

// Edit replaces the text old, which the file has once, by new. In old, $x stands for
// a local name, whichever it is, the same at each place, and in new for that name: so
// an edit outlives a renaming. The file is named by its path below the root, with
// slashes. Edits of one file build on one another.
func (p *Patch) Edit(file, old, new string) error {
	source, changed := p.sources[file]
	if !changed {
		b, err := os.ReadFile(p.path(file))
		if err != nil {
			return err
		}
		source = string(b)
	}
	found := find(source, old)
	if len(found) != 1 {
		return fmt.Errorf("%s has %q %d times: bring this patch up to date", file, old, len(found))
	}
	m := found[0]
	for _, v := range variable.FindAllString(new, -1) {
		if m.names[v] == "" {
			return fmt.Errorf("%s: %q does not say what %s is in %q", file, old, v, new)
		}
	}
	new = variable.ReplaceAllStringFunc(new, func(v string) string { return m.names[v] })
	p.sources[file] = source[:m.from] + new + source[m.to:]
	return nil
}

// variable is what stands for a name. An operand of assembly is none: it begins with a digit.
var variable = regexp.MustCompile(`\$[A-Za-z]\w*`)

// A match is a place in a source, and what the variables are there.
type match struct {
	from, to int
	names    map[string]string
}

// find returns the places in a source where a pattern is.
func find(source, pattern string) (found []match) {
	var expression strings.Builder
	variables, from := variable.FindAllStringIndex(pattern, -1), 0
	for _, v := range variables {
		expression.WriteString(regexp.QuoteMeta(pattern[from:v[0]]) + `\b([\pL_][\pL_\d]*)\b`)
		from = v[1]
	}
	expression.WriteString(regexp.QuoteMeta(pattern[from:]))
next:
	for _, at := range regexp.MustCompile(expression.String()).FindAllStringSubmatchIndex(source, -1) {
		m := match{at[0], at[1], make(map[string]string)}
		for i, v := range variables {
			name, from, to := pattern[v[0]:v[1]], at[2*i+2], at[2*i+3]
			if known := m.names[name]; known != "" && known != source[from:to] || from > 0 && source[from-1] == '.' {
				continue next // of different names, or with a field or a method
			}
			m.names[name] = source[from:to]
		}
		found = append(found, m)
	}
	return found
}

// Sources returns the changed files by their absolute paths.
func (p *Patch) Sources() map[string]string {
	changed := make(map[string]string)
	for file, source := range p.sources {
		changed[p.path(file)] = source
	}
	return changed
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
