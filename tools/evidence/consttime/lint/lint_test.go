package main

import (
	"path/filepath"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	_ "p256k1.mleku.dev/v2/tools/evidence/operations" // so that a change in the library runs these tests again
)

// TestPlanted plants leaks deep in the library, and checks that lint finds these leaks and no others.
func TestPlanted(t *testing.T) {
	libtest.Need(t, "objdump")
	leaks := consttime.Leaks()
	p := consttime.Build(t.Context(), filepath.Join(t.TempDir(), "subject"), "", true)
	r := lint(t.Context(), p)
	found := make(map[consttime.Finding]bool)
	unknown, _ := consttime.Compare(consttime.Reviewed(), r.found)
	for _, f := range unknown {
		found[f] = true
	}
	others, missing := consttime.Compare(leaks, found)
	for _, f := range missing {
		t.Errorf("not found:\n%v", f)
	}
	for _, f := range others {
		t.Errorf("found but not planted:\n%v", f)
	}
	t.Logf("result: lint finds %d of %d leaks planted in the library", len(leaks)-len(missing), len(leaks))
}
