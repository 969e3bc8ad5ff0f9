package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// A section is a part of the report.
type section struct {
	title, note string
	tables      []table
}

// A table has rows of text.
type table struct {
	heading string // text above the table, if any,
	note    string // text below the table, if any
	left    int    // number of left-aligned columns; the rest are right-aligned
	rows    [][]string
}

// sections returns the sections that have something to show.
func sections(r *measure.Report) []section {
	var calls, protocols, batches []table
	for i, op := range r.Ops {
		timed := results(r, op)
		switch {
		case len(timed) == 0:
		case op.Batch > 0 && i > 0 && r.Ops[i-1].Family == op.Family && len(results(r, r.Ops[i-1])) > 0: // this size is in the table of the first size
		case op.Batch > 0:
			batches = append(batches, batchTable(r, op))
		case op.Group == measure.Protocols:
			protocols = append(protocols, callTable(r, op, timed))
		default:
			calls = append(calls, callTable(r, op, timed))
		}
	}
	var against []table
	if len(r.Against) > 0 {
		against = []table{againstTable(r)}
	}
	return slices.DeleteFunc([]section{
		{"Time of one call", "The columns are the median, the reach of its interval, the time divided by the baseline's in the same round, and a call's allocations in Go's memory.", calls},
		{"Protocols", "Built on the operations above. The line above each table says which libraries do less or more work.", protocols},
		{"Batches", "Times for one input by the number of inputs in a batch. Below them are the ratios to the baseline's times.", batches},
		{"Against the loops of libsecp256k1's own benchmark program", "Times divided by that program's. It works on one input, and libsecp256k1 called from Go on one input has to be within a few percent of it. " +
			"This library is judged by the targets of its design, on thousands of inputs. Protocols that the program lacks are compared with libsecp256k1 called from Go.", against},
	}, func(s section) bool { return len(s.tables) == 0 })
}

func callTable(r *measure.Report, op measure.Op, timed []measure.Result) table {
	t := table{heading: op.Name + ": " + op.What, left: 1, rows: [][]string{{"", "time", "±", "×", "allocs", "bytes"}}}
	for _, x := range timed {
		t.rows = append(t.rows, []string{
			short(r, x.Engine, x.Backend), timeCell(x, true), spread(x.NS, x.Low, x.High), overCell(x), perCall(x.Allocs), perCall(x.Bytes),
		})
	}
	if names := missing(r, op); len(names) > 0 {
		t.note = "not in " + strings.Join(names, ", ")
	}
	return t
}

// batchTable has a row for each engine and a column for each batch size; the last column is for one input at a time.
func batchTable(r *measure.Report, first measure.Op) table {
	head := []string{"inputs in a batch"}
	var sizes []measure.Op
	for _, op := range r.Ops {
		if op.Family == first.Family && len(results(r, op)) > 0 {
			sizes = append(sizes, op)
			head = append(head, strconv.Itoa(op.Batch))
		}
	}
	t := table{heading: first.Family + ": " + first.What, left: 1, rows: [][]string{append(head, "one by one")}}
	var missing []string
	for _, e := range r.Engines {
		row, over, has := []string{short(r, e.Name, e.Backend)}, []string{""}, false
		single, one := r.Result(e.Label(), first.Base)
		for _, op := range sizes {
			x, ok := r.Result(e.Label(), op.Name)
			row, over, has = append(row, timeCell(x, ok)), append(over, overCell(x)), has || ok
		}
		if !has && !one {
			continue
		}
		if !has {
			missing = append(missing, row[0])
		}
		t.rows = append(t.rows, append(row, timeCell(single, one)))
		if has && r.Baseline != "" {
			t.rows = append(t.rows, append(over, overCell(single)))
		}
	}
	if len(missing) > 0 {
		t.note = "no batches in " + strings.Join(missing, ", ")
	}
	return t
}

// timeCell formats the time for one input.
func timeCell(x measure.Result, ok bool) string {
	if !ok {
		return "–"
	}
	return duration(x.NS, reach(x.NS, x.Low, x.High))
}

// overCell formats the ratio to the baseline, which stands below the time.
func overCell(x measure.Result) string { return ratio(x.Ratio, x.RatioLow, x.RatioHigh) }

func againstTable(r *measure.Report) table {
	t := table{left: 2, rows: [][]string{{"", "", "ratio", "target", ""}}}
	for _, v := range r.Against {
		t.rows = append(t.rows, []string{v.Op, strings.TrimPrefix(short(r, v.Engine, v.Backend), "p256k1 "), ratio(v.Ratio, v.Low, v.High), target(v), verdict(v)})
	}
	return t
}

// headlines say by which factor this library's first engine is faster than libsecp256k1 and btcec.
func headlines(r *measure.Report) (rows [][]string) {
	first := slices.IndexFunc(r.Engines, func(e engine.Info) bool { return e.Name == "p256k1" })
	for _, op := range r.Ops {
		if first < 0 || op.Group != "" || (op.Program == "" && !strings.HasSuffix(op.Name, "-verify-batch-256")) {
			continue
		}
		x, _ := r.Result(r.Engines[first].Label(), op.Name)
		name := op.Name
		for _, e := range r.Engines {
			y, ok := r.Result(e.Label(), op.Name)
			if !ok {
				y, _ = r.Result(e.Label(), op.Base)
			}
			if times, low, high := r.Ratio(y.Samples, x.Samples); times > 0 && (e.Name == "libsecp256k1" || e.Name == "btcec") {
				than := ratio(times, low, high) + " as fast as " + e.Name
				if e.Name == "btcec" && op.Name == "schnorr-sign" {
					than += ", which verifies what it signs"
				}
				rows = append(rows, []string{name, than})
				name = "" // it stands in the first of the operation's rows only
			}
		}
	}
	return rows
}

// results returns the results for one operation, in the order of the engines.
func results(r *measure.Report, op measure.Op) []measure.Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(x measure.Result) bool { return x.Op != op.Name })
}

// missing returns the engines that do not have an operation.
func missing(r *measure.Report, op measure.Op) (names []string) {
	for _, e := range r.Engines {
		if _, ok := r.Result(e.Label(), op.Name); !ok {
			names = append(names, e.Name)
		}
	}
	return slices.Compact(names)
}

func target(v measure.Verdict) string {
	if v.Within {
		return fmt.Sprintf("within %.0f %%", 100*v.Target)
	}
	if v.Target == 0 {
		return "none"
	}
	return fmt.Sprintf("≤ %.2f", v.Target)
}

func verdict(v measure.Verdict) string {
	switch {
	case v.Pass:
		return "pass"
	case v.Target == 0:
		return ""
	case v.Unclear:
		return "unclear"
	}
	return "MISS"
}
