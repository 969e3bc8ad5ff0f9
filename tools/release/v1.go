package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

// versionOneOf returns the version of version 1 that belongs to a version of the library: v1.(2+X).Y for v2.X.Y, and
// v1.2.0-beta.N for v2.0.0-beta.N, so that "go get -u" never gives a program on version 1 a beta.
func versionOneOf(library string) string {
	var minor, patch int
	if _, err := fmt.Sscanf(strings.TrimSuffix(library, semver.Prerelease(library)), "v2.%d.%d", &minor, &patch); err != nil {
		must.Fail("%q is not a version of the library", library)
	}
	return fmt.Sprintf("v1.%d.%d%s", 2+minor, patch, semver.Prerelease(library))
}

// upgrade upgrades a program that requires v1.1.2, whose test calls version 1 and does not change. A program gets a
// beta only if it asks for the beta's number, and gets a release by "go get -u".
func (t *trial) upgrade(ctx context.Context) {
	version := versionOneOf(t.versions.library)
	release := strings.TrimSuffix(version, semver.Prerelease(version))
	program := map[string]string{"verify_test.go": versionOneProgram, "go.mod": "module program\n\ngo 1.21\n\nrequire " + domain + " v1.1.2\n"}
	tags := []string{version, release}
	for _, tag := range slices.Compact(tags) {
		t.tagVersionOne(ctx, tag)
		dir := t.folder(program)
		steps := []step{{"go mod tidy", `^$`}, {"go test", `(?m)^ok `}, {"go get -u " + domain, `^$`}}
		if tag != release {
			steps = append(steps, step{"go list -m " + domain, ` v1\.1\.2\n$`}, step{"go get " + domain + "@" + tag, `^$`})
		}
		steps = append(steps, step{"go list -m " + domain, " " + tag + `\n$`}, step{"go test", `(?m)^ok `})
		must.Do(t.run(ctx, dir, steps...))
	}
}

// tagVersionOne makes the folder compat/v1 of this tree a version in version 1's repository, with the git commands of
// docs/releasing.md.
func (t *trial) tagVersionOne(ctx context.Context, tag string) {
	v2 := filepath.Join(t.dir, "v2.git")
	must.Get(command(ctx, v2, nil, "git", "fetch", "-q", "--no-tags", "../v1.git", "v1.1.2"))
	commit := must.Get(command(ctx, v2, nil, "git", "-c", "user.name=release", "-c", "user.email=",
		"commit-tree", "-p", "FETCH_HEAD", "-m", tag, "HEAD:"+versionOne))
	must.Get(command(ctx, v2, nil, "git", "push", "-q", "../v1.git", strings.TrimSpace(commit)+":refs/tags/"+tag))
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
