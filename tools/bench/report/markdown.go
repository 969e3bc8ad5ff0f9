package report

import (
	"fmt"
	"io"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// markdown writes a table.
func (t *table) markdown(w io.Writer) {
	for i, row := range t.rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			cells[j] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			for _, right := range t.right {
				if right {
					fmt.Fprint(w, "|---:")
				} else {
					fmt.Fprint(w, "|---")
				}
			}
			fmt.Fprintln(w, "|")
		}
	}
}

// Markdown writes tables for a document.
func Markdown(w io.Writer, r *measure.Report) error {
	b := new(strings.Builder)
	fmt.Fprintf(b, "# secp256k1, %s\n\n", r.Date.Format("2006-01-02"))
	if r.Incomplete {
		fmt.Fprint(b, "**Incomplete**: the run was interrupted, and this is what there was until then.\n\n")
	}
	if r.Baseline != "" {
		fmt.Fprintf(b, "Times of one call, and (in brackets) over that of %s; below 1 is faster.\n\n", r.Baseline)
	}
	head := table{right: []bool{false}}
	names := []string{"operation"}
	for _, e := range r.Engines {
		names, head.right = append(names, e.Label()), append(head.right, true)
	}
	for i, p := range parts(r) {
		if i > 0 {
			fmt.Fprintf(b, "\n## %s\n\n%s\n\n", p.title, p.note)
		}
		t := table{right: head.right}
		t.add(names...)
		for _, op := range p.ops {
			row := []string{op.Title}
			for _, e := range r.Engines {
				cell := "–"
				if x, ok := r.Result(e.Label(), op.Name); ok {
					cell = fmt.Sprintf("%s %s", duration(x.NS), spread(x.NS, x.Low, x.High))
					if x.Ratio != 0 {
						cell += fmt.Sprintf(" (%s)", ratio(x.Ratio))
					}
				}
				row = append(row, cell)
			}
			t.add(row...)
		}
		t.markdown(b)
	}

	for i, t := range batchTables(r, engine.Info.Label) {
		if i == 0 {
			fmt.Fprint(b, "\n## Batches\n\nTimes for one input, by how many there are in a batch.\n")
		}
		fmt.Fprintf(b, "\n### %s\n\nTo %s. %s\n\n", t.Title, t.What, t.Without)
		rows := t.text()
		rows.markdown(b)
	}

	fmt.Fprint(b, "\n## Allocations\n\nOf one call, in Go's memory: how many, and bytes.\n\n")
	t := table{right: head.right}
	t.add(names...)
	for _, op := range r.Ops {
		row := []string{op.Title}
		for _, e := range r.Engines {
			cell := "–"
			if x, ok := r.Result(e.Label(), op.Name); ok {
				cell = fmt.Sprintf("%s, %s", perCall(x.Allocs), perCall(x.Bytes))
			}
			row = append(row, cell)
		}
		t.add(row...)
	}
	t.markdown(b)

	if len(r.Against) > 0 {
		fmt.Fprint(b, "\n## Against the loops of libsecp256k1's own benchmark program\n\n")
		t := table{right: []bool{false, false, true, true, true, false}}
		t.add("operation", "engine", "ratio", "interval", "target", "")
		for _, v := range r.Against {
			t.add(title(v.Op), v.Engine+" "+v.Backend, ratio(v.Ratio), fmt.Sprintf("%.3f–%.3f", v.Low, v.High), target(v), verdict(v))
		}
		t.markdown(b)
	}
	if len(r.Throughput) > 0 {
		fmt.Fprint(b, "\n## Throughput\n\nOperations a second by goroutines, and times that of one goroutine.\n\n")
		counts := goroutines(r)
		t := table{right: []bool{false, false}}
		row := []string{"operation", "engine"}
		for _, n := range counts {
			row, t.right = append(row, fmt.Sprint(n)), append(t.right, true)
		}
		t.add(row...)
		for _, c := range crowds(r) {
			row := []string{title(c.Op), c.Label}
			for _, n := range counts {
				row = append(row, throughput(c, n))
			}
			t.add(row...)
		}
		t.markdown(b)
	}
	if len(r.FirstUses) > 0 {
		fmt.Fprint(b, "\n## Memory and first use\n\nIn a fresh process each.\n\n")
		t := table{right: []bool{false, false, true, true, true, true, true, true}}
		t.add("first operation", "engine", "loading", "first call", "later calls", "heap kept", "resident", "read-only data in the file")
		for _, f := range r.FirstUses {
			t.add(title(f.Op), f.Engine+" "+f.Backend, duration(f.Open), duration(f.First), duration(f.Later), size(f.Heap), size(f.Resident), readOnly(f))
		}
		t.markdown(b)
	}
	fmt.Fprint(b, "\n## Engines\n\n")
	for _, e := range r.Engines {
		fmt.Fprintf(b, "- **%s**: %s\n", e.Label(), strings.Join(append([]string{provenance(e)}, e.Notes...), ". "))
	}
	for _, a := range r.Absent {
		fmt.Fprintf(b, "- %s is absent (%s). To add it: %s\n", a.Name, a.Reason, a.Provide)
	}
	fmt.Fprint(b, "\n## Machine and method\n\n")
	for _, f := range facts(r) {
		fmt.Fprintf(b, "- %s: %s\n", f.Name, f.Value)
	}
	fmt.Fprint(b, "\n## What the figures do not say\n\n")
	for _, c := range caveats(r) {
		fmt.Fprintf(b, "- %s\n", c)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
