package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

const (
	unreleased = "## Unreleased\n"
	noRelease  = "There is no release yet"
)

// prepare writes the versions of a release into the tree, for a commit.
func (r *release) prepare(ctx context.Context, version string) error {
	v, others, err := r.number(ctx, version)
	if err != nil {
		return err
	}
	if err := r.clean(ctx); err != nil {
		return err
	}
	if _, err := r.version(); err != nil {
		return err
	}
	if len(others) > 0 && semver.Compare(version, slices.MaxFunc(others, semver.Compare)) <= 0 {
		return fmt.Errorf("%s does not come after %q", version, others)
	}
	if pages, _ := r.git(ctx, "grep", "-l", noRelease, "--", "*.md"); pages != "" { // git grep fails if nothing matches
		return fmt.Errorf("%q is still in\n%s", noRelease, pages)
	}
	if err := r.setVersion(v); err != nil {
		return err
	}
	if err := r.writeChangelog(v); err != nil {
		return err
	}
	if err := r.tidy(ctx); err != nil {
		return err
	}
	if err := r.install(ctx, v); err != nil {
		return err
	}
	r.say("\nThe tree is ready. Now: .ci/run; git commit -am 'Release %s'; go run ./tools/release -tag %[1]s", version)
	return nil
}

// tag checks that the last commit is a release, and adds its tags.
func (r *release) tag(ctx context.Context, version string) error {
	v, _, err := r.number(ctx, version)
	if err != nil {
		return err
	}
	if err := r.clean(ctx); err != nil {
		return err
	}
	switch required, err := r.version(); {
	case err != nil:
		return err
	case required != v:
		return fmt.Errorf("the modules require %v of one another, not %v", required, v)
	}
	changes, err := os.ReadFile(r.changelog())
	if err != nil {
		return err
	}
	if !strings.Contains(string(changes), "\n"+heading(v)) {
		return fmt.Errorf("CHANGELOG.md has no section %q", heading(v))
	}
	var tags []string
	for _, m := range r.modules {
		if m.private {
			continue
		}
		name := m.tag(v)
		if there, err := r.git(ctx, "tag", "--list", name); err != nil {
			return err
		} else if there != "" {
			return fmt.Errorf("the tag %s exists already", name)
		}
		tags = append(tags, name)
	}
	if err := r.install(ctx, v); err != nil {
		return err
	}
	for _, t := range tags {
		if _, err := r.git(ctx, "tag", "--annotate", "--message", "Release "+version, t); err != nil {
			return err
		}
	}
	r.say("\nTagged. Now: git push --atomic origin HEAD %s", strings.Join(tags, " "))
	return nil
}

// number returns the versions of the release with this version of the library. The modules around the library have the
// version v0.3.0 in the third release, for example. number also returns the library's versions in the other releases.
func (r *release) number(ctx context.Context, version string) (v versions, others []string, err error) {
	if semver.Canonical(version) != version || semver.Major(version) != "v2" {
		return v, nil, fmt.Errorf("%q is no version like v2.0.0-beta.1", version)
	}
	tags, err := r.git(ctx, "tag", "--list", "v2.*")
	others = slices.DeleteFunc(strings.Fields(tags), func(tag string) bool { return tag == version })
	return versions{version, fmt.Sprintf("v0.%d.0", len(others)+1)}, others, err
}

func (r *release) clean(ctx context.Context) error {
	switch changes, err := r.git(ctx, "status", "--porcelain"); {
	case err != nil:
		return err
	case changes != "":
		return fmt.Errorf("there are changes that are not committed:\n%s", changes)
	}
	return nil
}

func (r *release) changelog() string { return filepath.Join(r.root, "CHANGELOG.md") }

func heading(v versions) string {
	return fmt.Sprintf("## %s, around it %s – ", strings.TrimPrefix(v.library, "v"), strings.TrimPrefix(v.around, "v"))
}

// writeChangelog moves the unreleased entries under the heading of a release.
func (r *release) writeChangelog(v versions) error {
	b, err := os.ReadFile(r.changelog())
	if err != nil {
		return err
	}
	before, changes, ok := strings.Cut(string(b), unreleased)
	body, _, _ := strings.Cut(changes, "\n## ")
	if !ok || strings.TrimSpace(body) == "" {
		return errors.New("CHANGELOG.md has nothing under Unreleased")
	}
	text := before + unreleased + "\n" + heading(v) + time.Now().Format("2006-01-02") + "\n" + changes
	return os.WriteFile(r.changelog(), []byte(text), 0o666)
}
