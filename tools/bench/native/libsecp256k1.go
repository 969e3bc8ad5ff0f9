package native

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
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
func (w *workshop) buildLibsecp256k1(r Release, source string, build *Build) {
	upstream := filepath.Join(source, "depend", "secp256k1")
	src := filepath.Join(upstream, "src")
	w.restoreNames(upstream)
	for _, name := range []string{"context.c", "context.h"} {
		b, err := recipe.ReadFile(path.Join("source", name))
		w.fail("reading the recipe", err)
		w.write(filepath.Join(src, name), b, 0o644)
	}
	// The revision is the last line of a file, below a comment.
	lines := strings.Split(strings.TrimSpace(string(w.read(filepath.Join(source, "depend", "secp256k1-HEAD-revision.txt")))), "\n")
	build.Revision = lines[len(lines)-1]
	build.Flags, build.Settings = w.flags(r, upstream)

	compile := func(name string, args ...string) {
		args = append(append([]string{"-o", name}, build.Flags...), args...)
		w.run("compiling "+filepath.Base(name), src, w.cc, args...)
	}
	if exists(filepath.Join(src, "gen_context.c")) {
		// The version's own generator writes src/ecmult_static_context.h. The generator must not include the file that
		// it generates, and upstream compiled the generator as GNU C.
		generator := filepath.Join(w.dir, "gen_context")
		compile(generator, "-std=gnu89", "-UUSE_ECMULT_STATIC_PRECOMPUTATION", "-UUSE_ASM_X86_64",
			"-Dchecked_malloc(callback,size)=malloc(size)", "gen_context.c")
		w.run("generating the signing table", upstream, generator)
	}

	library := []string{"secp256k1.c", "context.c"}
	for _, name := range []string{"precomputed_ecmult.c", "precomputed_ecmult_gen.c"} {
		if exists(filepath.Join(src, name)) {
			library = append(library, name)
		}
	}
	compile(filepath.Join(w.out, r.libraryName()), append([]string{"-fPIC", "-shared"}, library...)...)
	if r == Current {
		compile(filepath.Join(w.out, "bench"), append([]string{"bench.c"}, library...)...)
	}
}

// restoreNames restores upstream's names of identifiers in headers and sources.
func (w *workshop) restoreNames(upstream string) {
	for _, dir := range []string{"include", "src"} {
		w.fail("restoring the names", filepath.WalkDir(filepath.Join(upstream, dir), func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				w.write(file, crateRename.ReplaceAll(w.read(file), []byte("secp256k1_")), 0o644)
			}
			return err
		}))
	}
}

// flags finds out from the source which choices the version has.
func (w *workshop) flags(r Release, upstream string) (flags, settings []string) {
	has := func(name, text string) bool {
		file := filepath.Join(upstream, name)
		return exists(file) && bytes.Contains(w.read(file), []byte(text))
	}
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
	if has("src/num.h", "") {
		set("own inversion rather than GMP, as Bitcoin Core built it",
			"-DUSE_NUM_NONE=1", "-DUSE_FIELD_INV_BUILTIN=1", "-DUSE_SCALAR_INV_BUILTIN=1")
	}
	if strconv.IntSize == 64 && has("src/field.h", "defined(USE_FIELD_5X52)") {
		set("field 5x52 and scalar 4x64 on __int128",
			"-DUSE_FIELD_5X52=1", "-DUSE_SCALAR_4X64=1", "-DHAVE___INT128=1")
	}
	if has("src/gen_context.c", "") {
		set("signing table generated beforehand by gen_context.c", "-DUSE_ECMULT_STATIC_PRECOMPUTATION=1")
	}
	modules, err := os.ReadDir(filepath.Join(upstream, "src", "modules")) // sorted
	w.fail("looking for modules", err)
	var names []string
	for _, module := range modules {
		if module.IsDir() {
			names = append(names, module.Name())
			flags = append(flags, "-DENABLE_MODULE_"+strings.ToUpper(module.Name())+"=1")
		}
	}
	set("modules " + strings.Join(names, ", "))
	if r.arch() == "amd64" {
		set("x86-64 assembly", "-DUSE_ASM_X86_64=1")
	}
	return flags, settings
}
