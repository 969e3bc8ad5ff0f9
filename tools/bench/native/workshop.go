package native

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A workshop is the directory in which one release is built.
type workshop struct {
	dir string // removed at the end
	out string // directory below dir for the files to keep
	cc  string
	log io.Writer
}

// run returns a command's standard output. If the command failed, the error ends with the last lines of its output.
func (w *workshop) run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	var out, all bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Stdout = io.MultiWriter(&out, &all)
	cmd.Stderr = &all
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		lines := bytes.Split(bytes.TrimSpace(all.Bytes()), []byte("\n"))
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, bytes.Join(lines[max(0, len(lines)-40):], []byte("\n")))
	}
	return out.Bytes(), nil
}

// fetch makes cargo download the crate, compares the checksum of its archive, and unpacks the archive into the new
// directory dir.
func (r Release) fetch(ctx context.Context, work *workshop, dir string) error {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return fmt.Errorf("its source comes in the crate %s: install cargo (https://rustup.rs): %w", r.Crate, err)
	}
	// This is an empty package that depends on the crate. Nothing is built from it, and no code of the crate or of its
	// dependencies is run.
	pkg := filepath.Join(work.dir, "cargo")
	if err := os.Mkdir(pkg, 0o755); err != nil {
		return err
	}
	toml := fmt.Sprintf("[package]\nname = \"source\"\nversion = \"0.0.0\"\nedition = \"2021\"\n"+
		"[lib]\npath = \"lib.rs\"\n[dependencies.%s]\nversion = \"=%s\"\ndefault-features = false\n[workspace]\n", r.Crate, r.Release)
	for name, content := range map[string]string{"Cargo.toml": toml, "lib.rs": ""} {
		if err := os.WriteFile(filepath.Join(pkg, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(work.log, "fetching the crate %s %s\n", r.Crate, r.Release)
	if _, err := work.run(ctx, pkg, cargo, "fetch"); err != nil {
		return fmt.Errorf("fetching the crate %s: %w", r.Crate, err)
	}
	return r.unpack(ctx, work, dir)
}

// unpack unpacks the archive that cargo downloaded from one of its registries. Cargo has also unpacked the archive, but
// it never checks the unpacked files again.
func (r Release) unpack(ctx context.Context, work *workshop, dir string) error {
	home := os.Getenv("CARGO_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		home = filepath.Join(user, ".cargo")
	}
	archives, err := filepath.Glob(filepath.Join(home, "registry", "cache", "*", r.Crate+"-"+r.Release+".crate"))
	if err != nil || len(archives) == 0 {
		return fmt.Errorf("no archive of the crate %s %s below %s: %w", r.Crate, r.Release, home, fs.ErrNotExist)
	}
	archive := archives[0]
	b, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != r.Checksum {
		return fmt.Errorf("%s has the SHA-256 %x, which should be %s", archive, sum, r.Checksum)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	// With -m, tar gives all files the current time. make compares times, and generated files must not look older than
	// their sources.
	_, err = work.run(ctx, dir, "tar", "-xzmf", archive, "--strip-components=1")
	return err
}
