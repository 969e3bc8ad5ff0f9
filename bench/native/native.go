// Package native builds libsecp256k1, the C library that this project measures
// itself against, together with that library's own benchmark programs.
//
// The C source is not part of this repository. It comes out of the Rust crate
// secp256k1-sys, which cargo fetches, pinned by version in source/Cargo.toml and
// by checksum in source/Cargo.lock. The crate differs from the upstream release in two
// ways, and both are undone: every identifier secp256k1_x is renamed
// rustsecp256k1_v0_14_x (renamed back in the copy that is compiled), and the
// functions that call malloc are patched out (source/context.c supplies them).
//
// Library and programs are compiled by the same command line, with what
// upstream's ./configure chooses by default for this machine: -O2, verification
// window 15, signing table of 43 combs of 6 teeth, x86-64 assembly where there
// is x86-64.
package native

import (
	"bytes"
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
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	// Version is the release of libsecp256k1 that Ensure builds.
	Version = "0.8.0"

	// Command is what a user runs to have it built.
	Command = "go run p256k1.mleku.dev/bench/native/build"

	crate       = "secp256k1-sys"
	crateRename = "rustsecp256k1_v0_14_"

	// manifestName marks a directory in which every file is complete.
	manifestName = "build.json"
)

// recipe is a directory of its own because the go command refuses C files in a
// package that does not use cgo.
//
//go:embed source
var recipe embed.FS

// flags are for every compilation. The modules are those that upstream turns on
// by default, and recovery.
func flags() []string {
	f := []string{
		"-O2", "-std=c89", "-w",
		"-fvisibility=hidden",
		"-include", "context.h",
		"-DECMULT_WINDOW_SIZE=15", "-DCOMB_BLOCKS=43", "-DCOMB_TEETH=6",
	}
	for _, module := range []string{
		"ECDH", "ELLSWIFT", "EXTRAKEYS", "MUSIG", "RECOVERY", "SCHNORRSIG", "SILENTPAYMENTS",
	} {
		f = append(f, "-DENABLE_MODULE_"+module+"=1")
	}
	if runtime.GOARCH == "amd64" {
		f = append(f, "-DUSE_ASM_X86_64=1")
	}
	return f
}

// A product is one file that the compiler links.
type product struct {
	name    string
	args    []string
	sources []string
}

func products() []product {
	tables := []string{"precomputed_ecmult.c", "precomputed_ecmult_gen.c", "context.c"}
	library := append([]string{"secp256k1.c"}, tables...)
	return []product{
		{libraryName(), []string{"-fPIC", "-shared"}, library},
		{"bench", nil, append([]string{"bench.c"}, library...)},
		// bench_internal.c includes secp256k1.c to reach its static functions.
		{"bench_internal", nil, append([]string{"bench_internal.c"}, tables...)},
	}
}

func libraryName() string {
	if runtime.GOOS == "darwin" {
		return "libsecp256k1.dylib"
	}
	return "libsecp256k1.so"
}

// Build says where the results are and what made them.
type Build struct {
	// Library is the shared library with the C API under its upstream names.
	Library string `json:"-"`
	// Bench and BenchInternal are upstream's src/bench.c and
	// src/bench_internal.c, statically linked with the same code.
	Bench         string `json:"-"`
	BenchInternal string `json:"-"`

	Version  string   `json:"version"`
	Revision string   `json:"revision"` // of the upstream repository
	Compiler string   `json:"compiler"`
	Flags    []string `json:"flags"`
}

// directory is where Ensure puts its results: one place per recipe, so that an
// edit to the recipe can never be answered with what an older one made.
func directory() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("native: no cache directory for the build: %w", err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", flags(), products())
	err = fs.WalkDir(recipe, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := recipe.ReadFile(name)
		fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(b))
		return err
	})
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("libsecp256k1-%s-%s-%s-%s", Version, runtime.GOOS, runtime.GOARCH,
		hex.EncodeToString(h.Sum(nil)[:6]))
	return filepath.Join(cache, "p256k1", name), nil
}

// Cached returns what an earlier Ensure built, and an error that wraps
// [fs.ErrNotExist] if there is nothing.
func Cached() (Build, error) {
	dir, err := directory()
	if err != nil {
		return Build{}, err
	}
	return load(dir)
}

func load(dir string) (Build, error) {
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return Build{}, fmt.Errorf("native: libsecp256k1 %s is not built, run %q: %w", Version, Command, err)
	}
	var build Build
	if err := json.Unmarshal(b, &build); err != nil {
		return Build{}, fmt.Errorf("native: %s in %s: %w", manifestName, dir, err)
	}
	build.Library = filepath.Join(dir, libraryName())
	build.Bench = filepath.Join(dir, "bench")
	build.BenchInternal = filepath.Join(dir, "bench_internal")
	return build, nil
}

