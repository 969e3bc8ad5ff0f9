package main

import (
	_ "embed"
	"encoding/csv"
	"path"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/native"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

//go:embed catalogue.csv
var catalogue string

// An entry is one version of a C library. A new version needs one line in catalogue.csv.
type entry struct {
	label string
	// date is the day on which upstream released the version, or made the commit if it is not a release. The crate that
	// contains it is often newer.
	date    time.Time
	release native.Release
}

// entries returns the whole catalogue. It panics if catalogue.csv is malformed; a test checks that it is not.
func entries() (all []entry) {
	lines := csv.NewReader(strings.NewReader(catalogue))
	lines.Comment = '#'
	for _, f := range must.Get(lines.ReadAll())[1:] { // skips the line with the names of the columns
		date, err := time.Parse(time.DateOnly, f[1])
		if err != nil {
			must.Fail("catalogue: %s: %w", f[0], err)
		}
		all = append(all, entry{f[0], date, native.Release{
			Kind: native.Kind(f[2]), Version: f[3], Crate: f[4], Release: f[5], Checksum: f[6],
		}})
	}
	return all
}

func (e entry) name() string { return e.label }

// choose returns the items whose label matches one of the glob patterns (* ? […]), regardless of case. Without patterns
// it returns all items. It panics with an error, as package must does, if nothing matches.
func choose[T interface{ name() string }](items []T, patterns []string) (selected []T) {
	var labels []string
	for _, item := range items {
		labels = append(labels, item.name())
		take := len(patterns) == 0
		for _, pattern := range patterns {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(item.name()))
			if err != nil {
				must.Fail("--only %q: %w", pattern, err)
			}
			take = take || ok
		}
		if take {
			selected = append(selected, item)
		}
	}
	if len(selected) == 0 {
		must.Fail("--only %q matches none of: %s", patterns, strings.Join(labels, ", "))
	}
	return selected
}
