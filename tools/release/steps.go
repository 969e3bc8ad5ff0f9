package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

const (
	unreleased = "## Unreleased\n"
	noRelease  = "There is no release yet"
)

// prepare writes the versions of a release into the tree, for a commit.
func (r *release) prepare(ctx context.Context, version string) {
	v, others := r.number(ctx, version)
	r.version()
	if len(others) > 0 && semver.Compare(version, slices.MaxFunc(others, semver.Compare)) <= 0 {
		must.Fail("%s does not come after %q", version, others)
	}
	if pages, _ := command(ctx, r.root, nil, "git", "grep", "-l", noRelease, "--", "*.md"); pages != "" { // git grep fails if nothing matches
		must.Fail("%q is still in\n%s", noRelease, pages)
	}
	r.setVersion(v)
	r.writeChangelog(v)
	r.tidy(ctx)
	r.install(ctx, v)
	r.say("\nThe tree is ready. Now: .ci/run; git commit -am 'Release %s'; go run ./tools/release -tag %[1]s", version)
}

// tag checks that the last commit is a release, and adds its tags.
func (r *release) tag(ctx context.Context, version string) {
	v, _ := r.number(ctx, version)
	if required := r.version(); required != v {
		must.Fail("the modules require %v of one another, not %v", required, v)
	}
	changes := must.Get(os.ReadFile(r.changelog()))
	if !strings.Contains(string(changes), "\n"+heading(v)) {
		must.Fail("CHANGELOG.md has no section %q", heading(v))
	}
	tags := r.tags(v)
	if known := r.git(ctx, append([]string{"tag", "--list"}, tags...)...); known != "" {
		must.Fail("these tags exist already:\n%s", known)
	}
	r.install(ctx, v)
	for _, t := range tags {
		r.git(ctx, "tag", "--annotate", "--message", "Release "+version, t)
	}
	r.say("\nTagged. Now: git push --atomic origin HEAD %s", strings.Join(tags, " "))
}

// number returns the versions of the release with this version of the library. The modules around the library have the
// version v0.3.0 in the third release, for example. number also returns the library's versions in the other releases.
// It refuses a tree with changes.
func (r *release) number(ctx context.Context, version string) (v versions, others []string) {
	if semver.Canonical(version) != version || semver.Major(version) != "v2" {
		must.Fail("%q is no version like v2.0.0-beta.1", version)
	}
	if changes := r.git(ctx, "status", "--porcelain"); changes != "" {
		must.Fail("there are changes that are not committed:\n%s", changes)
	}
	others = strings.Fields(r.git(ctx, "tag", "--list", "v2.*"))
	others = slices.DeleteFunc(others, func(tag string) bool { return tag == version })
	return versions{version, fmt.Sprintf("v0.%d.0", len(others)+1)}, others
}

func (r *release) changelog() string { return filepath.Join(r.root, "CHANGELOG.md") }

func heading(v versions) string {
	return fmt.Sprintf("## %s, around it %s – ", strings.TrimPrefix(v.library, "v"), strings.TrimPrefix(v.around, "v"))
}

// writeChangelog moves the unreleased entries under the heading of a release.
func (r *release) writeChangelog(v versions) {
	b := must.Get(os.ReadFile(r.changelog()))
	before, changes, ok := strings.Cut(string(b), unreleased)
	body, _, _ := strings.Cut(changes, "\n## ")
	if !ok || strings.TrimSpace(body) == "" {
		must.Fail("CHANGELOG.md has nothing under Unreleased")
	}
	text := before + unreleased + "\n" + heading(v) + time.Now().Format(time.DateOnly) + "\n" + changes
	must.Do(os.WriteFile(r.changelog(), []byte(text), 0o666))
}
