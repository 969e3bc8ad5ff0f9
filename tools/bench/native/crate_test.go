package native

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// archive lays a crate out as cargo does and returns its checksum and the
// directory that cargo would have unpacked it into.
func archive(t *testing.T, files map[string]string) (unpacked, checksum string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, content := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	registry := t.TempDir()
	cache := filepath.Join(registry, "cache", "index")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cache, "c-1.0.crate"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(registry, "src", "index", "c-1.0"), fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
}

func TestUnpack(t *testing.T) {
	unpacked, checksum := archive(t, map[string]string{"c-1.0/depend/a.c": "int a;"})
	dir := filepath.Join(t.TempDir(), "out")
	if err := (Release{Checksum: checksum}).unpack(unpacked, dir); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "depend", "a.c")); err != nil || string(b) != "int a;" {
		t.Errorf("%q, %v", b, err)
	}

	wrong := strings.Repeat("0", 64)
	if err := (Release{Checksum: wrong}).unpack(unpacked, filepath.Join(t.TempDir(), "out")); err == nil || !strings.Contains(err.Error(), wrong) {
		t.Errorf("a wrong checksum: %v", err)
	}
	if err := (Release{}).unpack(filepath.Join(t.TempDir(), "src", "index", "c-1.0"), t.TempDir()); err == nil {
		t.Error("no archive: no error")
	}
	for _, name := range []string{"c-1.0/../../evil", "../evil", "/etc/evil"} {
		unpacked, checksum := archive(t, map[string]string{name: "x"})
		out := filepath.Join(t.TempDir(), "a", "b", "out")
		err := (Release{Checksum: checksum}).unpack(unpacked, out)
		if _, statErr := os.Stat(filepath.Join(out, "..", "evil")); statErr == nil {
			t.Errorf("%s was written outside (%v)", name, err)
		}
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
