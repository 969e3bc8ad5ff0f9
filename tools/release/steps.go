package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"
)

const (
	unreleased = "## Unreleased\n"
	noRelease  = "There is no release yet"
)

// prepare writes the versions of a release into the tree, ready to be committed.
func (r *release) prepare(ctx context.Context, version string) error {
	v, err := r.number(ctx, version)
	if err != nil {
		return err
	}
	if err := r.clean(ctx); err != nil {
		return err
	}
	if _, err := r.version(); err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(r.root, "README.md"))
	if err != nil {
		return err
	}
	if bytes.Contains(readme, []byte(noRelease)) {
		return fmt.Errorf("README.md says %q", noRelease)
	}
	last, breaks, err := r.compareAPI(ctx)
	switch {
	case err != nil:
		return err
	case last != "" && semver.Compare(version, last) <= 0:
		return fmt.Errorf("%s does not come after %s", version, last)
	case breaks && semver.Prerelease(last) == "":
		return fmt.Errorf("%s may not break programs that compile with %s", version, last)
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
	p, err := r.serve(ctx, v)
	if err != nil {
		return err
	}
	for _, m := range r.neededFirst() {
		if !m.published() || m.isOutside() { // which take the library from this tree where go.sum is looked at
			continue
		}
		ours, err := r.wantedSums(p, m)
		if err != nil {
			return err
		}
		_, others, err := r.readSums(m)
		if err != nil {
			return err
		}
		if err := r.writeSums(m, ours, others); err != nil {
			return err
		}
		if err := r.pack(ctx, m, p); err != nil { // again, since go.sum is in it
			return err
		}
	}
	if err := r.install(ctx, v); err != nil {
		return err
	}
	if err := r.vulnerabilities(ctx); err != nil {
		return err
	}
	r.say("\nThe tree is ready. Now: .ci/run; git commit -am 'Release %s'; go run ./tools/release -tag %s", version, version)
	return nil
}

// tag makes sure that the last commit is a release, and gives it its tags.
func (r *release) tag(ctx context.Context, version string) error {
	v, err := r.number(ctx, version)
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
	p, err := r.serve(ctx, v)
	if err != nil {
		return err
	}
	var tags []string
	for _, m := range r.modules {
		if !m.published() {
			continue
		}
		wanted, err := r.wantedSums(p, m)
		if err != nil {
			return err
		}
		if m.isOutside() {
			wanted = nil
		}
		if ours, _, err := r.readSums(m); err != nil {
			return err
		} else if !slices.Equal(ours, wanted) {
			return fmt.Errorf("%s has\n%swhere the files have\n%s", r.sumFile(m), strings.Join(ours, ""), strings.Join(wanted, ""))
		}
		if err := r.sameAsCommit(p, m); err != nil {
			return err
		}
		name := m.tag(v)
		if there, err := r.git(ctx, "tag", "--list", name); err != nil {
			return err
		} else if there != "" {
			return fmt.Errorf("the tag %s is there already", name)
		}
		tags = append(tags, name)
	}
	if err := r.install(ctx, v); err != nil {
		return err
	}
	if err := r.vulnerabilities(ctx); err != nil {
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

// sameAsCommit makes sure that the go command will make of the last commit what the proxy has.
func (r *release) sameAsCommit(p *proxy, m *module) error {
	name := filepath.Join(p.dir, "commit.zip")
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	dir := m.dir
	if dir == "." {
		dir = ""
	}
	if err := modzip.CreateFromVCS(out, m.as(p.version), r.root, "HEAD", dir); err != nil {
		return err
	}
	committed, err := dirhash.HashZip(name, dirhash.Hash1)
	if err != nil {
		return err
	}
	served, err := dirhash.HashZip(p.file(m, ".zip"), dirhash.Hash1)
	if err != nil {
		return err
	}
	if committed != served {
		return fmt.Errorf("the zip of %s made of the last commit is not that of its files", m.path)
	}
	return nil
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

// number returns the versions of the release that has this version of the library: v0.3.0 around it if it is the third.
func (r *release) number(ctx context.Context, version string) (versions, error) {
	if semver.Canonical(version) != version || semver.Major(version) != "v2" {
		return versions{}, fmt.Errorf("%q is no version like v2.0.0-beta.1", version)
	}
	tags, err := r.git(ctx, "tag", "--list", "v2.*")
	others := slices.DeleteFunc(strings.Fields(tags), func(tag string) bool { return tag == version })
	return versions{version, fmt.Sprintf("v0.%d.0", len(others)+1)}, err
}

// writeChangelog puts what is unreleased under the heading of a version.
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
	text := before + unreleased + "\n" + heading(v) + r.now.Format("2006-01-02") + "\n" + changes
	return os.WriteFile(r.changelog(), []byte(text), 0o666)
}
