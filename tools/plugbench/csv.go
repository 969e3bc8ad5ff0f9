package main

import (
	"encoding/csv"
	"errors"
	"os"
	"strconv"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// columns are the columns of writeCSV. Others' programs read the first three, so they stay the first.
var columns = []string{"version", "date", "runtime", "scenario", "n", "rounds", "min", "max", "us_per_op", "kind", "status", "path"}

// writeCSV writes a line for each library and scenario. runtime, min and max are seconds of CPU time for n operations.
// It replaces the file only once all lines are written.
func writeCSV(name string, r *measure.Report, libraries []*library) error {
	lines := [][]string{columns}
	for _, op := range r.Ops {
		for _, l := range libraries {
			line := []string{l.label, "", "", op.Name, strconv.Itoa(r.N), "0", "", "", "", familyNames[l.family], status(r, l, op.Name), l.path}
			if !l.date.IsZero() {
				line[1] = l.date.Format(time.DateOnly)
			}
			if x, ok := r.Result(l.label, op.Name); ok {
				low, high := x.Samples[0].CPU, x.Samples[0].CPU
				for _, s := range x.Samples {
					low, high = min(low, s.CPU), max(high, s.CPU)
				}
				seconds := func(ns float64) string { return strconv.FormatFloat(ns*float64(r.N)/1e9, 'f', 6, 64) }
				line[2], line[5], line[6], line[7] = seconds(x.NS), strconv.Itoa(len(x.Samples)), seconds(low), seconds(high)
				line[8] = strconv.FormatFloat(x.NS/1e3, 'f', 3, 64)
			}
			lines = append(lines, line)
		}
	}
	file, err := os.Create(name + ".part")
	if err != nil {
		return err
	}
	if err := errors.Join(csv.NewWriter(file).WriteAll(lines), file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), name)
}

// status says why a library has no result for an operation, or is ok.
func status(r *measure.Report, l *library, op string) string {
	if l.err != nil {
		return l.err.Error()
	}
	for _, f := range r.Failures {
		if f.Label == l.label && f.Op == op {
			return f.Err.Error()
		}
	}
	if _, ok := r.Result(l.label, op); !ok {
		return "not supported"
	}
	return "ok"
}
