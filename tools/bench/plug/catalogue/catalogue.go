// Package catalogue lists the versions of C libraries that "bench plug" compares.
// Adding one needs a line in catalogue.csv.
package catalogue

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"path"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/native"
)

//go:embed catalogue.csv
var data string

// An Entry is one version of a library.
type Entry struct {
	Label string
	// Date is when upstream released the version or, for one that is no release,
	// made its commit. The date of the crate that carries it is often later.
	Date time.Time
	// BitcoinCore is the first release of Bitcoin Core with this version, or empty.
	BitcoinCore string
	// SO is the end of the file name of a distribution's shared library of this
	// version, after ".so.", or empty if that does not tell it.
	SO      string
	Release native.Release
}

// Entries returns the whole catalogue. It panics if catalogue.csv is malformed,
// which a test tries.
func Entries() (entries []Entry) {
	lines := csv.NewReader(strings.NewReader(data))
	lines.Comment = '#'
	records, err := lines.ReadAll()
	if err != nil {
		panic(err)
	}
	for _, f := range records[1:] { // below the names of the columns
		date, err := time.Parse(time.DateOnly, f[1])
		if err != nil {
			panic(fmt.Errorf("catalogue: %s: %w", f[0], err))
		}
		entries = append(entries, Entry{Label: f[0], Date: date, BitcoinCore: f[2], SO: f[5], Release: native.Release{
			Kind: native.Kind(f[3]), Version: f[4], Crate: f[6], Release: f[7], Checksum: f[8],
		}})
	}
	return entries
}

// Select returns the items whose label one of the glob patterns (* ? […]) matches,
// in any case; without patterns, all. It is an error if there are none.
func Select[T any](items []T, label func(T) string, patterns []string) (selected []T, err error) {
	var labels []string
	for _, item := range items {
		labels = append(labels, label(item))
		take := len(patterns) == 0
		for _, pattern := range patterns {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(label(item)))
			if err != nil {
				return nil, fmt.Errorf("--only %q: %w", pattern, err)
			}
			take = take || ok
		}
		if take {
			selected = append(selected, item)
		}
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("--only %q matches none of: %s", patterns, strings.Join(labels, ", "))
	}
	return selected, nil
}