// Ensure returns the library and the benchmark programs in the user's cache,
// building them if they are missing or if another compiler built them. It needs
// cargo and a C compiler ($CC, or cc). What it does goes to log.
func Ensure(ctx context.Context, log io.Writer) (Build, error) {
	switch runtime.GOOS {
	case "windows", "js", "wasip1", "plan9":
		return Build{}, fmt.Errorf("native: building libsecp256k1 is not supported on %s", runtime.GOOS)
	}
	dir, err := directory()
	if err != nil {
		return Build{}, err
	}
	cc, compiler, err := findCompiler(ctx)
	if err != nil {
		return Build{}, err
	}
	if b, err := load(dir); err == nil && b.Compiler == compiler {
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

	source, err := fetchSource(ctx, tmp, log)
	if err != nil {
		return Build{}, err
	}
	revision, err := restoreSource(source, tmp)
	if err != nil {
		return Build{}, err
	}
	for _, p := range products() {
		fmt.Fprintf(log, "compiling %s\n", p.name)
		args := append(flags(), p.args...)
		args = append(args, "-o", filepath.Join(tmp, p.name))
		args = append(args, p.sources...)
		if _, err := run(ctx, filepath.Join(tmp, "src"), cc, args...); err != nil {
			return Build{}, fmt.Errorf("native: compiling %s: %w", p.name, err)
		}
	}

	manifest, err := json.MarshalIndent(Build{
		Version: Version, Revision: revision, Compiler: compiler, Flags: flags(),
	}, "", "\t")
	if err != nil {
		return Build{}, err
	}
	if err := os.WriteFile(filepath.Join(tmp, manifestName), manifest, 0o644); err != nil {
		return Build{}, err
	}
	for _, name := range []string{"src", "include", "cargo"} {
		if err := os.RemoveAll(filepath.Join(tmp, name)); err != nil {
			return Build{}, err
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return Build{}, err
	}
	if err := os.Rename(tmp, dir); err != nil {
		// Another build may have been quicker.
		if b, loadErr := load(dir); loadErr == nil && b.Compiler == compiler {
			return b, nil
		}
		return Build{}, err
	}
	return load(dir)
}

// findCompiler returns the C compiler and the first line of its --version.
func findCompiler(ctx context.Context) (cc, version string, err error) {
	name := os.Getenv("CC")
	if name == "" {
		name = "cc"
	}
	cc, err = exec.LookPath(name)
	if err != nil {
		return "", "", fmt.Errorf("native: building libsecp256k1 needs a C compiler: install one, or name one in $CC: %w", err)
	}
	out, err := run(ctx, "", cc, "--version")
	if err != nil {
		return "", "", fmt.Errorf("native: %w", err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return cc, strings.TrimSpace(line), nil
}

// fetchSource has cargo fetch the crate and verify its checksum, and returns the
// directory into which cargo unpacked it.
func fetchSource(ctx context.Context, tmp string, log io.Writer) (string, error) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return "", fmt.Errorf("native: the source of libsecp256k1 comes in the crate %s: install cargo (https://rustup.rs): %w", crate, err)
	}
	dir := filepath.Join(tmp, "cargo")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	for _, name := range []string{"Cargo.toml", "Cargo.lock", "lib.rs"} {
		if err := writeRecipe(name, dir); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(log, "fetching the crate %s\n", crate)
	out, err := run(ctx, dir, cargo, "metadata", "--locked", "--format-version=1")
	if err != nil {
		return "", fmt.Errorf("native: fetching the crate %s: %w", crate, err)
	}
	var metadata struct {
		Packages []struct {
			Name         string `json:"name"`
			ManifestPath string `json:"manifest_path"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(out, &metadata); err != nil {
		return "", fmt.Errorf("native: output of cargo metadata: %w", err)
	}
	for _, p := range metadata.Packages {
		if p.Name == crate {
			return filepath.Dir(p.ManifestPath), nil
		}
	}
	return "", fmt.Errorf("native: cargo metadata does not mention the crate %s", crate)
}

// restoreSource copies headers and sources from the crate to tmp, with the
// identifiers that upstream gave them, and returns the upstream revision.
func restoreSource(crateDir, tmp string) (revision string, err error) {
	depend := filepath.Join(crateDir, "depend")
	b, err := os.ReadFile(filepath.Join(depend, "secp256k1-HEAD-revision.txt"))
	if err != nil {
		return "", fmt.Errorf("native: %w", err)
	}
	// The revision is the last line, below a comment.
	text := strings.TrimSpace(string(b))
	revision = text[strings.LastIndexByte(text, '\n')+1:]

	upstream := filepath.Join(depend, "secp256k1")
	for _, dir := range []string{"include", "src"} {
		root := filepath.Join(upstream, dir)
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(upstream, file)
			if err != nil {
				return err
			}
			target := filepath.Join(tmp, rel)
			if d.IsDir() {
				return os.Mkdir(target, 0o755)
			}
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			b = bytes.ReplaceAll(b, []byte(crateRename), []byte("secp256k1_"))
			return os.WriteFile(target, b, 0o644)
		})
		if err != nil {
			return "", fmt.Errorf("native: copying the source: %w", err)
		}
	}
	for _, name := range []string{"context.c", "context.h"} {
		if err := writeRecipe(name, filepath.Join(tmp, "src")); err != nil {
			return "", err
		}
	}
	return revision, nil
}

func writeRecipe(name, dir string) error {
	b, err := recipe.ReadFile(path.Join("source", name))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), b, 0o644)
}

// run returns what a command wrote to its standard output, and, if it failed,
// an error with what it wrote to its standard error.
func run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}
