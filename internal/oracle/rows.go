package oracle

import (
	"math/big"
	"os"
	"strings"
	"testing"
)

// Rows returns the rows of a file that tools/evidence/grouplaw has made: lines of lists, which have hexadecimal
// integers between commas. A line that begins with # is a comment.
func Rows(t testing.TB, name string) (rows [][][]*big.Int) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var row [][]*big.Int
		for group := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), " ") {
			var list []*big.Int
			for number := range strings.SplitSeq(group, ",") {
				if x, ok := new(big.Int).SetString(number, 16); ok {
					list = append(list, x)
				} else if group != "" {
					t.Fatalf("%s has %q", name, number)
				}
			}
			row = append(row, list)
		}
		rows = append(rows, row)
	}
	return rows
}
