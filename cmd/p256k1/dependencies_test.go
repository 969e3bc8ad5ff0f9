package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

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
