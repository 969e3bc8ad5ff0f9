package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"
)

// equivalentText is the reviewed list of mutants that no test notices, each with
// the reason: they are equivalent, unless the reason begins with “Survives”.
//
//go:embed equivalent.txt
var equivalentText string

// A list holds mutants by their keys, with the reasons.
type list map[string]string

// equivalent reports whether a mutant is on the list as one that computes the
// same as the code.
func (l list) equivalent(key string) bool {
	return l[key] != "" && !strings.HasPrefix(l[key], "Survives")
}

// parseList reads blocks that are parted by empty lines: first the reason, in
// lines that begin with #, then keys, one a line. Text before the first empty
// line is a heading.
func parseList(text string) (list, error) {
	l := list{}
	var reason []string
	keys := true // since the reason
	s := bufio.NewScanner(strings.NewReader(text))
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
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
			return nil, fmt.Errorf("line %d: %s: no reason is given", n, line)
		case !strings.Contains(line, " → "):
			return nil, fmt.Errorf("line %d: %s: not of the form package function: before → after", n, line)
		case l[line] != "":
			return nil, fmt.Errorf("line %d: %s: the second time", n, line)
		default:
			l[line] = strings.Join(reason, " ")
			keys = true
		}
	}
	return l, s.Err()
}
