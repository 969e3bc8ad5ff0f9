package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

func TestCheckFree(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) string {
		name = filepath.Join(dir, name)
		libtest.Check(t, os.WriteFile(name, nil, 0o666))
		return name
	}
	if err := errors.Join(checkFree(dir), checkFree(filepath.Join(dir, "new"))); err != nil {
		t.Error(err)
	}
	if file := write("package.json"); checkFree(dir) == nil || checkFree(file) == nil {
		t.Error("a file, or a folder with other files, is accepted")
	}
	write("p256k1.wasm")
	if err := checkFree(dir); err != nil {
		t.Errorf("an earlier build: %v", err)
	}
}
