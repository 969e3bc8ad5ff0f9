package native

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Kind is a C library.
type Kind string

// The libraries that can be built.
const (
	Libsecp256k1 Kind = "libsecp256k1"
	OpenSSL      Kind = "openssl"
)

// manifestName marks a directory in which every file is complete.
const manifestName = "build.json"

// recipe holds what decides how a release is built. The C files are in a
// directory of their own because the go command refuses them in a package that
// does not use cgo.
//
//go:embed source libsecp256k1.go openssl.go
var recipe embed.FS

// A Release is one version of a C library and the crate that carries its source.
type Release struct {
	Kind     Kind
	Version  string // names the result; no slashes
	Crate    string // name of the crate
	Release  string // version of the crate
	Checksum string // SHA-256 of the crate's archive, in hexadecimal
}

// Build says where the results are and what made them.
type Build struct {
	// Library is the shared library with the C API under its upstream names.
	Library string `json:"-"`
	// Bench and BenchInternal are, of libsecp256k1, upstream's src/bench.c and
	// src/bench_internal.c, statically linked with the same code. Versions before
	// 2021 have no such single programs.
	Bench         string `json:"-"`
	BenchInternal string `json:"-"`

	Version  string   `json:"version"`
	Revision string   `json:"revision"` // of the upstream repository, where the crate says
	Compiler string   `json:"compiler"`
	Flags    []string `json:"flags"`
	// Settings says in words what was chosen where the version left a choice.
	Settings []string `json:"settings,omitempty"`
	Crate    string   `json:"crate"`
	Checksum string   `json:"checksum"`
	// SHA256 is that of the library.
	SHA256 string `json:"sha256"`
}

// cacheRoot is where builds, and the logs of failed ones, are.
func cacheRoot() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("native: no cache directory for the build: %w", err)
	}
	return filepath.Join(cache, "p256k1"), nil
}

// directory is where Ensure puts its results: one place per recipe, so that an
// edit to the recipe can never be answered with what an older one made.
func (r Release) directory() (string, error) {
	cache, err := cacheRoot()
	if err != nil {
		return "", err
	}
	root := "openssl.go"
	if r.Kind == Libsecp256k1 {
		root = "."
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", r)
	err = fs.WalkDir(recipe, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || r.Kind == Libsecp256k1 && name == "openssl.go" {
			return err
		}
		b, err := recipe.ReadFile(name)
		fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(b))
		return err
	})
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s-%s-%s-%s-%s", r.Kind, r.Version, runtime.GOOS, runtime.GOARCH,
		hex.EncodeToString(h.Sum(nil)[:6]))
	return filepath.Join(cache, name), nil
}

// Cached returns what an earlier Ensure built, and an error that wraps
// [fs.ErrNotExist] if there is nothing.
func (r Release) Cached() (Build, error) {
	dir, err := r.directory()
	if err != nil {
		return Build{}, err
	}
	return r.load(dir)
}

func (r Release) load(dir string) (Build, error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		hint := ""
		if r == Current {
			hint = fmt.Sprintf(", run %q", Command)
		}
		return Build{}, fmt.Errorf("native: %s %s is not built%s: %w", r.Kind, r.Version, hint, err)
	}
	var build Build
	if err := json.Unmarshal(b, &build); err != nil {
		return Build{}, fmt.Errorf("native: %s in %s: %w", manifestName, dir, err)
	}
	build.Library = filepath.Join(dir, r.libraryName())
	for _, program := range []struct {
		name string
		path *string
	}{{"bench", &build.Bench}, {"bench_internal", &build.BenchInternal}} {
		if file := filepath.Join(dir, program.name); exists(file) {
			*program.path = file
		}
	}
	return build, nil
}

func (r Release) libraryName() string {
	name := "libsecp256k1"
	if r.Kind == OpenSSL {
		name = "libcrypto"
	}
	if runtime.GOOS == "darwin" {
		return name + ".dylib"
	}
	return name + ".so"
}

