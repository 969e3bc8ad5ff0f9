package native

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// TestUnpack writes a crate in the layout in which cargo stores it.
func TestUnpack(t *testing.T) {
	libtest.Need(t, "tar")
	home := t.TempDir()
	t.Setenv("CARGO_HOME", home)
	crate, source := filepath.Join(home, "registry", "cache", "index", "c-1.0.crate"), filepath.Join(home, "c-1.0", "depend")
	libtest.Check(t, errors.Join(os.MkdirAll(filepath.Dir(crate), 0o755), os.MkdirAll(source, 0o755), os.WriteFile(filepath.Join(source, "a.c"), []byte("int a;"), 0o644)))
	libtest.Must(must.Output(exec.Command("tar", "-czf", crate, "-C", home, "c-1.0")))
	b := libtest.Must(os.ReadFile(crate))
	unpack := func(checksum, release string) (source []byte, err error) {
		defer must.Recover(&err)
		dir := filepath.Join(t.TempDir(), "out")
		w := &workshop{ctx: t.Context(), log: io.Discard}
		w.unpack(Release{Crate: "c", Release: release, Checksum: checksum}, dir)
		return w.read(filepath.Join(dir, "depend", "a.c")), nil
	}
	checksum, wrong := fmt.Sprintf("%x", sha256.Sum256(b)), strings.Repeat("0", 64)
	if source, err := unpack(checksum, "1.0"); err != nil || string(source) != "int a;" {
		t.Errorf("%q, %v", source, err)
	}
	if _, err := unpack(wrong, "1.0"); err == nil || !strings.Contains(err.Error(), wrong) {
		t.Errorf("a wrong checksum: %v", err)
	}
	if _, err := unpack(checksum, "2.0"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no archive: %v", err)
	}
}

func TestRestoreNames(t *testing.T) {
	for renamed, want := range map[string]string{
		"rustsecp256k1_v0_1_1_ecdh(": "secp256k1_ecdh(", "rustsecp256k1_v0_14_ecdh": "secp256k1_ecdh",
		"rustsecp256k1_v0_8_1_fe_10x26": "secp256k1_fe_10x26", "secp256k1_fe": "secp256k1_fe",
	} {
		if got := crateRename.ReplaceAllString(renamed, "secp256k1_"); got != want {
			t.Errorf("%s becomes %s, want %s", renamed, got, want)
		}
	}
}
