package consttime

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Finding is an instruction whose time could depend on a secret. Its kind is "branch";
// "index", an access to memory at an address that is computed; "slow", an instruction
// that needs more time for some operands than for others; or "call", of code that is
// not looked at. The place of a call is only the name.
type Finding struct {
	Kind string
	Place
}

// String returns the line of the list for f.
func (f Finding) String() string {
	return fmt.Sprintf("\t%-6s  %v", f.Kind, f.Place)
}

// Review is a line of the list: findings, and why they may be.
type Review struct {
	Finding             // with an ellipsis for any text
	Declassified bool   // they do depend on secrets
	Reason       string // of the group
	Line         int    // in reviewed.txt

	pattern *regexp.Regexp
}

//go:embed reviewed.txt
var reviewed string

// Reviewed returns the list in reviewed.txt.
func Reviewed() ([]Review, error) {
	return readList(reviewed)
}

var (
	heading = regexp.MustCompile(`^(public|declassified): (.+)$`)
	entry   = regexp.MustCompile(`^\t(branch|index|slow|call) +(\S+?)(?:: (.+))?$`)
)

func readList(text string) ([]Review, error) {
	var list []Review
	var r Review
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			r.Declassified, r.Reason = m[1] == "declassified", m[2]
			continue
		}
		m := entry.FindStringSubmatch(line)
		if m == nil || r.Reason == "" {
			return nil, fmt.Errorf("reviewed.txt:%d: neither a reason nor a finding: %q", i+1, line)
		}
		r.Finding = Finding{m[1], Place{m[2], m[3]}}
		r.Line = i + 1
		r.pattern = regexp.MustCompile(`^` + strings.ReplaceAll(regexp.QuoteMeta(r.String()), "…", ".*") + `$`)
		if r.Declassified && strings.Contains(line, "…") {
			return nil, fmt.Errorf("reviewed.txt:%d: what is declassified is named in full", i+1)
		}
		list = append(list, r)
	}
	return list, nil
}

// Compare returns the findings that are not on a list, in order, and the lines of
// the list that none of them needs.
func Compare[T any](list []Review, found map[Finding]T) (unknown []Finding, stale []Review) {
	used := make([]bool, len(list))
	for f := range found {
		known := false
		for i, r := range list {
			if r.pattern.MatchString(f.String()) {
				known, used[i] = true, true
			}
		}
		if !known {
			unknown = append(unknown, f)
		}
	}
	slices.SortFunc(unknown, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	for i, r := range list {
		if !used[i] {
			stale = append(stale, r)
		}
	}
	return unknown, stale
}
