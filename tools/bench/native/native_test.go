package native

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

func TestEnsureNamesTheMissingTool(t *testing.T) {
	libtest.Need(t, "cc")
	cc := libtest.Must(exec.LookPath("cc"))
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("PATH", "")
	t.Setenv("CC", "")
	if _, err := Current.Ensure(context.Background(), io.Discard); !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "C compiler") {
		t.Errorf("Ensure without a C compiler: %v", err)
	}
	t.Setenv("CC", cc)
	if _, err := Current.Ensure(context.Background(), io.Discard); !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "cargo") {
		t.Errorf("Ensure without cargo: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(home, "*", "building-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("Ensure left %v behind, %v", left, err)
	}
}
