package main

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// columns are the columns of the CSV. runtime, min and max are seconds of processor time for n operations: the median,
// the least and the greatest over the rounds. us_per_op is the median for one operation, in microseconds. These four
// are empty, and status says why, if a library has no result.
var columns = []string{"version", "date", "runtime", "scenario", "n", "rounds", "min", "max", "us_per_op", "kind", "status", "detail", "path"}

// table returns the CSV: a line for each library and scenario, in the order of the libraries.
func table(r *measure.Report, libraries []*library) []byte {
	lines := [][]string{columns}
	for _, l := range libraries {
		var date, kind string
		if !l.date.IsZero() {
			date = l.date.Format(time.DateOnly)
		}
		if l.child != nil {
			kind = families[l.family].engine
		}
		for _, op := range r.Ops {
			var runtime, low, high, each, detail string
			status := "not supported"
			x, ok := r.Result(l.label, op.Name)
			failed := slices.IndexFunc(r.Failures, func(f measure.Failure) bool {
				return f.Label == l.label && (f.Op == op.Name || f.Op == loading)
			})
			switch {
			case failed >= 0:
				status, detail = "failed", strings.Join(strings.Fields(r.Failures[failed].Err.Error()), " ")
			case ok:
				status = "ok"
				n := float64(r.N) / 1e6 // turns microseconds for one operation into seconds for all
				least, most := row{l, x}.reach()
				runtime, low, high = decimal(row{l, x}.micros()*n, 6), decimal(least*n, 6), decimal(most*n, 6)
				each = decimal(row{l, x}.micros(), 3)
			}
			lines = append(lines, []string{l.label, date, runtime, op.Name, strconv.Itoa(r.N), strconv.Itoa(r.Rounds), low, high, each, kind, status, detail, l.path})
		}
	}
	var b bytes.Buffer
	must.Do(csv.NewWriter(&b).WriteAll(lines))
	return b.Bytes()
}

func decimal(v float64, places int) string { return strconv.FormatFloat(v, 'f', places, 64) }
