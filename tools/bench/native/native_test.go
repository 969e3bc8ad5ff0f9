package native

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// emptyCache sets the user's cache to an empty directory.
func emptyCache(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
}

func TestEnsureNamesTheMissingTool(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("NOT TESTED: no C compiler")
	}
	emptyCache(t)
	t.Setenv("PATH", "")
	t.Setenv("CC", "")
	if _, err := Ensure(context.Background(), io.Discard); !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "C compiler") {
		t.Errorf("Ensure without a C compiler: %v", err)
	}
	t.Setenv("CC", cc)
	if _, err := Ensure(context.Background(), io.Discard); !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "cargo") {
		t.Errorf("Ensure without cargo: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "*", "building-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("Ensure left %v behind, %v", left, err)
	}
}
