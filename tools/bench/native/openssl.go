package native

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// opensslTargets are the machine names of OpenSSL's Configure.
var opensslTargets = map[string]string{
	"linux/amd64":  "linux-x86_64",
	"linux/arm64":  "linux-aarch64",
	"darwin/amd64": "darwin64-x86_64-cc",
	"darwin/arm64": "darwin64-arm64-cc",
}

// buildOpenSSL compiles libcrypto with Configure's defaults for this machine: -O3 and assembly. It leaves out the
// programs, the tests and libssl. From 2026 on the crates lack the scripts with which OpenSSL's makefile links shared
// libraries. For these versions buildOpenSSL links the static library itself, as the makefile would.
func (w *workshop) buildOpenSSL(r Release, source string, build *Build) {
	for _, tool := range []string{"perl", "make"} {
		_, err := exec.LookPath(tool)
		w.fail("building OpenSSL needs "+tool, err)
	}
	machine := runtime.GOOS + "/" + runtime.GOARCH
	target, ok := opensslTargets[machine]
	if !ok {
		w.fail("building OpenSSL", fmt.Errorf("no name of OpenSSL's for %s is known here", machine))
	}
	dir := filepath.Join(source, "openssl")
	configure := w.read(filepath.Join(dir, "Configure"))
	goal := r.libraryName()
	if exists(filepath.Join(dir, "util", "mkdef.pl")) {
		build.Flags = []string{target, "no-tests", "shared"}
	} else {
		goal = "libcrypto.a"
		build.Flags = []string{target, "no-tests", "no-shared", "-fPIC"}
	}
	// Pass an option only to versions that know it, because other versions refuse the option.
	if bytes.Contains(configure, []byte("\n    \"docs\",\n")) {
		build.Flags = append(build.Flags, "no-docs")
	}
	// Some crates lack a file that only the module of old algorithms needs.
	if bytes.Contains(configure, []byte("\n    \"legacy\",\n")) && !exists(filepath.Join(dir, "util", "providers.num")) {
		build.Flags = append(build.Flags, "no-legacy")
	}
	build.Settings = []string{"-O3 and assembly, as Configure chooses for " + target, "libcrypto only"}

	w.run("configuring", dir, "perl", append([]string{"./Configure", "CC=" + w.cc}, build.Flags...)...)
	jobs := "-j" + strconv.Itoa(runtime.NumCPU())
	w.run("compiling the generated files", dir, "make", "-s", jobs, "build_generated")
	w.run("compiling libcrypto", dir, "make", "-s", jobs, goal)
	if goal != r.libraryName() {
		whole := []string{"-shared", "-Wl,-Bsymbolic", "-Wl,--whole-archive", goal, "-Wl,--no-whole-archive", "-ldl", "-pthread"}
		if runtime.GOOS == "darwin" {
			whole = []string{"-dynamiclib", "-Wl,-all_load", goal}
		}
		build.Settings = append(build.Settings, "linked by "+strings.Join(whole, " "))
		w.run("linking", dir, w.cc, append([]string{"-o", r.libraryName()}, whole...)...)
	}
	// The name may be a link to a file with the interface version in its name.
	w.write(filepath.Join(w.out, r.libraryName()), w.read(filepath.Join(dir, r.libraryName())), 0o755)
}
