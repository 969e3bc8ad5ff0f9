package native

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// crateRename is the prefix that the crates give to every identifier in place of secp256k1_, so that two of them can be
// linked into one program.
var crateRename = regexp.MustCompile(`rustsecp256k1_v\d+_\d+_(\d+_)?`)

// buildLibsecp256k1 compiles the library and, for the current version, the benchmark program, with the same compiler
// options. The options are the options that upstream's ./configure chose by default at the time. However, faster
// options that were off by default are turned on, and so are options that the main user turned on (modules, the
// endomorphism).
//
// The crate differs from upstream in two ways, which are both undone. Its identifiers are renamed, and are renamed back
// in the copy that is compiled. The functions that call malloc are patched out, and source/context.c supplies them.
func (r Release) buildLibsecp256k1(ctx context.Context, work *workshop, source string, build *Build) (err error) {
	upstream := filepath.Join(source, "depend", "secp256k1")
	if build.Revision, err = revision(filepath.Join(source, "depend", "secp256k1-HEAD-revision.txt")); err != nil {
		return err
	}
	if err := restoreNames(upstream); err != nil {
		return err
	}
	src := filepath.Join(upstream, "src")
	for _, name := range []string{"context.c", "context.h"} {
		b, err := recipe.ReadFile(path.Join("source", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(src, name), b, 0o644); err != nil {
			return err
		}
	}
	if build.Flags, build.Settings, err = r.flags(upstream); err != nil {
		return err
	}

	compile := func(name string, args ...string) error {
		fmt.Fprintf(work.log, "compiling %s\n", filepath.Base(name))
		args = append(append([]string{"-o", name}, build.Flags...), args...)
		if _, err := work.run(ctx, src, work.cc, args...); err != nil {
			return fmt.Errorf("compiling %s: %w", filepath.Base(name), err)
		}
		return nil
	}
	if exists(filepath.Join(src, "gen_context.c")) {
		// The version's own generator writes src/ecmult_static_context.h. The generator must not include the file that
		// it generates, and upstream compiled the generator as GNU C.
		generator := filepath.Join(work.dir, "gen_context")
		if err := compile(generator, "-std=gnu89", "-UUSE_ECMULT_STATIC_PRECOMPUTATION", "-UUSE_ASM_X86_64",
			"-Dchecked_malloc(callback,size)=malloc(size)", "gen_context.c"); err != nil {
			return err
		}
		if _, err := work.run(ctx, upstream, generator); err != nil {
			return fmt.Errorf("generating the signing table: %w", err)
		}
	}

	library := []string{"secp256k1.c", "context.c"}
	for _, name := range []string{"precomputed_ecmult.c", "precomputed_ecmult_gen.c"} {
		if exists(filepath.Join(src, name)) {
			library = append(library, name)
		}
	}
	if err := compile(filepath.Join(work.out, r.libraryName()), append([]string{"-fPIC", "-shared"}, library...)...); err != nil {
		return err
	}
	if r != Current {
		return nil
	}
	return compile(filepath.Join(work.out, "bench"), append([]string{"bench.c"}, library...)...)
}

// revision reads the upstream revision from the last line, which follows a comment.
func revision(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(b))
	return text[strings.LastIndexByte(text, '\n')+1:], nil
}

// restoreNames restores upstream's names of identifiers in headers and sources.
func restoreNames(upstream string) error {
	for _, dir := range []string{"include", "src"} {
		err := filepath.WalkDir(filepath.Join(upstream, dir), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, crateRename.ReplaceAll(b, []byte("secp256k1_")), 0o644)
		})
		if err != nil {
			return fmt.Errorf("restoring the names: %w", err)
		}
	}
	return nil
}

// flags finds out from the source which choices the version has.
func (r Release) flags(upstream string) (flags, settings []string, err error) {
	read := func(name string) []byte {
		b, readErr := os.ReadFile(filepath.Join(upstream, name))
		if readErr != nil && !errors.Is(readErr, fs.ErrNotExist) {
			err = readErr
		}
		return b
	}
	has := func(name, what string) bool { return bytes.Contains(read(name), []byte(what)) }
	set := func(setting string, options ...string) {
		settings = append(settings, setting)
		flags = append(flags, options...)
	}

	optimize := "-O2"
	if !has("configure.ac", "-O2") {
		optimize = "-O3"
	}
	set("optimisation "+optimize+", as configure.ac says", optimize, "-std=c89", "-w",
		"-fvisibility=hidden", "-I.", "-I..", "-I../include", "-include", "context.h")
	set("window for verifying 15", "-DECMULT_WINDOW_SIZE=15")
	switch {
	case has("src/ecmult_gen.h", "COMB_BLOCKS"):
		set("signing table of 43 combs of 6 teeth", "-DCOMB_BLOCKS=43", "-DCOMB_TEETH=6")
	case has("src/ecmult_gen.h", "ECMULT_GEN_PREC_BITS"):
		set("signing table of 4 bits", "-DECMULT_GEN_PREC_BITS=4")
	}
	if has("src/ecmult_impl.h", "USE_ENDOMORPHISM") {
		set("endomorphism on (an option, off by default until its patent expired)", "-DUSE_ENDOMORPHISM=1")
	}
	if exists(filepath.Join(upstream, "src", "num.h")) {
		set("own inversion rather than GMP, as Bitcoin Core built it",
			"-DUSE_NUM_NONE=1", "-DUSE_FIELD_INV_BUILTIN=1", "-DUSE_SCALAR_INV_BUILTIN=1")
	}
	if strconv.IntSize == 64 && has("src/field.h", "defined(USE_FIELD_5X52)") {
		set("field 5x52 and scalar 4x64 on __int128",
			"-DUSE_FIELD_5X52=1", "-DUSE_SCALAR_4X64=1", "-DHAVE___INT128=1")
	}
	if exists(filepath.Join(upstream, "src", "gen_context.c")) {
		set("signing table generated beforehand by gen_context.c", "-DUSE_ECMULT_STATIC_PRECOMPUTATION=1")
	}
	modules, dirErr := os.ReadDir(filepath.Join(upstream, "src", "modules"))
	if dirErr != nil {
		return nil, nil, dirErr
	}
	var names []string
	for _, module := range modules {
		if module.IsDir() {
			names = append(names, module.Name())
		}
	}
	slices.Sort(names)
	settings = append(settings, "modules "+strings.Join(names, ", "))
	for _, name := range names {
		flags = append(flags, "-DENABLE_MODULE_"+strings.ToUpper(name)+"=1")
	}
	if r.arch() == "amd64" {
		set("x86-64 assembly", "-DUSE_ASM_X86_64=1")
	}
	return flags, settings, err
}
