package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

const verifier = "p256k1.mleku.dev/v2/cmd/p256k1"

// TestTypes type-checks the command and all packages from which it is linked, including the declarations of the
// standard library, for every target of Go (with -short, for few). In seconds, this finds a system call or a file that
// a target lacks. If Go has no linker for the target, the test checks all packages except main.
func TestTypes(t *testing.T) {
	all := targets(t)
	if testing.Short() {
		all = few
	}
	var parsed sync.Map // from names to functions that return files, because targets share most of them
	config := packages.Config{
		Mode: packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesSizes,
		Fset: token.NewFileSet(),
		ParseFile: func(files *token.FileSet, name string, text []byte) (*ast.File, error) {
			parse, _ := parsed.LoadOrStore(name, sync.OnceValues(func() (*ast.File, error) {
				return parser.ParseFile(files, name, text, parser.SkipObjectResolution)
			}))
			return parse.(func() (*ast.File, error))()
		},
	}
	for _, target := range all {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			program := verifier
			if needsCgo(target) {
				program += "/internal/cli" // go list refuses package main, as go build does
			}
			// Go's own tests check the bodies of the standard library's functions.
			list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", program)
			list.Env = environment(target)
			c := config
			c.Env = list.Env
			loaded := libtest.Must(packages.Load(&c, strings.Fields(libtest.Must(must.Output(list)))...))
			packages.Visit(loaded, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					t.Error(err)
				}
			})
			if !slices.ContainsFunc(loaded, func(p *packages.Package) bool { return p.PkgPath == program && p.Types != nil }) {
				t.Errorf("%s was not checked", program)
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
			c := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, verifier)
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
