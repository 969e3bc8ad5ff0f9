package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"
)

// equivalentText is the reviewed list of mutants that no test of what the code
// does can notice, each with the reason.
//
//go:embed equivalent.txt
var equivalentText string

// A list holds mutants by their keys, with the reasons.
type list map[string]string

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
