// Package dropin shows that the modules in the folder compat can replace the modules of other projects: it runs the
// same programs, and the tests of the other projects, with and without the replacement.
package dropin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"p256k1.mleku.dev/v2/internal/libtest"
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
	root   = libtest.Must(filepath.Abs("../../.."))
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
	musig2 = btcec.as("musig2")
	// erigon is Erigon's module, which calls libsecp256k1 by cgo, so without the replacement its programs need a C
	// compiler.
	erigon = &dropIn{
		path:     "github.com/erigontech/secp256k1",
		versions: []string{"v1.3.0", "v1.2.0"},
		name:     "erigon",
		dir:      filepath.Join(root, "compat/erigon"),
	}
)

// as returns the same module with the program in another folder of testdata/others.
func (d dropIn) as(name string) *dropIn {
	d.name = name
	return &d
}

// notShort skips a test that builds many programs if -short is set. The release gate does not set -short.
func notShort(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
}

// needC skips the test, or fails it in CI, if the original module does not build on this machine: Erigon's module
// contains libsecp256k1 and needs a C compiler.
func (d *dropIn) needC(t *testing.T) {
	t.Helper()
	if d == erigon && strings.TrimSpace(mustRun(t, ".", "go", "env", "CGO_ENABLED")) != "1" {
		libtest.Untested(t, d.path, " needs cgo, and this machine has no C compiler")
	}
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

// editMod changes go.mod in dir.
func editMod(t *testing.T, dir string, args ...string) {
	t.Helper()
	mustRun(t, dir, "go", append([]string{"mod", "edit"}, args...)...)
}

// write writes a file in dir.
func write(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	libtest.Check(t, os.WriteFile(filepath.Join(dir, name), content, 0o666))
}

// read returns the content of a file.
func read(name ...string) []byte { return libtest.Must(os.ReadFile(filepath.Join(name...))) }

// addSums appends the lines of a module's go.sum, if it has one, to go.sum in dir, if there is one.
func addSums(t *testing.T, dir, module string) {
	t.Helper()
	sums, _ := os.ReadFile(filepath.Join(dir, "go.sum"))
	more, _ := os.ReadFile(filepath.Join(module, "go.sum"))
	write(t, dir, "go.sum", append(sums, more...))
}

// replace adds to the go.mod in dir the lines that the README of this project's module gives to users.
func replace(t *testing.T, dir string, d *dropIn) {
	t.Helper()
	editMod(t, dir, "-replace", "p256k1.mleku.dev/v2="+root)
	for m := d; m != nil; m = m.needs {
		editMod(t, dir, "-replace", m.path+"="+m.dir)
		addSums(t, dir, m.dir)
	}
}

// copied returns a writable copy of a folder.
func copied(t *testing.T, dir string) string {
	t.Helper()
	target := t.TempDir()
	libtest.Check(t, os.CopyFS(target, os.DirFS(dir)))
	return target
}

// original returns a folder with the given version of a module.
func original(t *testing.T, path, version string) string {
	t.Helper()
	dir := t.TempDir()
	var m struct{ Dir, Zip, Error string }
	text, err := run(t, dir, nil, "go", "mod", "download", "-json", path+"@"+version)
	libtest.Check(t, json.Unmarshal([]byte(text), &m))
	if m.Zip == "" {
		t.Fatal(err, m.Error)
	}
	if m.Dir == "" {
		// The module requires a newer version of Go, so the go command has not unpacked it. Its tests do not need the
		// newer version, so unpack the archive.
		m.Dir = filepath.Join(dir, "unpacked")
		libtest.Check(t, zip.Unzip(m.Dir, module.Version{Path: path, Version: version}, m.Zip))
		m.Dir = copied(t, m.Dir)
		editMod(t, m.Dir, "-go=1.26.0")
	}
	return m.Dir
}

// program returns a copy of the program in testdata/others that calls all functions of the given version of the
// original module.
func program(t *testing.T, d *dropIn, version string) string {
	t.Helper()
	dir := copied(t, filepath.Join("testdata/others", d.name))
	write(t, dir, "calls.go", read("testdata/others/calls.go"))
	theirs := original(t, d.path, version)
	editMod(t, dir, "-require", d.path+"@"+version, "-replace", d.path+"="+theirs)
	addSums(t, dir, theirs)
	return dir
}

// build builds the program in dir, with additional arguments, and returns the path of the executable.
func build(t *testing.T, dir, version, name string, args ...string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	mustRun(t, dir, "go", slices.Concat([]string{"build", "-tags", version, "-o", name}, args)...)
	return name
}

// command builds the program p256k1 and returns its path.
func command(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p256k1")
	text, err := run(t, root, []string{"GOFLAGS=", "GOWORK="}, "go", "build", "-o", name, "./cmd/p256k1")
	if err != nil {
		t.Fatal(text)
	}
	return name
}
