// Package catalogue lists the versions of C libraries that "bench plug" compares.
// Adding one needs a line in catalogue.csv.
package catalogue

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"path"
	"slices"
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

var header = []string{"label", "date", "bitcoin_core", "kind", "version", "so", "crate", "release", "checksum"}

// Entries returns the whole catalogue.
func Entries() ([]Entry, error) { return read(strings.NewReader(data)) }

func read(r io.Reader) ([]Entry, error) {
	lines := csv.NewReader(r)
	lines.Comment = '#'
	records, err := lines.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	if len(records) == 0 || !slices.Equal(records[0], header) {
		return nil, fmt.Errorf("catalogue: the first line must be %q", strings.Join(header, ","))
	}
	var entries []Entry
	for _, f := range records[1:] {
		date, err := time.Parse(time.DateOnly, f[1])
		if err != nil {
			return nil, fmt.Errorf("catalogue: %s: %w", f[0], err)
		}
		kind := native.Kind(f[3])
		if kind != native.Libsecp256k1 && kind != native.OpenSSL {
			return nil, fmt.Errorf("catalogue: %s: unknown kind %q", f[0], kind)
		}
		entries = append(entries, Entry{Label: f[0], Date: date, BitcoinCore: f[2], SO: f[5], Release: native.Release{
			Kind: kind, Version: f[4], Crate: f[6], Release: f[7], Checksum: f[8],
		}})
	}
	return entries, nil
}

// Match reports whether the glob pattern (* ? […]) matches the label, in any
// case; spaces in labels count as ordinary characters.
func (e Entry) Match(pattern string) (bool, error) {
	ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(e.Label))
	if err != nil {
		return false, fmt.Errorf("catalogue: pattern %q: %w", pattern, err)
	}
	return ok, nil
}

// Select returns the entries that one of the patterns matches, in the order of
// the catalogue; without patterns, all. A pattern that matches nothing is an error.
func Select(entries []Entry, patterns []string) ([]Entry, error) {
	if len(patterns) == 0 {
		return entries, nil
	}
	used := make([]bool, len(patterns))
	var selected []Entry
	for _, e := range entries {
		take := false
		for i, pattern := range patterns {
			ok, err := e.Match(pattern)
			if err != nil {
				return nil, err
			}
			used[i] = used[i] || ok
			take = take || ok
		}
		if take {
			selected = append(selected, e)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		var labels []string
		for _, e := range entries {
			labels = append(labels, e.Label)
		}
		return nil, fmt.Errorf("catalogue: %q matches none of: %s", patterns[i], strings.Join(labels, ", "))
	}
	return selected, nil
}
