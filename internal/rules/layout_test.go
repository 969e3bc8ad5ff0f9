package rules

import (
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxLine  = 120 // characters of a line of prose
	tabWidth = 4
)

var (
	comment   = regexp.MustCompile(`^(\t*// )(.*)$`)
	listItem  = regexp.MustCompile(`^ *(?:[-*•]|[0-9]+[.)]|\[\w+\]:?) `)
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT`)
)

// columns returns the width of a line.
func columns(line string) int {
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}

// continues reports whether next continues the paragraph of a line with the given text. Headings, tables and code are
// not wrapped.
func continues(text, next string) bool {
	lead := listItem.FindString(text)
	if lead == "" {
		lead = text[:len(text)-len(strings.TrimLeft(text, " "))]
	}
	rest, ok := strings.CutPrefix(next, strings.Repeat(" ", len(lead)))
	return ok && text != "" && rest != "" && !strings.ContainsAny(text[:1]+rest[:1], "\t#|") && rest[0] != ' ' &&
		!listItem.MatchString(rest)
}

// TestLayout finds lines of comments and pages that are too long to read, or end although the next word fits. Dated
// reports are not rewritten.
func TestLayout(t *testing.T) {
	found := 0
	check := func(name string, lines []string, prose func(line string) (prefix, text string)) {
		for i, line := range lines {
			prefix, text := prose(line)
			if columns(line) > maxLine && strings.Contains(text, " ") && text[0] != '\t' && text[0] != '|' {
				t.Errorf("%s:%d has %d characters, more than %d", name, i+1, columns(line), maxLine)
			}
			if i+1 == len(lines) {
				break
			}
			nextPrefix, next := prose(lines[i+1])
			if prefix != nextPrefix || !continues(text, next) {
				continue
			}
			found++
			word, rest, _ := strings.Cut(strings.TrimLeft(next, " "), " ")
			// Markdown takes a + at the beginning of a line for an item of a list.
			if columns(line)+1+utf8.RuneCountInString(word) <= maxLine && !strings.HasPrefix(rest, "+ ") {
				t.Errorf("%s:%d ends although %q fits in it", name, i+1, word)
			}
		}
	}
	for _, name := range tree(t) {
		switch {
		case strings.Contains(name, "testdata/") || strings.HasPrefix(name, "tools/evidence/reports/"):
		case path.Ext(name) == ".md":
			lines := strings.Split(read(t, name), "\n")
			fenced, code, blank := false, false, true
			for i, line := range lines {
				fence := strings.HasPrefix(strings.TrimSpace(line), "```")
				fenced = fenced != fence
				code = strings.HasPrefix(line, "    ") && (blank || code)
				blank = strings.TrimSpace(line) == ""
				if fenced || fence || code {
					lines[i] = ""
				}
			}
			check(name, lines, func(line string) (string, string) { return "", line })
		case path.Ext(name) == ".go":
			text := read(t, name)
			if generated.MatchString(text) {
				continue
			}
			lines := strings.Split(text, "\n")
			output := false // within the comment that says what an example prints
			for i, line := range lines {
				match := comment.FindStringSubmatch(line)
				if output = match != nil && (output || match[2] == "Output:"); output {
					lines[i] = ""
				}
			}
			check(name, lines, func(line string) (prefix, text string) {
				if match := comment.FindStringSubmatch(line); match != nil {
					return match[1], match[2]
				}
				return "", ""
			})
		}
	}
	if found < 5000 {
		t.Errorf("%d continued lines in all: does this test still find them?", found)
	}
}