// Ensure returns the build of the release in the user's cache, building it if
// it is missing or if another compiler built it. It needs cargo and a C
// compiler ($CC, or cc), and for OpenSSL make and perl. What it does goes to
// log, a line a step. If a command fails, its whole output is kept in a file
// that the error names.
func (r Release) Ensure(ctx context.Context, log io.Writer) (Build, error) {
	switch runtime.GOOS {
	case "windows", "js", "wasip1", "plan9":
		return Build{}, fmt.Errorf("native: building %s is not supported on %s", r.Kind, runtime.GOOS)
	}
	dir, err := r.directory()
	if err != nil {
		return Build{}, err
	}
	cc, compiler, err := findCompiler(ctx)
	if err != nil {
		return Build{}, err
	}
	if b, err := r.load(dir); err == nil && b.Compiler == compiler {
		return b, nil
	}

	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return Build{}, err
	}
	// The work is done in a sibling directory that takes its final name when it
	// is complete, so that neither an interruption nor a second build running at
	// the same time leaves half a result.
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "building-")
	if err != nil {
		return Build{}, err
	}
	defer os.RemoveAll(tmp)
	work, err := newWorkshop(tmp, cc, log)
	if err != nil {
		return Build{}, err
	}
	defer work.transcript.Close()

	build := Build{Version: r.Version, Compiler: compiler, Crate: r.Crate + " " + r.Release, Checksum: r.Checksum}
	if err := r.build(ctx, work, &build); err != nil {
		if ctx.Err() != nil {
			return Build{}, ctx.Err()
		}
		return Build{}, fmt.Errorf("native: %s %s: %w", r.Kind, r.Version, r.keepTranscript(work, err))
	}
	library, err := os.ReadFile(filepath.Join(work.out, r.libraryName()))
	if err != nil {
		return Build{}, err
	}
	build.SHA256 = fmt.Sprintf("%x", sha256.Sum256(library))
	manifest, err := json.MarshalIndent(build, "", "\t")
	if err != nil {
		return Build{}, err
	}
	if err := os.WriteFile(filepath.Join(work.out, manifestName), manifest, 0o644); err != nil {
		return Build{}, err
	}
	if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(r.keptTranscript(work))); err != nil {
		return Build{}, err
	}
	if err := os.Rename(work.out, dir); err != nil {
		// Another build may have been quicker.
		if b, loadErr := r.load(dir); loadErr == nil && b.Compiler == compiler {
			return b, nil
		}
		return Build{}, err
	}
	return r.load(dir)
}

func (r Release) build(ctx context.Context, work *workshop, build *Build) error {
	source := filepath.Join(work.dir, "source")
	if err := r.fetch(ctx, work, source); err != nil {
		return err
	}
	switch r.Kind {
	case Libsecp256k1:
		return r.buildLibsecp256k1(ctx, work, source, build)
	case OpenSSL:
		return r.buildOpenSSL(ctx, work, source, build)
	}
	return fmt.Errorf("unknown kind %q", r.Kind)
}

// keepTranscript moves the output of the commands to where the user can read it
// and says so.
func (r Release) keepTranscript(work *workshop, err error) error {
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		return err
	}
	kept := r.keptTranscript(work)
	if os.Rename(work.transcript.Name(), kept) != nil {
		return err
	}
	return fmt.Errorf("%w (whole output: %s)", err, kept)
}

func (r Release) keptTranscript(work *workshop) string {
	return filepath.Join(filepath.Dir(work.dir), fmt.Sprintf("%s-%s.log", r.Kind, r.Version))
}

// findCompiler returns the C compiler and the first line of its --version.
func findCompiler(ctx context.Context) (cc, version string, err error) {
	name := os.Getenv("CC")
	if name == "" {
		name = "cc"
	}
	cc, err = exec.LookPath(name)
	if err != nil {
		return "", "", fmt.Errorf("native: building a C library needs a C compiler: install one, or name one in $CC: %w", err)
	}
	out, err := exec.CommandContext(ctx, cc, "--version").Output()
	if err != nil {
		return "", "", fmt.Errorf("native: %s --version: %w", cc, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return cc, strings.TrimSpace(line), nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
