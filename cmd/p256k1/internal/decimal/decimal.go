// Package decimal formats numbers for people.
package decimal

import "strconv"

// Grouped returns n ≥ 0 with commas between groups of three digits, such as 18,590.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count returns n ≥ 0 and the noun, which is in the plural unless n is 1, such as 2 files.
func Count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Grouped(n) + " " + noun
}
