package rules

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ceiling is the largest number of lines that the tools around the library may have: Go, Python and JavaScript in
// tools, cmd and scale, including tests but not the data that tests read. A tool must be worth the time that a reviewer
// needs for it.
const ceiling = 66_302

// TestModules fails if the modules are not those of the list, if the tools have more lines than ceiling, or if a module
// around the library imports an internal package of the library, which may change in the next version
// (docs/releasing.md).
func TestModules(t *testing.T) {
	want := []string{".", "cmd/p256k1", "compat/btcec/v2", "compat/decred/v4", "compat/erigon", "compat/v1", "ethereum", "ethereum/geth", "nostr", "protocols", "scale", "tools"}
	published := want[1 : len(want)-1] // all modules except the library and tools
	var modules []string
	lines := make(map[string]int)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (d.Name()[0] == '.' || slices.Contains([]string{"testdata", "node_modules", "dist"}, d.Name())) {
				return filepath.SkipDir
			}
			return nil
		}
		name = filepath.ToSlash(name)
		dir := filepath.ToSlash(filepath.Dir(name))
		if d.Name() == "go.mod" {
			modules = append(modules, dir)
		}
		if top, _, _ := strings.Cut(name, "/"); slices.Contains([]string{"tools", "cmd", "scale"}, top) &&
			slices.Contains([]string{".go", ".py", ".js"}, filepath.Ext(name)) {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			lines[top] += bytes.Count(text, []byte("\n"))
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") ||
			!slices.ContainsFunc(published, func(m string) bool { return strings.HasPrefix(name, m+"/") }) {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if strings.HasPrefix(path, module+"/internal/") {
				t.Errorf("%s imports %s, which may change from one version of the library to the next", name, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(modules)
	if !slices.Equal(modules, want) {
		t.Errorf("modules %q, want %q: docs/releasing.md and tools/release have those of the list", modules, want)
	}
	total := 0
	for _, n := range lines {
		total += n
	}
	t.Logf("result: %d lines of tools, %v, of %d", total, lines, ceiling)
	if total > ceiling || len(lines) != 3 {
		t.Errorf("the tools have %d lines, %v, more than %d", total, lines, ceiling)
	}
}
