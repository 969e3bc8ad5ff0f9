package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// versionOneOf returns the version of version 1 that belongs to a version of the library: v1.(2+X).Y for v2.X.Y, and
// v1.2.0-beta.N for v2.0.0-beta.N, so that "go get -u" never gives a program on version 1 a beta.
func versionOneOf(library string) (string, error) {
	var minor, patch int
	if _, err := fmt.Sscanf(strings.TrimSuffix(library, semver.Prerelease(library)), "v2.%d.%d", &minor, &patch); err != nil {
		return "", fmt.Errorf("%q is not a version of the library", library)
	}
	return fmt.Sprintf("v1.%d.%d%s", 2+minor, patch, semver.Prerelease(library)), nil
}

// writeVersionOne writes the files of compat/v1 into a new folder, as the root of version 1's repository has them. The
// written go.mod requires the library in the version that v names, and has no replace lines.
func (r *release) writeVersionOne(ctx context.Context, v versions, dir string) error {
	version, err := versionOneOf(v.library)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	from := filepath.Join(r.root, filepath.FromSlash(versionOne))
	names, err := command(ctx, from, nil, "git", "ls-files")
	if err != nil {
		return err
	}
	for _, name := range append(strings.Fields(names), "../../LICENSE") {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		name = filepath.Join(dir, strings.TrimPrefix(name, "../../"))
		if filepath.Base(name) == "go.mod" {
			if text, err = published(name, text, v); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	r.say("%s has the files of %s %s. docs/releasing.md says how to publish it.", dir, domain, version)
	return nil
}

// published returns a go.mod that requires the library in the version that v names, and has no replace lines.
func published(name string, text []byte, v versions) ([]byte, error) {
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	if err := file.AddRequire(library, v.library); err != nil {
		return nil, err
	}
	for _, replace := range file.Replace {
		if err := file.DropReplace(replace.Old.Path, replace.Old.Version); err != nil {
			return nil, err
		}
	}
	for _, block := range file.Syntax.Stmt { // a comment on the replace line would have no meaning without the line
		block.Comment().Before = nil
	}
	file.Cleanup()
	return file.Format()
}

// upgrade upgrades a program that requires v1.1.2, whose test calls version 1 and does not change. A program gets a
// beta only if it asks for the beta's number, and gets a release by "go get -u".
func (t *trial) upgrade(ctx context.Context) error {
	version, err := versionOneOf(t.versions.library)
	if err != nil {
		return err
	}
	tree := filepath.Join(t.dir, "v1next")
	if err := t.writeVersionOne(ctx, t.versions, tree); err != nil {
		return err
	}
	v1git := filepath.Join(t.dir, "v1.git")
	release := strings.TrimSuffix(version, semver.Prerelease(version))
	program := map[string]string{"verify_test.go": versionOneProgram, "go.mod": "module program\n\ngo 1.21\n\nrequire " + domain + " v1.1.2\n"}
	tags := []string{version, release}
	for _, tag := range slices.Compact(tags) {
		if err := commitAll(ctx, tree, v1git, tag); err != nil {
			return err
		}
		dir, err := t.folder(program)
		if err != nil {
			return err
		}
		steps := []step{{"go mod tidy", `^$`}, {"go test", `(?m)^ok `}, {"go get -u " + domain, `^$`}}
		if tag != release {
			steps = append(steps, step{"go list -m " + domain, ` v1\.1\.2\n$`}, step{"go get " + domain + "@" + tag, `^$`})
		}
		steps = append(steps, step{"go list -m " + domain, " " + tag + `\n$`}, step{"go test", `(?m)^ok `})
		if err := t.run(ctx, dir, steps...); err != nil {
			return err
		}
	}
	return nil
}

const versionOneProgram = `package program

import (
	"testing"

	"p256k1.mleku.dev"
)

func TestKeys(t *testing.T) {
	one := append(make([]byte, 31), 1)
	if !p256k1.ECSeckeyVerify(one) || p256k1.ECSeckeyVerify(make([]byte, 32)) {
		t.Error("another verdict on keys")
	}
}
`
