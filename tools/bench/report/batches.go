package report

import (
	"html/template"
	"strconv"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// A family is an operation on batches, in all the sizes that ran.
type family struct {
	measure.Op // of the first size
	sizes      []measure.Op
}

// singles are the operations that are no batches.
func singles(r *measure.Report) (ops []measure.Op) {
	for _, op := range r.Ops {
		if op.Batch == 0 {
			ops = append(ops, op)
		}
	}
	return ops
}

// part is operations that are no batches, of one group.
type part struct {
	title, note string
	ops         []measure.Op
}

// parts are those of which there are results.
func parts(r *measure.Report) (all []part) {
	for _, p := range []part{
		{title: "Time of one call"},
		{title: "Protocols", note: "Built on the operations above. What the other libraries do less or more is said of each."},
	} {
		for _, op := range singles(r) {
			if (op.Group == measure.Protocols) == (p.note != "") && len(results(r, op)) > 0 {
				p.ops = append(p.ops, op)
			}
		}
		if len(p.ops) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// families are those of which there are results.
func families(r *measure.Report) (all []family) {
	for _, op := range r.Ops {
		if op.Batch == 0 || len(results(r, op)) == 0 {
			continue
		}
		if n := len(all); n == 0 || all[n-1].Family != op.Family {
			all = append(all, family{Op: op})
		}
		f := &all[len(all)-1]
		f.sizes = append(f.sizes, op)
	}
	return all
}

// title is that of all sizes.
func (f family) title() string { return strings.TrimSuffix(f.Title, " of "+strconv.Itoa(f.Batch)) }

// byOne is an engine's time for one input at a time.
func (f family) byOne(r *measure.Report, label string) (measure.Result, bool) {
	return r.Result(label, f.Base)
}

// batches reports whether an engine has any.
func (f family) batches(r *measure.Report, label string) bool {
	for _, op := range f.sizes {
		if _, ok := r.Result(label, op.Name); ok {
			return true
		}
	}
	return false
}

// batchTables are one table for each family: engines, by the names that they are to have,
// by sizes, the last column one input at a time.
func batchTables(r *measure.Report, name func(engine.Info) string) (all []batchTable) {
	for _, f := range families(r) {
		t := batchTable{Title: f.title(), What: f.What}
		t.Head = []string{"inputs in a batch"}
		for _, op := range f.sizes {
			t.Head = append(t.Head, strconv.Itoa(op.Batch))
		}
		t.Head = append(t.Head, "one by one")
		var without []string
		for _, e := range r.Engines {
			row := []cell{{Main: name(e)}}
			for _, op := range f.sizes {
				x, ok := r.Result(e.Label(), op.Name)
				row = append(row, timeCell(x, ok))
			}
			x, ok := f.byOne(r, e.Label())
			row = append(row, timeCell(x, ok))
			if has := f.batches(r, e.Label()); has || ok {
				t.Rows = append(t.Rows, row)
				if !has {
					without = append(without, short(r, e.Name, e.Backend))
				}
			}
		}
		if len(without) > 0 {
			t.Without = "No batches in " + strings.Join(without, ", ") + "."
		}
		all = append(all, t)
	}
	return all
}

// A batchTable is a matrix with what stands above and below it.
type batchTable struct {
	Title, What, Without string
	matrix
}

// timeCell is a time for one input with its ratio to the baseline.
func timeCell(x measure.Result, ok bool) cell {
	c := cell{Main: "–"}
	if ok {
		if c.Main = duration(x.NS); x.Ratio != 0 {
			c.Small = ratio(x.Ratio)
		}
	}
	return c
}

// text is t as a table of text.
func (t batchTable) text() table {
	var all table
	for i := range t.Head {
		all.right = append(all.right, i > 0)
	}
	all.add(t.Head...)
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row {
			if c.Small != "" {
				c.Main += " (" + c.Small + ")"
			}
			cells = append(cells, c.Main)
		}
		all.add(cells...)
	}
	return all
}

// batchLines shows how many inputs a second there are by the size of batches. Engines
// without batches have the same for all sizes.
func batchLines(r *measure.Report, f family) (template.HTML, error) {
	all := make([]figure.Line, len(r.Engines))
	for i, e := range r.Engines {
		l := &all[i]
		l.Colour = figure.Colour(i)
		x, one := f.byOne(r, e.Label())
		for _, op := range f.sizes {
			y, ok := r.Result(e.Label(), op.Name)
			if !ok && one && !f.batches(r, e.Label()) {
				y, ok = x, true
			}
			if ok && y.NS > 0 {
				l.Counts, l.Rates = append(l.Counts, op.Batch), append(l.Rates, 1e9/y.NS)
			}
		}
	}
	svg, err := figure.Rates(figure.Phone, 200, f.title()+": inputs a second by the size of the batch; the table below has the times", all)
	if err != nil {
		return "", err
	}
	return svg.Inline()
}
