// Package dropin shows that the modules below compat can replace the modules of other
// projects: it runs the same program and the other projects' tests with and without them.
package dropin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// A dropIn is a module of ours in the place of another's.
type dropIn struct {
	path     string   // theirs
	versions []string // that it takes the place of: of the first it has the whole surface
	name     string   // of the folders of testdata
	dir      string   // ours
	needs    *dropIn  // which is to be replaced with it
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
	// musig2 is btcec with a program of its own, which takes more time.
	musig2 = &dropIn{path: btcec.path, versions: btcec.versions, name: "musig2", dir: btcec.dir, needs: decred}
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

// notShort skips a test that builds programs again and again, if -short is set. The release gate
// does not skip it.
func notShort(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
}

// run runs a command in a folder as a user would who has no workspace, and returns what it prints.
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

// addSums appends the checksums of a module's dependencies to the checksums in dir.
func addSums(t *testing.T, dir, module string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "go.sum"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	check(t, err)
	_, err = f.Write(must(os.ReadFile(filepath.Join(module, "go.sum"))))
	check(t, err)
	check(t, f.Close())
}

// replace writes into the go.mod of dir what our module's README tells users to write.
func replace(t *testing.T, dir string, d *dropIn) {
	t.Helper()
	mustRun(t, dir, "go", "mod", "edit", "-replace", "p256k1.mleku.dev/v2="+root)
	for m := d; m != nil; m = m.needs {
		mustRun(t, dir, "go", "mod", "edit", "-replace", m.path+"="+m.dir)
		addSums(t, dir, m.dir)
	}
}

// copied returns a copy of a folder that can be written to.
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

// original returns a folder with their module.
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
		// It wants a newer Go than there is, which does not matter to its tests. The archive is there, and not unpacked.
		m.Dir = filepath.Join(dir, "unpacked")
		check(t, zip.Unzip(m.Dir, module.Version{Path: d.path, Version: version}, m.Zip))
		m.Dir = copied(t, m.Dir)
		mustRun(t, m.Dir, "go", "mod", "edit", "-go=1.26.0")
	}
	return m.Dir
}

// program returns a copy of the program of testdata/others that calls all of their module, of that version.
func program(t *testing.T, d *dropIn, version string) string {
	t.Helper()
	dir := copied(t, filepath.Join("testdata/others", d.name))
	check(t, os.WriteFile(filepath.Join(dir, "calls.go"), must(os.ReadFile("testdata/others/calls.go")), 0o666))
	theirs := original(t, d, version)
	mustRun(t, dir, "go", "mod", "edit", "-require", d.path+"@"+version, "-replace", d.path+"="+theirs)
	addSums(t, dir, theirs)
	return dir
}
