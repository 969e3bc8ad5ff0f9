package report

import (
	"cmp"
	"fmt"
	"image/color"
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
		{"Batches", "Times for one input, and over the baseline's, by how many inputs there are in a batch.", batches},
		{"Against the loops of libsecp256k1's own benchmark program", "Time over its time. It works on one input: libsecp256k1 called from Go on one has to be within a few percent of it. " +
			"This library has the targets of its design, on thousands of inputs. Protocols that the program lacks are over the library's time, called from here.", against},
		{"Throughput", "Operations a second of several goroutines together, and times that of one.", throughputTables(r)},
		{"First use and memory", "In a fresh process: loading the library, the first call with the tables it builds, later ones, and by how much memory grew for good. " +
			"The tables of a C library are in the read-only data of its file.", firstTables(r)},
	}, func(s section) bool { return len(s.Tables) == 0 })
}

func callTable(r *measure.Report, op measure.Op, of []measure.Result) table {
	t := table{Name: op.Name, Title: op.Title, What: op.What, Left: 1, Head: []string{"", "time", "±", "×", "allocs", "bytes"}}
	var bars []figure.Bar
	for _, x := range of {
		name := short(r, x.Engine, x.Backend)
		t.Rows = append(t.Rows, []string{name, duration(x.NS), spread(x.NS, x.Low, x.High), ratio(x.Ratio), perCall(x.Allocs), perCall(x.Bytes)})
		bars = append(bars, figure.Bar{Name: name, Text: duration(x.NS), Value: x.NS, Low: x.Low, High: x.High, Colour: colourOf(r, x.Label())})
	}
	if names := missing(r, op); len(names) > 0 {
		t.Note = "not in " + strings.Join(names, ", ")
	}
	t.Chart = func() (*figure.Figure, error) { return figure.Bars(figure.Phone, op.Title, bars) }
	return t
}

// batchTable has engines by sizes of batches, the last column one input at a time.
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
	var lines []figure.Line
	var without []string
	for _, e := range r.Engines {
		name := short(r, e.Name, e.Backend)
		single, one := r.Result(e.Label(), first.Base)
		row, has := []string{name}, false
		line := figure.Line{Colour: colourOf(r, e.Label())}
		for _, op := range sizes {
			x, ok := r.Result(e.Label(), op.Name)
			row, has = append(row, timeCell(x, ok)), has || ok
			if ok {
				line.Add(op.Batch, x.NS)
			}
		}
		if !has && !one {
			continue
		}
		if !has { // the same for all sizes
			without = append(without, name)
			for _, op := range sizes {
				line.Add(op.Batch, single.NS)
			}
		}
		t.Rows, lines = append(t.Rows, append(row, timeCell(single, one))), append(lines, line)
	}
	if len(without) > 0 {
		t.Note = "no batches in " + strings.Join(without, ", ")
	}
	t.Chart = func() (*figure.Figure, error) {
		return figure.Rates(figure.Phone, 200, t.Title+": inputs a second by the size of the batch; the table below has the times", lines)
	}
	return t
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

// throughputTables are one for each operation: engines by numbers of goroutines.
func throughputTables(r *measure.Report) (tables []table) {
	var counts []int
	var ops []string
	for _, x := range r.Throughput {
		counts = append(counts, x.Goroutines)
		if !slices.Contains(ops, x.Op) {
			ops = append(ops, x.Op)
		}
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	for _, op := range ops {
		t := table{Name: op, Title: title(op), What: "operations a second by number of goroutines", Left: 1, Head: []string{"goroutines"}}
		for _, n := range counts {
			t.Head = append(t.Head, strconv.Itoa(n))
		}
		var lines []figure.Line
		for _, e := range r.Engines {
			row, line := []string{short(r, e.Name, e.Backend)}, figure.Line{Colour: colourOf(r, e.Label())}
			for _, n := range counts {
				i := slices.IndexFunc(r.Throughput, func(x measure.Throughput) bool {
					return x.Op == op && x.Label() == e.Label() && x.Goroutines == n
				})
				if i < 0 {
					row = append(row, "–")
					continue
				}
				x := r.Throughput[i]
				cell := rate(x.NS)
				if n > 1 && x.Scaling > 0 {
					cell += fmt.Sprintf(" (%.2f)", x.Scaling)
				}
				row = append(row, cell)
				line.Add(n, x.NS)
			}
			if len(line.Counts) > 0 {
				t.Rows, lines = append(t.Rows, row), append(lines, line)
			}
		}
		t.Chart = func() (*figure.Figure, error) {
			return figure.Rates(figure.Phone, 200, t.Title+": operations a second by goroutines; the table below has the numbers", lines)
		}
		tables = append(tables, t)
	}
	return tables
}

func firstTables(r *measure.Report) []table {
	t := table{Left: 2, Head: []string{"", "", "loading", "first", "later", "heap", "resident", "in the file"}}
	for _, f := range r.FirstUses {
		file := "–"
		if f.ReadOnly != 0 {
			file = size(f.ReadOnly)
		}
		t.Rows = append(t.Rows, []string{f.Op, short(r, f.Engine, f.Backend), duration(f.Open), duration(f.First), duration(f.Later), size(f.Heap), size(f.Resident), file})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []table{t}
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

func colourOf(r *measure.Report, label string) color.Color { return figure.Colour(numberOf(r, label)) }

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

func title(name string) string {
	for _, op := range measure.Ops {
		if op.Name == name {
			return op.Title
		}
	}
	return name
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
