package main

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
	records, err := lines.ReadAll()
	if err != nil {
		panic(err)
	}
	for _, f := range records[1:] { // skips the line with the names of the columns
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

func (e entry) name() string { return e.label }

// choose returns the items whose label matches one of the glob patterns (* ? […]), regardless of case. Without patterns
// it returns all items. It returns an error if nothing matches.
func choose[T interface{ name() string }](items []T, patterns []string) (selected []T, err error) {
	var labels []string
	for _, item := range items {
		labels = append(labels, item.name())
		take := len(patterns) == 0
		for _, pattern := range patterns {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(item.name()))
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
