package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCheckFree(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		free  bool
	}{
		{"empty", nil, true},
		{"earlier build", map[string]string{"package.json": `{"name":"p256k1"}`, "p256k1.js": "", "index.html": ""}, true},
		{"other package", map[string]string{"package.json": `{"name":"other"}`}, false},
		{"package without a name", map[string]string{"package.json": `{}`, "p256k1.js": ""}, false},
		{"no package.json", map[string]string{"README.md": ""}, false},
		{"not JSON", map[string]string{"package.json": "p256k1"}, false},
	} {
		out := t.TempDir()
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := checkFree(out); (err == nil) != c.free {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := checkFree(filepath.Join(t.TempDir(), "new")); err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if checkFree(file) == nil {
		t.Error("a file is no folder")
	}
}
