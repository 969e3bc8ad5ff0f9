package native

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
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
func (r Release) buildOpenSSL(ctx context.Context, work *workshop, source string, build *Build) error {
	for _, tool := range []string{"perl", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("building OpenSSL needs %s: %w", tool, err)
		}
	}
	machine := runtime.GOOS + "/" + runtime.GOARCH
	target, ok := opensslTargets[machine]
	if !ok {
		return fmt.Errorf("no name of OpenSSL's for %s is known here", machine)
	}
	dir := filepath.Join(source, "openssl")
	configure, err := os.ReadFile(filepath.Join(dir, "Configure"))
	if err != nil {
		return err
	}
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

	fmt.Fprintln(work.log, "configuring")
	if _, err := work.run(ctx, dir, "perl", append([]string{"./Configure", "CC=" + work.cc}, build.Flags...)...); err != nil {
		return fmt.Errorf("configuring: %w", err)
	}
	start := time.Now()
	fmt.Fprintln(work.log, "compiling libcrypto")
	jobs := "-j" + strconv.Itoa(runtime.NumCPU())
	for _, goal := range []string{"build_generated", goal} {
		if _, err := work.run(ctx, dir, "make", "-s", jobs, goal); err != nil {
			return fmt.Errorf("compiling: %w", err)
		}
	}
	fmt.Fprintf(work.log, "compiled libcrypto in %v\n", time.Since(start).Round(time.Second))
	if goal != r.libraryName() {
		whole := []string{"-shared", "-Wl,-Bsymbolic", "-Wl,--whole-archive", goal, "-Wl,--no-whole-archive", "-ldl", "-pthread"}
		if runtime.GOOS == "darwin" {
			whole = []string{"-dynamiclib", "-Wl,-all_load", goal}
		}
		build.Settings = append(build.Settings, "linked by "+strings.Join(whole, " "))
		if _, err := work.run(ctx, dir, work.cc, append([]string{"-o", r.libraryName()}, whole...)...); err != nil {
			return fmt.Errorf("linking: %w", err)
		}
	}

	// The name may be a link to a file with the interface version in its name.
	library, err := os.ReadFile(filepath.Join(dir, r.libraryName()))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(work.out, r.libraryName()), library, 0o755)
}
