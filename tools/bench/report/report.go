// Package report writes the results of package measure, as text or in the format of Go's benchmarks.
package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// FormatByName returns the function that writes reports in a format, or an error that lists all formats.
func FormatByName(name string) (write func(w io.Writer, r *measure.Report) error, err error) {
	switch name {
	case "text":
		return Text, nil
	case "gobench":
		return GoBench, nil
	}
	return nil, fmt.Errorf("no format %q, want text or gobench", name)
}

// duration formats nanoseconds with the precision of Digits.
func duration(ns, off float64) string {
	unit, name := 1.0, "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if ns >= 999.5*unit {
			unit, name = 1000*unit, larger
		}
	}
	return Digits(ns/unit, off/unit) + " " + name
}

// Digits formats a number with three digits, or with all digits before the point if there are more. It shows fewer
// digits if the uncertainty off makes the last digits meaningless.
func Digits(v, off float64) string {
	if v == 0 {
		return "0.00"
	}
	first := int(math.Floor(math.Log10(v * 1.0005))) // the power of ten of the first digit
	places := max(0, 2-first)
	if first < 0 {
		places = 1 - first
	}
	if off > 0 {
		places = min(places, max(-first, -int(math.Floor(math.Log10(off)))))
	}
	unit := math.Pow10(places)
	return strconv.FormatFloat(math.Round(v*unit)/unit, 'f', max(0, places), 64)
}

// reach returns the larger of the distances from the median to the ends of the interval.
func reach(median, low, high float64) float64 { return max(high-median, median-low) }

// spread formats the reach divided by the median, in percent.
func spread(median, low, high float64) string {
	if median == 0 {
		return ""
	}
	if low == high { // a single sample has no interval
		return "±?"
	}
	percent := 100 * reach(median, low, high) / median
	return "±" + Digits(percent, percent/10) + " %"
}

func ratio(r, low, high float64) string {
	if r == 0 {
		return "–"
	}
	return Digits(r, reach(r, low, high)) + " ×"
}

// perCall formats the number or the size of the allocations of a call.
func perCall(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// facts returns lines that are true of the whole run, such as its date.
func facts(r *measure.Report) []string {
	m := r.Machine
	turn := fmt.Sprintf("%v, all of which counts", r.Time)
	if r.Least {
		turn = fmt.Sprintf("%v, whose quickest tenth counts", r.Time)
	} else if r.CPU {
		turn = fmt.Sprintf("%d calls, timed by processor time", r.N)
	}
	return []string{
		fmt.Sprintf("processor: %s, %d usable", m.Processor, m.CPUs),
		"Go: " + strings.Join(append([]string{m.Go, m.System}, m.Settings...), ", "),
		"commit: " + m.Commit,
		"date: " + r.Date.Format("2006-01-02 15:04:05 MST"),
		fmt.Sprintf("method: %d rounds; in each, every engine has a turn of %s", r.Rounds, turn),
		fmt.Sprintf("inputs: %d keys, messages and signatures, from --seed %s", r.CorpusSize, r.Seed),
	}
}

// caveats state what the figures do not show.
func caveats(r *measure.Report) []string {
	return append(slices.Clone(r.Warnings),
		"Times hold for this machine in this state. Compare ratios within a report, never times between reports.",
		"Each call gets another key and message, out of thousands, so that branch prediction cannot learn them. All data is in the processor's cache, unlike in a program that does other things as well.",
		"Speed says nothing about safety: libsecp256k1 and p256k1 compute with secret keys in constant time, but btcec and decred do not.",
		"Bytes and allocations are Go's. Memory that C libraries allocate is not counted.",
	)
}

// short returns a shorter name of an engine, for narrow columns. If the engine has several backends, it adds the last
// processor feature that the backend needs, or else the backend's name. The list of engines has the full names.
func short(r *measure.Report, name, backend string) string {
	if name == measure.CName || name == measure.OneInputName {
		return name
	}
	named := func(e engine.Info) bool { return e.Name == name }
	first := slices.IndexFunc(r.Engines, named)
	if first < 0 || !slices.ContainsFunc(r.Engines[first+1:], named) {
		return name
	}
	if _, features, ok := strings.Cut(strings.TrimSuffix(backend, ")"), " ("); ok {
		backend = features[strings.LastIndex(features, ", ")+1:]
	}
	return name + " " + strings.TrimSpace(backend)
}

func provenance(e engine.Info) string {
	parts := []string{e.Version, e.Path}
	if e.SHA256 != "" {
		parts = append(parts, "sha256 "+e.SHA256)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}
