package rules

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const specifications = "docs/specifications.md"

// revision is a text of a specification: a file as it was at a commit of its repository.
type revision struct{ name, file, commit string }

// revisions returns the rows of the page's first table.
func revisions(page string) (all []revision) {
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \| [^|]+ \| (\S+) \| ([0-9a-f]{8}|unknown) \| [^|]+ \|$`).FindAllStringSubmatch(page, -1) {
		all = append(all, revision{row[1], row[2], row[3]})
	}
	return all
}

// changes returns the later commits that changed the file, one a line, in the first folder that has the file at r's
// commit. known is false if no folder has it.
func (r revision) changes(folders []string) (log string, known bool, err error) {
	for _, folder := range folders {
		if r.commit == "unknown" || exec.Command("git", "-C", folder, "cat-file", "-e", r.commit+":"+r.file).Run() != nil {
			continue
		}
		out, err := exec.Command("git", "-C", folder, "log", "--format=%h %cs %s", r.commit+"..HEAD", "--", r.file).CombinedOutput()
		if err != nil {
			return "", true, fmt.Errorf("%s: %w: %s", folder, err, out)
		}
		return string(out), true, nil
	}
	return "", false, nil
}

// TestSpecifications checks that the page lists the specifications that comments and pages name. If the environment
// variable P256K1_SPECIFICATIONS has a list of checkouts, the test fails if a listed file has changed there since its
// commit, and prints the changes.
func TestSpecifications(t *testing.T) {
	names := tree(t)
	page := read(t, specifications)
	rows := revisions(page)
	if first, _, found := strings.Cut(page, "never change"); !found || len(rows) != strings.Count(first, "\n| ")-1 {
		t.Errorf("%s: %d rows of the first table have its form", specifications, len(rows))
	}
	named := regexp.MustCompile(`\b(BIP|NIP|NUT|EIP|ERC|RFC|SEC|BOLT|SLIP)[- ]?(\d+)\b`)
	listed := make(map[string]bool)
	text := func(m []string) string { return m[1] + strings.TrimLeft(m[2], "0") }
	for _, m := range named.FindAllStringSubmatch(page, -1) {
		listed[text(m)] = true
	}
	for _, name := range names {
		if strings.HasPrefix(name, "tools/") || strings.Contains(name, "testdata/") || strings.HasSuffix(name, "_test.go") || (path.Ext(name) != ".go" && path.Ext(name) != ".md") {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(read(t, name), -1) {
			if !listed[text(m)] {
				t.Errorf("%s names %s, which %s does not list", name, m[0], specifications)
				listed[text(m)] = true
			}
		}
	}
	folders := filepath.SplitList(os.Getenv("P256K1_SPECIFICATIONS"))
	if len(folders) == 0 {
		return
	}
	for _, folder := range folders {
		if out, err := exec.Command("git", "-C", folder, "rev-parse", "HEAD").CombinedOutput(); err != nil {
			t.Errorf("P256K1_SPECIFICATIONS: %s is not a checkout: %s", folder, out)
		}
	}
	for _, r := range rows {
		switch log, known, err := r.changes(folders); {
		case err != nil:
			t.Error(err)
		case !known:
			t.Logf("%s: not compared, because no checkout has %s at commit %s", r.name, r.file, r.commit)
		case log != "":
			t.Errorf("%s has changed since %s:\n%s", r.name, r.commit, log)
		}
	}
}

// TestChanges compares a row with a repository in which the file changes.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x"}, args...)...).CombinedOutput()
		if err != nil {
			t.Skipf("git %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-qm", "the change of "+name)
		return git("rev-parse", "--short=8", "HEAD")
	}
	git("init", "-q")
	first := write("01.md", "a")
	write("02.md", "a")
	last := write("01.md", "b")
	folders := []string{t.TempDir(), dir}
	for _, c := range []struct {
		revision
		want  string
		known bool
	}{
		{revision{"", "01.md", first}, "the change of 01.md", true},
		{revision{"", "01.md", last}, "", true},
		{revision{"", "02.md", last}, "", true},
		{revision{"", "01.md", "unknown"}, "", false},
		{revision{"", "01.md", "00000000"}, "", false},
		{revision{"", "03.md", last}, "", false},
	} {
		if log, known, err := c.changes(folders); !strings.Contains(log, c.want) || (log == "") != (c.want == "") || known != c.known || err != nil {
			t.Errorf("%v: %q, %t, %v", c.revision, log, known, err)
		}
	}
}
