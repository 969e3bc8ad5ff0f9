// Package dropin shows that the modules in the folder compat can replace the modules of other projects: it runs the
// same programs, and the tests of the other projects, with and without the replacement.
package dropin

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// A dropIn is a module of this project that replaces another project's module.
type dropIn struct {
	path     string   // path of the replaced module
	versions []string // versions that the module replaces; it has the whole API of the first version
	name     string   // name of its folders in testdata
	dir      string   // folder of this project's module
	needs    *dropIn  // module that has to be replaced, too
}

var (
	root   = must(filepath.Abs("../../.."))
	decred = &dropIn{
		path:     "github.com/decred/dcrd/dcrec/secp256k1/v4",
		versions: []string{"v4.4.1"},
		name:     "decred",
		dir:      filepath.Join(root, "compat/decred/v4"),
	}
	btcec = &dropIn{
		path:     "github.com/btcsuite/btcd/btcec/v2",
		versions: []string{"v2.5.1", "v2.3.6"},
		name:     "btcec",
		dir:      filepath.Join(root, "compat/btcec/v2"),
		needs:    decred,
	}
	// musig2 is btcec's package musig2, which has a separate program because its calls take more time.
	musig2 = &dropIn{path: btcec.path, versions: btcec.versions, name: "musig2", dir: btcec.dir, needs: decred}
	// erigon is Erigon's module, which calls libsecp256k1 by cgo, so without the replacement its programs need a C
	// compiler.
	erigon = &dropIn{
		path:     "github.com/erigontech/secp256k1",
		versions: []string{"v1.3.0", "v1.2.0"},
		name:     "erigon",
		dir:      filepath.Join(root, "compat/erigon"),
	}
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// notShort skips a test that builds many programs if -short is set. The release gate does not set -short.
func notShort(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
}

// buildsHere reports whether the original module builds on this machine: Erigon's module contains libsecp256k1 and
// needs a C compiler. Without a C compiler, buildsHere logs what is not tested, and fails the test if CI is set.
func (d *dropIn) buildsHere(t *testing.T) bool {
	t.Helper()
	if d != erigon || strings.TrimSpace(mustRun(t, ".", "go", "env", "CGO_ENABLED")) == "1" {
		return true
	}
	const lacks = "NOT TESTED: %s needs cgo, and this machine has no C compiler"
	if os.Getenv("CI") == "true" {
		t.Fatalf(lacks, d.path)
	}
	t.Logf(lacks, d.path)
	return false
}

// run runs a command in a folder as a user without a workspace would, and returns its output.
func run(t *testing.T, dir string, env []string, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), env...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func mustRun(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	text, err := run(t, dir, nil, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, text)
	}
	return text
}

// addSums appends the lines of a module's go.sum, if it has one, to go.sum in dir.
func addSums(t *testing.T, dir, module string) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(module, "go.sum"))
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	check(t, err)
	f, err := os.OpenFile(filepath.Join(dir, "go.sum"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	check(t, err)
	_, err = f.Write(sums)
	check(t, err)
	check(t, f.Close())
}

// replace adds to the go.mod in dir the lines that the README of this project's module gives to users.
func replace(t *testing.T, dir string, d *dropIn) {
	t.Helper()
	mustRun(t, dir, "go", "mod", "edit", "-replace", "p256k1.mleku.dev/v2="+root)
	for m := d; m != nil; m = m.needs {
		mustRun(t, dir, "go", "mod", "edit", "-replace", m.path+"="+m.dir)
		addSums(t, dir, m.dir)
	}
}

// copied returns a writable copy of a folder.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	check(t, os.CopyFS(to, os.DirFS(dir)))
	check(t, filepath.WalkDir(to, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(name, 0o777)
	}))
	return to
}

// original returns a folder with the given version of the original module.
func original(t *testing.T, d *dropIn, version string) string {
	t.Helper()
	dir := t.TempDir()
	var m struct{ Dir, Zip, Error string }
	text, err := run(t, dir, nil, "go", "mod", "download", "-json", d.path+"@"+version)
	check(t, json.Unmarshal([]byte(text), &m))
	if m.Zip == "" {
		t.Fatal(err, m.Error)
	}
	if m.Dir == "" {
		// The module requires a newer version of Go, so the go command has not unpacked it. Its tests do not need the
		// newer version, so unpack the archive.
		m.Dir = filepath.Join(dir, "unpacked")
		check(t, zip.Unzip(m.Dir, module.Version{Path: d.path, Version: version}, m.Zip))
		m.Dir = copied(t, m.Dir)
		mustRun(t, m.Dir, "go", "mod", "edit", "-go=1.26.0")
	}
	return m.Dir
}

// program returns a copy of the program in testdata/others that calls all functions of the given version of the
// original module.
func program(t *testing.T, d *dropIn, version string) string {
	t.Helper()
	dir := copied(t, filepath.Join("testdata/others", d.name))
	check(t, os.WriteFile(filepath.Join(dir, "calls.go"), must(os.ReadFile("testdata/others/calls.go")), 0o666))
	theirs := original(t, d, version)
	mustRun(t, dir, "go", "mod", "edit", "-require", d.path+"@"+version, "-replace", d.path+"="+theirs)
	addSums(t, dir, theirs)
	return dir
}
