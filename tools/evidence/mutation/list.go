package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"p256k1.mleku.dev/v2/tools/evidence/internal/locals"
)

// equivalentText is the reviewed list of mutants that no test notices, each with the reason. Such a mutant is
// equivalent to the code, unless the reason begins with “Survives”.
//
//go:embed equivalent.txt
var equivalentText string

// A list maps the key of each listed mutant to the reason.
type list map[string]string

// equivalent reports whether a mutant is listed as equivalent to the code.
func (l list) equivalent(key string) bool {
	return l[key] != "" && !strings.HasPrefix(l[key], "Survives")
}

// match returns the list with the current keys of the given mutants, and the keys of the list that match no mutant. An
// entry matches the mutant with the same local names and numbers (package locals), or else with the same names, or else
// with the same numbers. The list therefore stays valid if a local name changes.
func (l list) match(all []*mutant) (known list, stale []string) {
	known = list{}
	stale = slices.Sorted(maps.Keys(l))
	for _, read := range []func(string) string{func(key string) string { return key }, locals.Names, locals.Numbers} {
		free := map[string][]*mutant{}
		for _, m := range all {
			if known[m.key()] == "" {
				free[read(m.key())] = append(free[read(m.key())], m)
			}
		}
		stale = slices.DeleteFunc(stale, func(key string) bool {
			mutants := free[read(key)]
			if len(mutants) == 0 {
				return false
			}
			known[mutants[0].key()] = l[key]
			free[read(key)] = mutants[1:]
			return true
		})
	}
	return known, stale
}

// parseList parses blocks that empty lines separate. A block consists of reasons and keys. A reason is one or more
// lines that begin with #. The lines after it are the keys that it applies to, one per line. Text before the first
// empty line is a heading.
func parseList(text string) (list, error) {
	l := list{}
	var reason []string
	keys := true // whether keys have followed the last reason
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		comment, isComment := strings.CutPrefix(line, "#")
		switch {
		case line == "":
			reason, keys = nil, false
		case isComment:
			if keys {
				reason = nil
			}
			reason, keys = append(reason, strings.TrimSpace(comment)), false
		case len(reason) == 0:
			return nil, fmt.Errorf("line %d: %s: no reason is given", i+1, line)
		case !strings.Contains(line, " → "):
			return nil, fmt.Errorf("line %d: %s: not of the form package function: before → after", i+1, line)
		case l[line] != "":
			return nil, fmt.Errorf("line %d: %s: listed twice", i+1, line)
		default:
			l[line] = strings.Join(reason, " ")
			keys = true
		}
	}
	return l, nil
}
