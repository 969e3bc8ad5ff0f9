package plug

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
var catalogue string

// An entry is one version of a C library. Adding one needs a line in catalogue.csv.
type entry struct {
	label string
	// date is when upstream released the version or, for one that is no release,
	// made its commit. The date of the crate that carries it is often later.
	date    time.Time
	release native.Release
}

// entries returns the whole catalogue. It panics if catalogue.csv is malformed,
// which a test tries.
func entries() (all []entry) {
	lines := csv.NewReader(strings.NewReader(catalogue))
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
		all = append(all, entry{f[0], date, native.Release{
			Kind: native.Kind(f[2]), Version: f[3], Crate: f[4], Release: f[5], Checksum: f[6],
		}})
	}
	return all
}

// choose returns the items whose label one of the glob patterns (* ? […]) matches,
// in any case; without patterns, all. It is an error if there are none.
func choose[T any](items []T, label func(T) string, patterns []string) (selected []T, err error) {
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
