package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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

// upgrade upgrades a program that requires v1.1.2, whose test calls version 1 and does not change. A program gets a
// beta only if it asks for the beta's number, and gets a release by "go get -u".
func (t *trial) upgrade(ctx context.Context) error {
	version, err := versionOneOf(t.versions.library)
	if err != nil {
		return err
	}
	release := strings.TrimSuffix(version, semver.Prerelease(version))
	program := map[string]string{"verify_test.go": versionOneProgram, "go.mod": "module program\n\ngo 1.21\n\nrequire " + domain + " v1.1.2\n"}
	tags := []string{version, release}
	for _, tag := range slices.Compact(tags) {
		if err := t.tagVersionOne(ctx, tag); err != nil {
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

// tagVersionOne makes the folder compat/v1 of this tree a version in version 1's repository, with the git commands of
// docs/releasing.md.
func (t *trial) tagVersionOne(ctx context.Context, tag string) error {
	in := filepath.Join(t.dir, "v2.git")
	if _, err := command(ctx, in, nil, "git", "fetch", "-q", "--no-tags", "../v1.git", "v1.1.2"); err != nil {
		return err
	}
	commit, err := command(ctx, in, nil, "git", "-c", "user.name=release", "-c", "user.email=", "commit-tree", "-p", "FETCH_HEAD", "-m", tag, "HEAD:"+versionOne)
	if err != nil {
		return err
	}
	_, err = command(ctx, in, nil, "git", "push", "-q", "../v1.git", strings.TrimSpace(commit)+":refs/tags/"+tag)
	return err
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
