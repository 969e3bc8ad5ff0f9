package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// A section is a part of the report. Text and the page show the same.
type section struct {
	Title, Note string
	Tables      []table
}

// A table is rows of text, and on the page a chart, unless that is nil.
type table struct {
	Name  string // as on the command line; empty for what is not there
	Title string
	What  string // what it is about
	Note  string // what stands below it
	Left  int    // so many columns stand at the left, the others at the right
	Head  []string
	Rows  [][]string
	Chart func() (*figure.Figure, error)
}

// sections are those that have something to show.
func sections(r *measure.Report) []section {
	var calls, protocols, batches []table
	for i, op := range r.Ops {
		of := results(r, op)
		switch {
		case len(of) == 0:
		case op.Batch > 0 && i > 0 && r.Ops[i-1].Family == op.Family && len(results(r, r.Ops[i-1])) > 0: // in the table of the first
		case op.Batch > 0:
			batches = append(batches, batchTable(r, op))
		case op.Group == measure.Protocols:
			protocols = append(protocols, callTable(r, op, of))
		default:
			calls = append(calls, callTable(r, op, of))
		}
	}
	var against []table
	if len(r.Against) > 0 {
		against = []table{againstTable(r)}
	}
	return slices.DeleteFunc([]section{
		{"Time of one call", "The median, how far its interval reaches, the time over the baseline's in the same round, and allocations of a call in Go's memory.", calls},
		{"Protocols", "Built on the operations above. What the other libraries do less or more is said of each.", protocols},
		{"Batches", "Times for one input, and over the baseline's, by how many inputs there are in a batch. Charts are of the greatest batch.", batches},
		{"Against the loops of libsecp256k1's own benchmark program", "Time over its time. It works on one input: libsecp256k1 called from Go on one has to be within a few percent of it. " +
			"This library has the targets of its design, on thousands of inputs. Protocols that the program lacks are over the library's time, called from here.", against},
	}, func(s section) bool { return len(s.Tables) == 0 })
}

func callTable(r *measure.Report, op measure.Op, of []measure.Result) table {
	t := table{Name: op.Name, Title: op.Title, What: op.What, Left: 1, Head: []string{"", "time", "±", "×", "allocs", "bytes"}}
	var bars []figure.Bar
	for _, x := range of {
		t.Rows = append(t.Rows, []string{short(r, x.Engine, x.Backend), duration(x.NS), spread(x.NS, x.Low, x.High), ratio(x.Ratio), perCall(x.Allocs), perCall(x.Bytes)})
		bars = append(bars, bar(r, x))
	}
	if names := missing(r, op); len(names) > 0 {
		t.Note = "not in " + strings.Join(names, ", ")
	}
	t.Chart = func() (*figure.Figure, error) { return figure.Bars(figure.Phone, op.Title, bars) }
	return t
}

// batchTable has engines by sizes of batches, the last column one input at a time.
// The chart has the greatest size.
func batchTable(r *measure.Report, first measure.Op) table {
	t := table{Name: first.Family, What: first.What, Left: 1, Head: []string{"inputs in a batch"}}
	t.Title = strings.TrimSuffix(first.Title, " of "+strconv.Itoa(first.Batch))
	var sizes []measure.Op
	for _, op := range r.Ops {
		if op.Family == first.Family && len(results(r, op)) > 0 {
			sizes = append(sizes, op)
			t.Head = append(t.Head, strconv.Itoa(op.Batch))
		}
	}
	t.Head = append(t.Head, "one by one")
	var bars []figure.Bar
	var without []string
	for _, e := range r.Engines {
		row, has := []string{short(r, e.Name, e.Backend)}, false
		single, one := r.Result(e.Label(), first.Base)
		last := single
		for _, op := range sizes {
			x, ok := r.Result(e.Label(), op.Name)
			if row = append(row, timeCell(x, ok)); ok {
				last, has = x, true
			}
		}
		if !has && !one {
			continue
		}
		if !has {
			without = append(without, row[0])
		}
		t.Rows, bars = append(t.Rows, append(row, timeCell(single, one))), append(bars, bar(r, last))
	}
	if len(without) > 0 {
		t.Note = "no batches in " + strings.Join(without, ", ")
	}
	t.Chart = func() (*figure.Figure, error) { return figure.Bars(figure.Phone, sizes[len(sizes)-1].Title, bars) }
	return t
}

// bar is a result in a chart.
func bar(r *measure.Report, x measure.Result) figure.Bar {
	return figure.Bar{
		Name: short(r, x.Engine, x.Backend), Text: duration(x.NS), Value: x.NS, Low: x.Low, High: x.High, Colour: figure.Colour(numberOf(r, x.Label())),
	}
}

// timeCell is a time for one input with its ratio to the baseline.
func timeCell(x measure.Result, ok bool) string {
	switch {
	case !ok:
		return "–"
	case x.Ratio == 0:
		return duration(x.NS)
	}
	return fmt.Sprintf("%s (%s)", duration(x.NS), strings.TrimSuffix(ratio(x.Ratio), " ×"))
}

func againstTable(r *measure.Report) table {
	t := table{Left: 2, Head: []string{"", "", "ratio", "interval", "target", ""}}
	for _, v := range r.Against {
		t.Rows = append(t.Rows, []string{v.Op, short(r, v.Engine, v.Backend), ratio(v.Ratio), fmt.Sprintf("%.3f–%.3f", v.Low, v.High), target(v), verdict(v)})
	}
	return t
}

// overview has the ratios of all operations that are no batches.
func overview(r *measure.Report) (*figure.Figure, error) {
	var names []string
	dots := make([]figure.Dots, len(r.Engines))
	for _, op := range r.Ops {
		if op.Batch > 0 || len(results(r, op)) == 0 {
			continue
		}
		names = append(names, op.Title)
		for i, e := range r.Engines {
			x, _ := r.Result(e.Label(), op.Name)
			dots[i].Colour = figure.Colour(i)
			dots[i].Ratios = append(dots[i].Ratios, x.Ratio)
		}
	}
	return figure.Ratios(figure.Phone, "Ratios of all engines to "+r.Baseline+"; the tables below have the numbers", names, dots)
}

// numberOf is the place of an engine among the engines.
func numberOf(r *measure.Report, label string) int {
	return max(0, slices.IndexFunc(r.Engines, func(e engine.Info) bool { return e.Label() == label }))
}

// results are those for one operation, in the order of the engines.
func results(r *measure.Report, op measure.Op) []measure.Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(x measure.Result) bool { return x.Op != op.Name })
}

// missing are the engines that do not have an operation.
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
	return miss
}

// miss is the verdict that the page makes stand out.
const miss = "MISS"

// rows returns the head and the rows.
func (t *table) rows() [][]string { return append([][]string{t.Head}, t.Rows...) }

// heading is what stands above the table in text.
func (t *table) heading() string {
	if t.What == "" {
		return t.Title
	}
	return cmp.Or(t.Name, t.Title) + ": " + t.What
}
