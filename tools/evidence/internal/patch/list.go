package patch

import "strings"

// A Change is an edit with a name, and with the command, if any, that must notice it.
type Change struct{ Name, File, Function, Old, New, Command string }

// Changes reads a list of changes. A change begins with its name after "==". Its file and its function, if any, are on
// the next line. Then come the lines of Old after "-", the lines of New after "+", and the command after "$". The text
// before the first change, and other lines, are comments.
func Changes(list string) (all []Change) {
	for _, text := range strings.Split("\n"+list, "\n== ")[1:] {
		var c Change
		c.Name, text, _ = strings.Cut(text, "\n")
		place, text, _ := strings.Cut(text, "\n")
		c.File, c.Function, _ = strings.Cut(place, " ")
		for line := range strings.Lines(text) {
			switch line[0] {
			case '-':
				c.Old += line[1:]
			case '+':
				c.New += line[1:]
			case '$':
				c.Command += strings.TrimSpace(line[1:])
			}
		}
		c.Old, c.New = strings.TrimSuffix(c.Old, "\n"), strings.TrimSuffix(c.New, "\n")
		all = append(all, c)
	}
	return all
}
