package main

import (
	"fmt"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// wide is how far, as a part of the median, an interval may reach on a machine
// that does nothing else.
const wide = 0.05

// busy returns a warning if a quarter of the intervals or more are wide: what
// that means and what helps.
func busy(r *measure.Report) (warning string, ok bool) {
	var all, far int
	var widest float64
	for _, x := range r.Results {
		if len(x.Samples) < measure.FewestRounds {
			continue // not an interval, and the report says so
		}
		all++
		reach := max(x.High-x.NS, x.NS-x.Low) / x.NS
		if reach > wide {
			far++
		}
		widest = max(widest, reach)
	}
	if all == 0 || 4*far < all {
		return "", false
	}
	return fmt.Sprintf("This machine was busy: %d of %d intervals reach more than %.0f %% from the median, the widest %.0f %%. "+
		"End other programs, then take more rounds (--rounds %d). If it stays busy, --least counts the quickest tenth of each turn. "+
		"On Linux, taskset -c 1 before the command keeps it on one processor.",
		far, all, 100*wide, 100*widest, 4*r.Rounds), true
}
