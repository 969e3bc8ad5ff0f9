package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// TestTypes type-checks the command and all packages from which it is linked, including the declarations of the
// standard library, for every target of Go (with -short, for few). In seconds, this finds a system call or a file that
// a target lacks. If Go has no linker for the target, the test checks all packages except main.
func TestTypes(t *testing.T) {
	all := targets(t)
	if testing.Short() {
		all = few
	}
	f := files{set: token.NewFileSet()}
	for _, target := range all {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			if err := f.check(t, target); err != nil {
				t.Error(err)
			}
		})
	}
}

// few lists targets that differ in their operating system and in the way in which Go links programs for them.
var few = []string{"darwin/arm64", "windows/amd64"}

// TestBuild links the command for all targets of Go's linker if $P256K1_TARGETS is "all", which takes half a minute for
// each target with an empty cache. If $CI is "true", it links the command for two targets.
func TestBuild(t *testing.T) {
	chosen := few
	switch {
	case os.Getenv("P256K1_TARGETS") == "all":
		chosen = targets(t)
	case os.Getenv("CI") != "true":
		t.Skip("P256K1_TARGETS=all links the command for all targets")
	}
	for _, target := range chosen {
		t.Run(target, func(t *testing.T) {
			if needsCgo(target) {
				t.Logf("NOT LINKED: Go links programs for %s by a C compiler of that system alone; TestTypes checks them", target)
				return
			}
			c := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, ".")
			c.Env = environment(target)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// needsCgo reports whether Go has no linker of its own for a target.
func needsCgo(target string) bool {
	return slices.Contains([]string{"android/386", "android/amd64", "android/arm", "ios/amd64", "ios/arm64"}, target)
}

func targets(t *testing.T) []string {
	t.Helper()
	out := libtest.Must(exec.CommandContext(t.Context(), "go", "tool", "dist", "list").Output())
	all := strings.Fields(string(out))
	for _, target := range append(slices.Clone(few), "linux/amd64", "openbsd/amd64", "plan9/386", "aix/ppc64") {
		if !slices.Contains(all, target) {
			t.Errorf("no %s among Go's targets: %q", target, all)
		}
	}
	return all
}

func environment(target string) []string {
	system, processor, _ := strings.Cut(target, "/")
	return append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
}

// files holds the files that have been parsed, because targets share most of them.
type files struct {
	set    *token.FileSet
	parsed sync.Map // from names to *ast.File
}

func (f *files) parse(name string) (*ast.File, error) {
	if file, ok := f.parsed.Load(name); ok {
		return file.(*ast.File), nil
	}
	file, err := parser.ParseFile(f.set, name, nil, parser.SkipObjectResolution)
	f.parsed.Store(name, file)
	return file, err
}

// An importer returns packages that have been checked, by import path.
type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// check checks the types of the command for a target.
func (f *files) check(t *testing.T, target string) error {
	pkg := "p256k1.mleku.dev/v2/cmd/p256k1"
	if needsCgo(target) {
		pkg += "/internal/cli" // go list refuses package main, as go build does
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard", pkg)
	list.Env = environment(target)
	var errs strings.Builder
	list.Stderr = &errs
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, errs.String())
	}
	packages := map[string]*types.Package{"unsafe": types.Unsafe}
	_, processor, _ := strings.Cut(target, "/")
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
			ImportMap       map[string]string // packages that the standard library vendors
			Standard        bool
		}
		libtest.Check(t, d.Decode(&p))
		if p.ImportPath == "unsafe" {
			continue
		}
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			file, err := f.parse(filepath.Join(p.Dir, name))
			if err != nil {
				return err
			}
			parsed = append(parsed, file)
		}
		config := types.Config{
			Importer: importer(func(path string) (*types.Package, error) {
				if checked := packages[cmp.Or(p.ImportMap[path], path)]; checked != nil {
					return checked, nil
				}
				return nil, fmt.Errorf("no package %s", path)
			}),
			IgnoreFuncBodies: p.Standard, // Go's own tests check the bodies
			Sizes:            types.SizesFor("gc", processor),
		}
		if packages[p.ImportPath], err = config.Check(p.ImportPath, f.set, parsed, nil); err != nil {
			return err
		}
	}
	if packages[pkg] == nil {
		return fmt.Errorf("%s was not checked", pkg)
	}
	return nil
}

// mostModules is the largest number of modules from which the command may be linked, including its own module, nostr
// and the library. Each module needs a good reason, because the program holds keys.
const mostModules = 10

// TestDependencies keeps the benchmark's dependencies out of the command, because packages for plots, PDF and loading
// shared libraries do not belong in a program that holds keys.
func TestDependencies(t *testing.T) {
	modules := modulesOf(t, ".")
	t.Log(modules)
	if len(modules) > mostModules {
		t.Errorf("linked from %d modules, want at most %d: %q", len(modules), mostModules, modules)
	}
	for _, m := range modules {
		if m == "p256k1.mleku.dev/v2/tools" ||
			strings.Contains(m, "plot") || strings.Contains(m, "pdf") || strings.Contains(m, "purego") || strings.Contains(m, "image") {
			t.Errorf("linked with %s", m)
		}
	}
	// Plugbench is linked from more modules, and from a module for plots, so the test fails if it sees no modules.
	if modules := modulesOf(t, "p256k1.mleku.dev/v2/tools/plugbench"); len(modules) <= mostModules || !slices.Contains(modules, "gonum.org/v1/plot") {
		t.Errorf("plugbench is linked from %q: does this test see modules?", modules)
	}
}

// modulesOf returns the modules from which a program is linked.
func modulesOf(t *testing.T, program string) []string {
	t.Helper()
	out := libtest.Must(exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", program).Output())
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	return slices.Compact(modules)
}
