package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"p256k1.mleku.dev/v2/tools/evidence/consttime"
	_ "p256k1.mleku.dev/v2/tools/evidence/operations" // so that a change in the library runs these tests again
)

// TestPlanted plants leaks deep in the library, and checks that lint finds these leaks and no others.
func TestPlanted(t *testing.T) {
	if _, err := exec.LookPath("objdump"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOT TESTED: %v", err)
	}
	leaks, err := consttime.Leaks()
	if err != nil {
		t.Fatal(err)
	}
	p, err := consttime.Build(t.Context(), filepath.Join(t.TempDir(), "subject"), "", true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := lint(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	list, err := consttime.Reviewed()
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[consttime.Finding]bool)
	unknown, _ := consttime.Compare(list, r.found)
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
