package dropin

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// The version that the modules in others' places require, and the paths and versions that docs/releasing.md has for these.
const (
	library         = "v2.0.0-beta.1"
	publishedDecred = "p256k1.mleku.dev/v2/compat/decred/v4@v4.4.1-p256k1.0.1.0"
	publishedBtcec  = "p256k1.mleku.dev/v2/compat/btcec/v2@v2.5.1-p256k1.0.1.0"
)

// TestPublished has the modules by their published paths on the right of replace, from a folder that is a module proxy.
func TestPublished(t *testing.T) {
	proxy := t.TempDir()
	serve := func(published, dir string) {
		path, version, _ := strings.Cut(published, "@")
		folder := filepath.Join(proxy, filepath.FromSlash(path), "@v")
		check(t, os.MkdirAll(folder, 0o777))
		var packed bytes.Buffer
		check(t, zip.CreateFromDir(&packed, module.Version{Path: path, Version: version}, dir))
		check(t, os.WriteFile(filepath.Join(folder, version+".zip"), packed.Bytes(), 0o666))
		check(t, os.WriteFile(filepath.Join(folder, version+".mod"), must(os.ReadFile(filepath.Join(dir, "go.mod"))), 0o666))
		check(t, os.WriteFile(filepath.Join(folder, version+".info"), fmt.Appendf(nil, `{"Version":%q}`, version), 0o666))
	}
	serve("p256k1.mleku.dev/v2@"+library, root)
	serve(publishedDecred, decred.dir)
	serve(publishedBtcec, btcec.dir)

	dir := program(t, btcec, btcec.versions[0])
	cache := strings.TrimSpace(mustRun(t, dir, "go", "env", "GOMODCACHE"))
	env := []string{
		"GOPROXY=file://" + proxy + ",file://" + filepath.Join(cache, "cache/download"), "GONOSUMDB=p256k1.mleku.dev/v2", "GONOSUMCHECK=1",
		"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-mod=mod -modcacherw",
	}
	mustRun(t, dir, "go", "mod", "edit", "-replace", decred.path+"="+publishedDecred, "-replace", btcec.path+"="+publishedBtcec)
	addSums(t, dir, btcec.dir)
	if text, err := run(t, dir, env, "go", "build", "-o", "ours"); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text := mustRun(t, dir, "go", "version", "-m", "ours")
	for _, published := range []string{publishedDecred, publishedBtcec} {
		if !strings.Contains(text, "=>\t"+strings.Replace(published, "@", "\t", 1)) {
			t.Errorf("not %s: %s", published, text)
		}
	}
}

// TestBtcecAlone replaces btcec without decred: the compiler says what is missing.
func TestBtcecAlone(t *testing.T) {
	dir := program(t, btcec, btcec.versions[0])
	mustRun(t, dir, "go", "mod", "edit", "-replace", "p256k1.mleku.dev/v2="+root, "-replace", btcec.path+"="+btcec.dir)
	addSums(t, dir, btcec.dir)
	text, err := run(t, dir, nil, "go", "build")
	if err == nil || !strings.Contains(text, "cannot use replaceDecredsModuleToo") {
		t.Errorf("%v: %s", err, text)
	}
}
