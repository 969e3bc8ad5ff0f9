package consttime

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/internal/locals"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Finding is an instruction whose time could depend on a secret. Its kind is "branch", "index" for an access to memory
// at a computed address, "slow" for an instruction that takes longer for some operands than for others, or "call" for a
// call of code that is not checked. The place of a call is only the name of the called function. It is "public" for a
// function that lint does not read, because its arguments are public, and "vartime" for a function that may lead to a
// function with Vartime in its name; the place of both is the symbol of the function. It is "text" for a value that an
// error or a panic of the function shows, and "unread" for a function that handles a secret and that lint does not
// read; its text is a hash of its source.
type Finding struct {
	Kind string
	Place
}

// String returns the line of the reviewed list for f.
func (f Finding) String() string { return fmt.Sprintf("\t%-6s  %v", f.Kind, f.Place) }

// Review is a line of the list: a finding, and the reason why it is allowed.
type Review struct {
	Finding             // an ellipsis in the line of source stands for any text
	Declassified bool   // the line depends on secrets that are declassified
	Reason       string // the reason, which the lines of a group share
	Line         int    // number of the line in reviewed.txt

	patterns [len(readings)]*regexp.Regexp // patterns for the texts of Finding
}

//go:embed reviewed.txt
var reviewed string

// Reviewed returns the list in reviewed.txt, except the lines that the tests of this package need.
func Reviewed() []Review {
	return slices.DeleteFunc(must.Get(readList(reviewed)), func(r Review) bool { return r.Kind == "vartime" || r.Kind == "text" })
}

// reviewedOf returns the lines of reviewed.txt of one kind.
func reviewedOf(kind string) []Review {
	return slices.DeleteFunc(must.Get(readList(reviewed)), func(r Review) bool { return r.Kind != kind })
}

// Listed returns the functions in reviewed.txt whose kind is "public" or "vartime", by their symbols.
func Listed(kind string) map[string]bool {
	functions := make(map[string]bool)
	for _, r := range reviewedOf(kind) {
		functions[r.Function] = true
	}
	return functions
}

var (
	heading = regexp.MustCompile(`^(public|declassified): (.+)$`)
	entry   = regexp.MustCompile(`^\t(branch|index|slow|call|public|unread|vartime|text) +(\S+?)(?:: (.+))?$`)
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
		for i, read := range readings {
			r.patterns[i] = regexp.MustCompile(`^` + strings.ReplaceAll(regexp.QuoteMeta(read(r.String())), "…", ".*") + `$`)
		}
		if r.Declassified && strings.Contains(line, "…") {
			return nil, fmt.Errorf("reviewed.txt:%d: a declassified line must be named in full", i+1)
		}
		list = append(list, r)
	}
	return list, nil
}

// Judge returns an error unless all findings are on a list, and all lines of the list, which must have lines, have
// findings. The lines are the controls of a command that finds nothing. unknown and stale come from Compare.
func Judge(list []Review, unknown []Finding, stale []Review) error {
	if len(list) > 0 && len(unknown)+len(stale) == 0 {
		return nil
	}
	return fmt.Errorf("%d places are not on the reviewed list, and %d of its %d lines have no finding", len(unknown), len(stale), len(list))
}

// readings lists the ways to compare lines in which package locals has marked names: exactly, by names, and by numbers.
var readings = [...]func(line string) string{func(line string) string { return line }, locals.Names, locals.Numbers}

// Compare returns the findings that are not on a list, in order, and the lines of the list that match no finding. If
// the names in a line match no finding, the line may match a finding by the numbers of its names.
func Compare[T any](list []Review, found map[Finding]T) (unknown []Finding, stale []Review) {
	used := make([]bool, len(list))
	unknown = slices.Collect(maps.Keys(found))
	for reading, read := range readings {
		free := make([]bool, len(list))
		for i := range list {
			free[i] = reading < len(readings)-1 || !used[i]
		}
		unknown = slices.DeleteFunc(unknown, func(f Finding) bool {
			line, known := read(f.String()), false
			for i, r := range list {
				if free[i] && r.patterns[reading].MatchString(line) {
					known, used[i] = true, true
				}
			}
			return known
		})
	}
	slices.SortFunc(unknown, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	for i, r := range list {
		if !used[i] {
			stale = append(stale, r)
		}
	}
	return unknown, stale
}
