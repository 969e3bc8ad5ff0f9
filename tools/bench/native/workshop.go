package native

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// A workshop is where one release is built.
type workshop struct {
	dir string // removed in the end
	out string // below dir: what is to be kept
	cc  string
	log io.Writer

	transcript *os.File // everything that the commands print
}

func newWorkshop(dir, cc string, log io.Writer) (*workshop, error) {
	w := &workshop{dir: dir, out: filepath.Join(dir, "out"), cc: cc, log: log}
	err := os.Mkdir(w.out, 0o755)
	if err == nil {
		w.transcript, err = os.Create(filepath.Join(dir, "transcript"))
	}
	return w, err
}

// run returns what a command wrote to its standard output. If it failed, the
// error ends with the last lines of all that it wrote.
func (w *workshop) run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	fmt.Fprintf(w.transcript, "$ %s %s\n", name, strings.Join(args, " "))
	var out, all bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Stdout = io.MultiWriter(&out, &all, w.transcript)
	cmd.Stderr = io.MultiWriter(&all, w.transcript)
	stopGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, lastLines(all.Bytes(), 12))
	}
	return out.Bytes(), nil
}

func lastLines(b []byte, n int) []byte {
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], []byte("\n"))
}

// fetch has cargo fetch the crate, compares the checksum of its archive, and
// unpacks it into the new directory dir.
func (r Release) fetch(ctx context.Context, work *workshop, dir string) error {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return fmt.Errorf("its source comes in the crate %s: install cargo (https://rustup.rs): %w", r.Crate, err)
	}
	// An empty package that depends on the crate. Nothing is built from it, and
	// nothing of the crate's own code, nor of what that depends on, is run.
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
	out, err := work.run(ctx, pkg, cargo, "metadata", "--format-version=1")
	if err != nil {
		return fmt.Errorf("fetching the crate %s: %w", r.Crate, err)
	}
	var metadata struct {
		Packages []struct {
			Name         string `json:"name"`
			ManifestPath string `json:"manifest_path"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(out, &metadata); err != nil {
		return fmt.Errorf("output of cargo metadata: %w", err)
	}
	for _, p := range metadata.Packages {
		if p.Name == r.Crate {
			return r.unpack(filepath.Dir(p.ManifestPath), dir)
		}
	}
	return fmt.Errorf("cargo metadata does not mention the crate %s", r.Crate)
}

// unpack unpacks the archive from which cargo made the directory unpacked.
// Cargo keeps registry/cache/<registry>/<crate>.crate beside
// registry/src/<registry>/<crate>/, whose files it never checks again.
func (r Release) unpack(unpacked, dir string) error {
	registry, crate := filepath.Split(unpacked)
	registry = filepath.Clean(registry)
	archive := filepath.Join(registry, "..", "..", "cache", filepath.Base(registry), crate+".crate")
	b, err := os.ReadFile(archive)
	if err != nil {
		return fmt.Errorf("the archive that cargo downloaded: %w", err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != r.Checksum {
		return fmt.Errorf("%s has the SHA-256 %x, which should be %s", filepath.Base(archive), sum, r.Checksum)
	}
	compressed, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return err
	}
	for files := tar.NewReader(compressed); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpacking %s: %w", filepath.Base(archive), err)
		}
		_, name, _ := strings.Cut(path.Clean(header.Name), "/")
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("unpacking %s: the name %q leaves its directory", filepath.Base(archive), header.Name)
		}
		target := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		content, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		// make compares times: generated files must not look older than their sources.
		mode := fs.FileMode(header.Mode) & 0o755
		if err := os.WriteFile(target, content, mode|0o600); err != nil {
			return err
		}
	}
}
