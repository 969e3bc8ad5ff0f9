package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// columns writes rows under each other, so many columns of them at the left.
func columns(w io.Writer, indent string, left int, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := indent
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < left {
				line += cell + pad + "  "
			} else {
				line += pad + cell + "  "
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// Text writes tables for a terminal.
func Text(w io.Writer, r *measure.Report) error {
	b := new(strings.Builder)
	if r.Incomplete {
		fmt.Fprint(b, "INCOMPLETE: interrupted; what follows is what there was until then.\n\n")
	}
	var head [][]string
	for _, f := range facts(r) {
		head = append(head, []string{f.Name, f.Value})
	}
	for _, e := range r.Engines {
		head = append(head, []string{short(r, e.Name, e.Backend), strings.TrimPrefix(e.Backend+"; "+provenance(e), "; ")})
	}
	explained := fmt.Sprintf("time: median; ± how far its %.0f %% confidence interval reaches", 100*measure.Confidence)
	if r.Baseline != "" {
		explained += "; × time over that of " + r.Baseline + " in the same round, below 1 is faster"
	}
	columns(b, "", 2, append(head, []string{"columns", explained}))
	for _, s := range sections(r) {
		fmt.Fprintf(b, "\n%s. %s\n", s.title, s.note)
		for _, t := range s.tables {
			if t.heading != "" {
				fmt.Fprintf(b, "\n%s\n", t.heading)
			}
			columns(b, "  ", t.left, t.rows)
			if t.note != "" {
				fmt.Fprintf(b, "  %s\n", t.note)
			}
		}
	}
	fmt.Fprintln(b)
	for _, a := range r.Absent {
		fmt.Fprintln(b, a)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(b, "failed: %s, %s: %s\n", f.Label, f.Op, strings.Join(strings.Fields(f.Err.Error()), " "))
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
