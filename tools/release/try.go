package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	modzip "golang.org/x/mod/zip"
)

// errOffline is returned where the reason may be that other modules are out of reach.
var errOffline = errors.New("the modules that ours need cannot be had")

// Limits of what a user downloads. The largest file today is assembly of 140 kB.
const (
	maxZip  = 2 << 20
	maxFile = 512 << 10
)

// try does as a user would, outside the workspace and with an empty module cache, whose GOPROXY has the modules of this tree.
func (r *release) try(ctx context.Context, version versions) error {
	p, err := r.serve(ctx, version)
	if err != nil {
		return err
	}
	for _, m := range r.modules {
		if m.published() {
			if err := r.weigh(p, m); err != nil {
				return err
			}
		}
	}

	// All that is needed, by the checksums in go.sum. From here on nothing else is reachable.
	for _, m := range r.modules {
		if !m.published() || m.isOutside() {
			continue
		}
		dir, err := r.copyMod(m)
		if err != nil {
			return err
		}
		if _, err := command(ctx, dir, p.environment(true), "go", "mod", "download"); err != nil {
			return fmt.Errorf("%w: %w", errOffline, err)
		}
	}
	env := p.environment(false)

	home := filepath.Join(p.dir, "home")
	if err := os.Mkdir(home, 0o777); err != nil {
		return err
	}
	program, err := readmeProgram(filepath.Join(r.root, "README.md"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(home, "main.go"), []byte(program), 0o666); err != nil {
		return err
	}
	tool := filepath.Join(p.dir, "bin", "p256k1")
	if runtime.GOOS == "windows" {
		tool += ".exe"
	}
	for _, step := range []struct {
		command string
		says    string // a regular expression
	}{
		{"go install " + library + "/cmd/p256k1@latest", `^$`},
		{tool + " version", `(?m)^p256k1 +` + regexp.QuoteMeta(version.around) + `\b`},
		{tool + " key new", `(?m)[0-9a-f]{64}`},
		{"go mod init example.org/hello", `^$`},
		{"go get " + library, `^$`},
		{"go mod tidy", `^$`},
		{"go vet . " + library + "/...", `^$`},
		{"go run .", `^true\ntrue\n$`},
		{"go doc " + library + "/ecdsa Sign", `(?m)^func Sign\(.+\n    \S`},
	} {
		words := strings.Fields(step.command)
		out, err := command(ctx, home, env, words[0], words[1:]...)
		if err != nil {
			return err
		}
		if !regexp.MustCompile(step.says).MatchString(out) {
			return fmt.Errorf("%s: says %q, not %s", step.command, out, step.says)
		}
		words[0] = filepath.Base(words[0])
		r.say("works: %s", strings.Join(words, " "))
	}
	return r.tryDropIns(ctx, p)
}

// tryDropIns builds and runs a program with the modules in others' places.
func (r *release) tryDropIns(ctx context.Context, p *proxy) error {
	dir, err := os.MkdirTemp(p.dir, "dropins")
	if err != nil {
		return err
	}
	mod := "module program\n\ngo 1.26.0\n"
	for _, m := range r.modules {
		if m.isDropIn() {
			as := m.as(p.version)
			mod += fmt.Sprintf("\nrequire %s %s\n\nreplace %s => %s %s\n", m.path, dropIns[m.dir], m.path, as.Path, as.Version)
		}
	}
	for name, text := range map[string]string{"go.mod": mod, "main.go": dropInProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	if _, err := command(ctx, dir, p.environment(true), "go", "mod", "tidy"); err != nil {
		return fmt.Errorf("%w: %w", errOffline, err)
	}
	switch out, err := command(ctx, dir, p.environment(true), "go", "run", "."); {
	case err != nil:
		return err
	case out != "true\n":
		return fmt.Errorf("a program on btcec says %q", out)
	}
	r.say("works: a program on btcec, with the modules of compat")
	return nil
}

const dropInProgram = `package main

import (
	"fmt"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

func main() {
	hash := make([]byte, 32)
	var key *secp256k1.PrivateKey
	key, pub := btcec.PrivKeyFromBytes([]byte{1})
	sig, err := schnorr.Sign(key, hash)
	fmt.Println(err == nil && sig.Verify(hash, pub))
}
`

// weigh makes sure that the zip of a module holds nothing that is large.
func (r *release) weigh(p *proxy, m *module) error {
	name := p.file(m, ".zip")
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Size() > maxZip {
		return fmt.Errorf("the zip of %s has %d bytes, more than %d", m.path, info.Size(), maxZip)
	}
	dir, err := os.MkdirTemp(p.dir, "unzipped")
	if err != nil {
		return err
	}
	if err := modzip.Unzip(dir, m.as(p.version), name); err != nil {
		return err
	}
	count := 0
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Size() > maxFile {
			return fmt.Errorf("%s has %d bytes, more than %d", path, info.Size(), maxFile)
		}
		count++
		return nil
	})
	r.say("%s %s: %d files, %d KiB", m.as(p.version).Path, m.as(p.version).Version, count, (info.Size()+1023)>>10)
	return err
}

// copyMod copies go.mod and go.sum into a folder of their own, without the checksums of our modules: those are of the last
// release.
func (r *release) copyMod(m *module) (dir string, err error) {
	if dir, err = os.MkdirTemp(r.dir, "mod"); err != nil {
		return "", err
	}
	mod, err := os.ReadFile(m.file.Syntax.Name)
	if err != nil {
		return "", err
	}
	_, others, err := r.readSums(m)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o666); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "go.sum"), []byte(strings.Join(others, "")), 0o666)
}

// readmeProgram returns the first block of Go in a page.
func readmeProgram(name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	_, rest, ok := strings.Cut(string(text), "\n```go\n")
	program, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		return "", fmt.Errorf("%s has no program", name)
	}
	return program, nil
}
