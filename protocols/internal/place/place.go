// Package place names participants and places in lists for error messages.
package place

import (
	"fmt"
	"strings"
)

var words = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// ordinal returns the ordinal of the element of a list that has this index. Index 0 is the first.
func ordinal(index int) string {
	n := index + 1
	if index >= 0 && index < len(words) {
		return words[index]
	}
	suffix := "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		suffix = []string{"st", "nd", "rd"}[n%10-1]
	}
	return fmt.Sprint(n, suffix)
}

// In names elements of a list by their indexes: In("signers", 0, 2) is "first and third of the signers". A list
// without a name is "the values", and no elements are "none of the signers".
func In(list string, indexes ...int) string {
	if list == "" {
		list = "values"
	}
	ordinals := make([]string, max(1, len(indexes)))
	ordinals[0] = "none"
	for i, index := range indexes {
		ordinals[i] = ordinal(index)
	}
	return Join(ordinals) + " of the " + list
}

// Join writes a list as English does: "1", "1 and 2", or "1, 2 and 3".
func Join[T any](list []T) string {
	var b strings.Builder
	for i, v := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}
