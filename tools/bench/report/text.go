package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// columns writes rows in aligned columns. The first left columns are left-aligned, and the others right-aligned.
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
			width := widths[i]
			if i < left {
				width = -width
			}
			line += fmt.Sprintf("%*s  ", width, cell)
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// wrap writes a text in lines of 80 columns, and indents all lines but the first.
func wrap(w io.Writer, indent, format string, args ...any) {
	line := ""
	for i, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		if i > 0 && utf8.RuneCountInString(line+" "+word) > 80 {
			fmt.Fprintln(w, line)
			line = indent + word
			continue
		}
		line += strings.Repeat(" ", min(i, 1)) + word
	}
	fmt.Fprintln(w, line)
}

// Text writes tables for a terminal. The most important figures come last.
func Text(w io.Writer, r *measure.Report) error {
	b := new(strings.Builder)
	if r.Incomplete {
		fmt.Fprint(b, "INCOMPLETE: interrupted; the results until then follow.\n\n")
	}
	for _, fact := range facts(r) {
		wrap(b, "  ", "%s", fact)
	}
	for _, e := range r.Engines {
		wrap(b, "  ", "%s: %s", short(r, e.Name, e.Backend), strings.TrimPrefix(e.Backend+"; "+provenance(e), "; "))
	}
	explained := fmt.Sprintf("time: median; ± how far its %.0f %% confidence interval reaches", 100*measure.Confidence)
	if r.Baseline != "" {
		explained += "; × time divided by the time of " + r.Baseline + " in the same round, below 1 is faster"
	}
	wrap(b, "  ", "columns: %s", explained)
	for _, s := range sections(r) {
		fmt.Fprintln(b)
		wrap(b, "", "%s. %s", s.title, s.note)
		for _, t := range s.tables {
			fmt.Fprintln(b)
			if t.heading != "" {
				wrap(b, "  ", "%s", t.heading)
			}
			columns(b, "  ", t.left, t.rows)
			if t.note != "" {
				fmt.Fprintf(b, "  %s\n", t.note)
			}
		}
	}
	fmt.Fprintln(b)
	for _, a := range r.Absent {
		why, command, _ := strings.Cut(a.String(), "\n") // the command stands on a line of its own
		wrap(b, "  ", "%s", why)
		wrap(b, "    ", "%s", command)
	}
	for _, f := range r.Failures {
		wrap(b, "  ", "failed: %s, %s: %s", f.Label, f.Op, f.Err)
	}
	for _, e := range r.Engines {
		for _, n := range e.Notes {
			wrap(b, "  ", "%s: %s", short(r, e.Name, e.Backend), n)
		}
	}
	for _, c := range caveats(r) {
		wrap(b, "  ", "- %s", c)
	}
	if rows := headlines(r); rows != nil {
		fmt.Fprint(b, "\nIn short, on this machine:\n")
		columns(b, "  ", 2, rows)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
