package native

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A Kind is a C library.
type Kind string

// The libraries that can be built.
const (
	Libsecp256k1 Kind = "libsecp256k1"
	OpenSSL      Kind = "openssl"
)

// manifestName is the file that marks a directory in which every file is complete.
const manifestName = "build.json"

// recipe holds the files that decide how a release is built. The C files are in a separate directory because the go
// command refuses C files in a package that does not use cgo.
//
//go:embed source libsecp256k1.go openssl.go
var recipe embed.FS

// A Release is one version of a C library and the crate that carries its source.
type Release struct {
	Kind     Kind
	Version  string // name of the result, without slashes
	Crate    string // name of the crate
	Release  string // version of the crate
	Checksum string // SHA-256 of the crate's archive, in hexadecimal
	Arch     string // the GOARCH that it is built for, arm64, or "" for the GOARCH of this machine
}

func (r Release) arch() string { return cmp.Or(r.Arch, runtime.GOARCH) }

// Build says where the results are and how they were built.
type Build struct {
	// Library is the shared library with the C API under its upstream names.
	Library string `json:"-"`
	// Bench is the benchmark program, upstream's src/bench.c, statically linked with the same code as Library. It is
	// only built for the current libsecp256k1.
	Bench string `json:"-"`

	Version  string   `json:"version"`
	Revision string   `json:"revision"` // commit of the upstream repository, if the crate states it
	Compiler string   `json:"compiler"`
	Flags    []string `json:"flags"`
	// Settings describes the options that were chosen, as far as the version has options.
	Settings []string `json:"settings,omitempty"`
	Crate    string   `json:"crate"`
	Checksum string   `json:"checksum"`
	// SHA256 is the hash of the library.
	SHA256 string `json:"sha256"`
}

// directory returns the folder in which Ensure puts its results. Each recipe has a separate folder, so an edited recipe
// never returns the results of an older recipe.
func (r Release) directory() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		must.Fail("native: no cache directory for the build: %w", err)
	}
	files := []string{"openssl.go"}
	if r.Kind == Libsecp256k1 {
		files = []string{"libsecp256k1.go", "source/context.c", "source/context.h"}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", r)
	for _, name := range files {
		fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(must.Get(recipe.ReadFile(name))))
	}
	return filepath.Join(cache, "p256k1", fmt.Sprintf("%s-%s-%s-%s-%x", r.Kind, r.Version, runtime.GOOS, r.arch(), h.Sum(nil)[:6]))
}

// Cached returns the result of an earlier Ensure, or an error that wraps [fs.ErrNotExist] if there is none.
func (r Release) Cached() (_ Build, err error) {
	defer must.Recover(&err)
	return r.load(r.directory())
}

func (r Release) load(dir string) (Build, error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return Build{}, fmt.Errorf("native: %s %s is not built: %w", r.Kind, r.Version, err)
	}
	var build Build
	if err := json.Unmarshal(b, &build); err != nil {
		return Build{}, fmt.Errorf("native: %s in %s: %w", manifestName, dir, err)
	}
	build.Library = filepath.Join(dir, r.libraryName())
	if r == Current {
		build.Bench = filepath.Join(dir, "bench")
	}
	return build, nil
}

func (r Release) libraryName() string {
	name := map[Kind]string{Libsecp256k1: "libsecp256k1", OpenSSL: "libcrypto"}[r.Kind]
	if runtime.GOOS == "darwin" {
		return name + ".dylib"
	}
	return name + ".so"
}

// Ensure returns the build of the release in the user's cache. It builds the release if the build is missing or was
// made by another compiler. It needs cargo and a C compiler ($CC, or cc), and make and perl for OpenSSL. It writes a
// line to log for each step.
func (r Release) Ensure(ctx context.Context, log io.Writer) (_ Build, err error) {
	defer must.Recover(&err)
	switch runtime.GOOS {
	case "windows", "js", "wasip1", "plan9":
		return Build{}, fmt.Errorf("native: building %s is not supported on %s", r.Kind, runtime.GOOS)
	}
	dir := r.directory()
	cc, compiler := r.findCompiler(ctx)
	if b, err := r.load(dir); err == nil && b.Compiler == compiler {
		return b, nil
	}

	must.Do(os.MkdirAll(filepath.Dir(dir), 0o755))
	// The work is done in a sibling directory that gets its final name when it is complete, so that neither an
	// interruption nor a second build at the same time leaves half a result.
	tmp := must.Get(os.MkdirTemp(filepath.Dir(dir), "building-"))
	defer os.RemoveAll(tmp)
	work := &workshop{ctx: ctx, dir: tmp, out: filepath.Join(tmp, "out"), cc: cc, log: log}
	err = must.Catch(func() { work.build(r, compiler) })
	if err != nil {
		return Build{}, cmp.Or(ctx.Err(), fmt.Errorf("native: %s %s: %w", r.Kind, r.Version, err))
	}
	if err := errors.Join(os.RemoveAll(dir), os.Rename(work.out, dir)); err != nil {
		// Another build may have finished first.
		if b, loadErr := r.load(dir); loadErr == nil && b.Compiler == compiler {
			return b, nil
		}
		return Build{}, err
	}
	return r.load(dir)
}

// build fetches the source of a release and builds it in the folder out.
func (w *workshop) build(r Release, compiler string) {
	build := Build{Version: r.Version, Compiler: compiler, Crate: r.Crate + " " + r.Release, Checksum: r.Checksum}
	source := filepath.Join(w.dir, "source")
	w.fetch(r, source)
	w.fail("making a folder", os.Mkdir(w.out, 0o755))
	switch r.Kind {
	case Libsecp256k1:
		w.buildLibsecp256k1(r, source, &build)
	case OpenSSL:
		w.buildOpenSSL(r, source, &build)
	default:
		must.Fail("unknown kind")
	}
	build.SHA256 = fmt.Sprintf("%x", sha256.Sum256(w.read(filepath.Join(w.out, r.libraryName()))))
	manifest, err := json.MarshalIndent(build, "", "\t")
	w.fail("build.json", err)
	w.write(filepath.Join(w.out, manifestName), manifest, 0o644)
}

// findCompiler returns the C compiler and the first line of its --version.
func (r Release) findCompiler(ctx context.Context) (cc, version string) {
	name := cmp.Or(os.Getenv("CC"), "cc")
	if r.arch() != runtime.GOARCH {
		name = "aarch64-linux-gnu-gcc"
	}
	cc, err := exec.LookPath(name)
	if err != nil {
		must.Fail("native: building a C library needs a C compiler: install one, or name one in $CC: %w", err)
	}
	out, err := exec.CommandContext(ctx, cc, "--version").Output()
	if err != nil {
		must.Fail("native: %s --version: %w", cc, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return cc, strings.TrimSpace(line)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
