package rules

import (
	"go/build"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReview counts the lines that docs/review.md asks a reviewer to read. A row names files and folders, whose Go
// files on amd64 count, and its numbers are rounded. Only the first file counts if the others have no number.
func TestReview(t *testing.T) {
	tree(t)
	amd64 := build.Default
	amd64.GOOS, amd64.GOARCH, amd64.BuildTags, amd64.ToolTags = "linux", "amd64", nil, nil
	files := func(name string) (all []string) {
		if name == "*.go" {
			name = "."
		}
		if path.Ext(name) != "" && name != "." {
			return []string{name}
		}
		p, err := amd64.ImportDir(name, 0)
		if err != nil {
			t.Error(err)
			return nil
		}
		for _, file := range p.GoFiles {
			all = append(all, path.Join(name, file))
		}
		return all
	}
	rows := 0
	for _, table := range tablesWith(t, "docs/review.md", "read | lines") {
		for _, row := range table[1:] {
			claim := 0
			for _, n := range number.FindAllString(row[1], -1) {
				n, err := strconv.Atoi(strings.ReplaceAll(n, ",", ""))
				if err != nil {
					t.Error(err)
				}
				claim += n
			}
			if claim == 0 || strings.Contains(row[0], "statements") { // a part of a file
				continue
			}
			rows++
			named, left, _ := strings.Cut(row[0], " without ")
			var chosen []string
			for _, match := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(named, -1) {
				chosen = append(chosen, files(match[1])...)
				if strings.Contains(row[1], "then") {
					break
				}
			}
			slices.Sort(chosen)
			count := 0
			for _, file := range slices.Compact(chosen) {
				if left == "" || path.Base(file) != strings.Trim(left, "`") {
					count += strings.Count(read(t, file), "\n")
				}
			}
			if count < claim*95/100-5 || claim*105/100+5 < count {
				t.Errorf("docs/review.md: %s has %d lines, not %s", row[0], count, row[1])
			}
		}
	}
	if rows < 12 {
		t.Errorf("%d rows: does this test still find them?", rows)
	}
}
