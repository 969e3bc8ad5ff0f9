package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// A table is rows of text; the first is the head.
type table struct {
	right []bool // columns whose text stands at the right
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(w io.Writer, indent string) {
	widths := make([]int, len(t.right))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		line.WriteString(indent)
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if t.right[i] {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
			line.WriteString("  ")
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// Text writes tables for a terminal.
func Text(w io.Writer, r *measure.Report) error {
	b := new(strings.Builder)
	if r.Incomplete {
		fmt.Fprint(b, "INCOMPLETE: interrupted; what follows is what there was until then.\n\n")
	}
	head := table{right: []bool{false, false}}
	for _, f := range facts(r) {
		head.add(f.Name, f.Value)
	}
	for _, e := range r.Engines {
		head.add(e.Name, e.Backend+"; "+provenance(e))
	}
	columns := fmt.Sprintf("median time; ± how far its %.0f %% confidence interval reaches", 100*measure.Confidence)
	if r.Baseline != "" {
		columns += "; × time over that of " + r.Baseline + " in the same round, below 1 is faster"
	}
	head.add("columns", columns+"; allocations of a call")
	head.write(b, "")
	for _, p := range parts(r) {
		if p.note != "" {
			fmt.Fprintf(b, "\n%s. %s\n", p.title, p.note)
		}
		for _, op := range p.ops {
			rows := results(r, op)
			fmt.Fprintf(b, "\n%s: %s\n", op.Name, op.What)
			t := table{right: []bool{false, true, true, true, true, true}}
			for _, x := range rows {
				t.add(x.Label(), duration(x.NS), spread(x.NS, x.Low, x.High), ratio(x.Ratio), perCall(x.Allocs)+" allocs", perCall(x.Bytes)+" B")
			}
			t.write(b, "  ")
			if names := missing(r, op); len(names) > 0 {
				fmt.Fprintf(b, "  not in %s\n", strings.Join(names, ", "))
			}
		}
	}
	for _, t := range batchTables(r, engine.Info.Label) {
		fmt.Fprintf(b, "\n%s: %s; time for one\n", t.Title, t.What)
		rows := t.text()
		rows.write(b, "  ")
		if t.Without != "" {
			fmt.Fprintf(b, "  %s\n", t.Without)
		}
	}
	if len(r.Against) > 0 {
		fmt.Fprintf(b, "\nagainst the loops of libsecp256k1's own benchmark program (time over its time; it works on one input;\nprotocols that it lacks: over the library's time, called from here)\n")
		t := table{right: []bool{false, false, true, true, true, false}}
		for _, v := range r.Against {
			t.add(v.Op, v.Engine, ratio(v.Ratio), fmt.Sprintf("%.3f–%.3f", v.Low, v.High), target(v), verdict(v))
		}
		t.write(b, "  ")
	}
	if len(r.Throughput) > 0 {
		fmt.Fprintf(b, "\nthroughput, operations a second (and times that of one goroutine)\n")
		counts := goroutines(r)
		t := table{right: append([]bool{false, false}, make([]bool, len(counts))...)}
		row := []string{"goroutines", ""}
		for i, n := range counts {
			t.right[i+2] = true
			row = append(row, fmt.Sprint(n))
		}
		t.add(row...)
		for _, c := range crowds(r) {
			row := []string{c.Op, c.Label}
			for _, n := range counts {
				row = append(row, throughput(c, n))
			}
			t.add(row...)
		}
		t.write(b, "  ")
	}
	if len(r.FirstUses) > 0 {
		fmt.Fprintf(b, "\nmemory and first use, in a fresh process\n")
		t := table{right: []bool{false, false, true, true, true, true, true, true}}
		t.add("", "", "loading", "first call", "later", "heap kept", "resident", "file's read-only data")
		for _, f := range r.FirstUses {
			t.add(f.Op, f.Engine+" "+f.Backend, duration(f.Open), duration(f.First), duration(f.Later), size(f.Heap), size(f.Resident), readOnly(f))
		}
		t.write(b, "  ")
	}
	fmt.Fprintln(b)
	for _, a := range r.Absent {
		fmt.Fprintf(b, "absent: %s (%s). To add it: %s\n", a.Name, a.Reason, a.Provide)
	}
	for _, e := range r.Engines {
		for _, n := range e.Notes {
			fmt.Fprintf(b, "%s: %s\n", e.Name, n)
		}
	}
	for _, c := range caveats(r) {
		fmt.Fprintf(b, "- %s\n", c)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func readOnly(f measure.FirstUse) string {
	if f.ReadOnly == 0 {
		return "–"
	}
	return size(f.ReadOnly)
}

func throughput(c crowd, n int) string {
	t, ok := c.By[n]
	if !ok {
		return "–"
	}
	s := rate(t.NS)
	if n > 1 && t.Scaling > 0 {
		s += fmt.Sprintf(" (%.2f)", t.Scaling)
	}
	return s
}

func target(v measure.Verdict) string {
	switch {
	case v.Within:
		return fmt.Sprintf("within %.0f %%", 100*v.Target)
	case v.Target == 0:
		return "no target"
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
