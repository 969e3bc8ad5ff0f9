package native

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A workshop is the directory in which one release is built. Its methods panic with errors as package must does.
type workshop struct {
	ctx context.Context
	dir string // removed at the end
	out string // directory below dir for the files to keep
	cc  string
	log io.Writer
}

// fail panics with an error and says what failed, if err is not nil.
func (w *workshop) fail(what string, err error) {
	if err != nil {
		must.Fail("%s: %w", what, err)
	}
}

// run logs what it does and runs a command. If the command failed, the error ends with the last lines of its output.
func (w *workshop) run(what, dir, name string, args ...string) {
	fmt.Fprintln(w.log, what)
	cmd := exec.CommandContext(w.ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
		w.fail(what, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, bytes.Join(lines[max(0, len(lines)-40):], []byte("\n"))))
	}
}

// read returns the contents of a file.
func (w *workshop) read(file string) []byte {
	b, err := os.ReadFile(file)
	w.fail("reading", err)
	return b
}

// write writes a file, and makes its folder.
func (w *workshop) write(file string, content []byte, mode fs.FileMode) {
	w.fail("writing", errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, content, mode)))
}

// fetch makes cargo download the crate, compares the checksum of its archive, and unpacks the archive into the new
// directory dir.
func (w *workshop) fetch(r Release, dir string) {
	cargo, err := exec.LookPath("cargo")
	w.fail(fmt.Sprintf("its source comes in the crate %s: install cargo (https://rustup.rs)", r.Crate), err)
	// This is an empty package that depends on the crate. Nothing is built from it, and no code of the crate or of its
	// dependencies is run.
	pkg := filepath.Join(w.dir, "cargo")
	toml := fmt.Sprintf("[package]\nname = \"source\"\nversion = \"0.0.0\"\nedition = \"2021\"\n"+
		"[lib]\npath = \"lib.rs\"\n[dependencies.%s]\nversion = \"=%s\"\ndefault-features = false\n[workspace]\n", r.Crate, r.Release)
	w.write(filepath.Join(pkg, "Cargo.toml"), []byte(toml), 0o644)
	w.write(filepath.Join(pkg, "lib.rs"), nil, 0o644)
	w.run(fmt.Sprintf("fetching the crate %s %s", r.Crate, r.Release), pkg, cargo, "fetch")
	w.unpack(r, dir)
}

// unpack unpacks the archive that cargo downloaded from one of its registries. Cargo has also unpacked the archive, but
// it never checks the unpacked files again.
func (w *workshop) unpack(r Release, dir string) {
	home := os.Getenv("CARGO_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		w.fail("looking for cargo's folder", err)
		home = filepath.Join(user, ".cargo")
	}
	crate := filepath.Join(home, "registry", "cache", "*", r.Crate+"-"+r.Release)
	archives, err := filepath.Glob(crate + ".crate")
	if len(archives) == 0 { // the version of some crates has build metadata, such as the version of OpenSSL
		archives, err = filepath.Glob(crate + "+*.crate")
	}
	if err != nil || len(archives) == 0 {
		w.fail(fmt.Sprintf("no archive of the crate %s %s below %s", r.Crate, r.Release, home), fs.ErrNotExist)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(w.read(archives[0]))); sum != r.Checksum {
		w.fail(archives[0], fmt.Errorf("has the SHA-256 %s, which should be %s", sum, r.Checksum))
	}
	w.fail("unpacking", os.Mkdir(dir, 0o755))
	// With -m, tar gives all files the current time. make compares times, and generated files must not look older than
	// their sources.
	w.run("unpacking", dir, "tar", "-xzmf", archives[0], "--strip-components=1")
}
