package replace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// TestReadOnly has a file that may not be written. Root may write all, so files are opened as somebody else, by this thread.
func TestReadOnly(t *testing.T) {
	dir := folder(t, "go.mod", program)
	if err := os.Chmod(filepath.Join(dir, "go.mod"), 0o444); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // the folders above may be closed to others
	dir = "."
	p, err := Look(t.Context(), dir, released)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
	}
	if err := p.Write(); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v, want that writing is not permitted", err)
	}
	if got := read(t, dir, "go.mod"); got != program {
		t.Error(got)
	}
}
