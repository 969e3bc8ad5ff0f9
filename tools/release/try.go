package main

import (
	"archive/zip"
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// These are limits of the sizes that a user downloads. The largest file today is assembly of 545 kB.
const (
	maxZip  = 2 << 20
	maxFile = 576 << 10
)

// try uses this tree in the way in which users will use a release.
func (r *release) try(ctx context.Context, v versions) {
	ctx, stop := context.WithCancel(ctx) // stop ends the host
	defer stop()
	t := r.newTrial(ctx, v)
	for _, part := range []func(context.Context){t.commands, t.dropIns, t.upgrade, t.published, t.weigh} {
		part(ctx)
	}
}

// commands installs the command and runs it. It also runs README's program, together with a file that imports the
// earlier library.
func (t *trial) commands(ctx context.Context) {
	for _, m := range t.modules {
		if m.private || m.heavy {
			continue
		}
		t.fetch(ctx, m.tag(t.versions), m)
	}
	dir := t.folder(map[string]string{
		"main.go":   readmeProgram(filepath.Join(t.root, "README.md")),
		"beside.go": "package main\n\nimport _ \"" + domain + "\"\n",
	})
	around, core := regexp.QuoteMeta(t.versions.around), regexp.QuoteMeta(t.versions.library)
	ethereum, nostr, protocols := library+"/ethereum", library+"/nostr", library+"/protocols"
	must.Do(t.run(ctx, dir, []step{
		{"go install " + library + "/cmd/p256k1@" + t.versions.around, `^$`},
		{"p256k1 version", `(?m)^p256k1 +` + around + `\nlibrary .* ` + core + `$`},
		{"p256k1 key new", `(?m)[0-9a-f]{64}`},
		{"go mod init example.org/hello", `^$`},
		{"go get " + library + "@" + t.versions.library + " " + domain + "@latest", `^$`},
		{"go get " + nostr + "@" + t.versions.around + " " + protocols + "@" + t.versions.around, `^$`},
		{"go vet -mod=mod . " + library + "/... " + nostr + "/... " + protocols + "/...", `^$`},
		{"go run .", `^true\n$`},
		{"go list -m " + domain, ` v1\.1\.2\n$`},
		{"go doc " + library + "/ecdsa Sign", `(?m)^func Sign\(.+\n    \S`},
		// The Ethereum module is added after "go doc", which would otherwise read requirements of this module that no
		// build needs and that the cache therefore lacks.
		{"go get " + ethereum + "@" + t.versions.around, `^$`},
		{"go vet -mod=mod " + ethereum, `^$`},
	}...))
}

// dropIns makes the command replace the modules that a program requires by this project's modules.
func (t *trial) dropIns(ctx context.Context) {
	tools := t.modules[len(t.modules)-1] // its go.sum has the checksums of the replaced modules
	sum := must.Get(os.ReadFile(filepath.Join(t.root, tools.dir, "go.sum")))
	mod := "module program\n\ngo 1.26.0\n"
	others := mod // also requires the original modules, whose checksums are in the go.sum of tools
	steps := []step{{"p256k1 replace --write", ``}, {"go mod tidy", `^$`}, {"go run .", `^true\n$`}}
	for _, m := range t.modules {
		if m.api == "" {
			continue
		}
		version := m.api
		for _, require := range tools.file.Require {
			if require.Mod.Path == m.path {
				version = require.Mod.Version
				others += "\nrequire " + m.path + " " + version + "\n"
			}
		}
		mod += "\nrequire " + m.path + " " + version + "\n"
		as := m.as(t.versions)
		steps = append(steps, step{"go list -m " + m.path, " => " + regexp.QuoteMeta(as.Path+" "+as.Version) + "\n$"})
	}
	t.download(ctx, others, string(sum))
	dir := t.folder(map[string]string{"go.mod": mod, "go.sum": string(sum), "main.go": dropInProgram})
	must.Do(t.run(ctx, dir, steps...))
}

const dropInProgram = `package main

import (
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	erigon "github.com/erigontech/secp256k1"
)

func main() {
	hash := make([]byte, 32)
	var key *secp256k1.PrivateKey
	key, pub := btcec.PrivKeyFromBytes([]byte{1})
	sig, err := schnorr.Sign(key, hash)
	_, failed := erigon.Sign(hash, hash)
	fmt.Println(err == nil && sig.Verify(hash, pub) && failed == erigon.ErrInvalidKey)
}
`

// published builds the modules of every earlier release with the library in this tree. In a program that requires a
// newer library, minimal version selection combines old modules with this library.
func (t *trial) published(ctx context.Context) {
	tags := strings.Fields(t.git(ctx, "tag", "--list", "--sort=-version:refname"))
	for _, tag := range tags {
		if around, ok := strings.CutPrefix(tag, "nostr/"); ok && around != t.versions.around {
			t.earlier(ctx, tags, around)
		}
	}
}

// earlier builds the modules of an earlier version with the library in this tree. Modules that were made for a beta of
// the library may fail: docs/releasing.md says so. Heavy modules are left out, because they import only public packages
// and have too many requirements.
func (t *trial) earlier(ctx context.Context, tags []string, around string) {
	program := "module program\n\ngo 1.26.0\n\nrequire " + library + " " + t.versions.library + "\n"
	build, made := "go build -mod=mod", "" // made is the version of the library for which they were made
	for _, m := range t.modules {
		dir, end := path.Dir(m.tag(t.versions)), "/"+around
		if m.api != "" { // the path may have been different then
			end = "-p256k1." + strings.TrimPrefix(around, "v")
		}
		i := slices.IndexFunc(tags, func(tag string) bool { return path.Dir(tag) == dir && strings.HasSuffix(tag, end) })
		if i < 0 || m.private || m.heavy {
			continue
		}
		for _, require := range t.fetch(ctx, tags[i], m).Require {
			if require.Mod.Path == library {
				made = require.Mod.Version
			}
		}
		program += "\nrequire " + m.path + " " + cmp.Or(m.api, around) + "\n"
		if m.api != "" {
			program += "\nreplace " + m.path + " => " + library + "/" + m.dir + " " + path.Base(tags[i]) + "\n"
		}
		build += " " + m.path + "/..."
	}
	dir := t.folder(map[string]string{"go.mod": program})
	err := t.run(ctx, dir, step{build, `^$`})
	switch {
	case err != nil && semver.Prerelease(made) == "":
		must.Fail("modules released with %s do not build with the library %s: %w", made, t.versions.library, err)
	case err != nil:
		t.say("modules released with %s do not build with the library %s: %v", made, t.versions.library, err)
	default:
		t.say("works: modules released with %s, with the library %s", made, t.versions.library)
	}
}

// weigh checks that no zip archive of this project that a user downloads has more than maxZip bytes, and that no file
// in it has more than maxFile bytes.
func (t *trial) weigh(ctx context.Context) {
	for _, m := range t.modules {
		if m.heavy {
			must.Do(t.run(ctx, t.dir, step{"go mod download " + m.path + "@" + t.versions.around, `^$`}))
		}
	}
	ours := filepath.Join(t.cache, "cache", "download", domain)
	must.Do(filepath.WalkDir(ours, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".zip" {
			return err
		}
		size := must.Get(d.Info()).Size()
		if size > maxZip {
			must.Fail("%s has %d bytes, more than %d", name, size, maxZip)
		}
		z := must.Get(zip.OpenReader(name))
		defer z.Close()
		for _, f := range z.File {
			if f.UncompressedSize64 > maxFile {
				must.Fail("%s has %d bytes, more than %d", f.Name, f.UncompressedSize64, maxFile)
			}
		}
		t.say("%s: %d files, %d KiB", strings.TrimPrefix(name, ours), len(z.File), (size+1023)>>10)
		return nil
	}))
}

// readmeProgram returns the first block of Go on a page.
func readmeProgram(name string) string {
	text := must.Get(os.ReadFile(name))
	_, rest, ok := strings.Cut(string(text), "\n```go\n")
	program, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		must.Fail("%s has no program", name)
	}
	return program
}
