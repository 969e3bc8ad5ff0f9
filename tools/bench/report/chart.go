package report

import (
	"html/template"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// short names an engine where there is little room: a backend, if there are several of
// the name, by the last of the processor's features that it needs. The page's section on
// engines has it all.
func short(r *measure.Report, name, backend string) string {
	if name == measure.CName || name == measure.OneInputName {
		return name
	}
	n := 0
	for _, e := range r.Engines {
		if e.Name == name {
			n++
		}
	}
	if n > 1 {
		if _, features, ok := strings.Cut(strings.TrimSuffix(backend, ")"), " ("); ok {
			backend = features[strings.LastIndex(features, ", ")+1:]
		}
		return name + " " + strings.TrimSpace(backend)
	}
	return strings.Replace(name, "-cgo", " cgo", 1)
}

// numberOf is the place of an engine among the engines, and of its colour.
func numberOf(r *measure.Report, label string) int {
	for i, e := range r.Engines {
		if e.Label() == label {
			return i
		}
	}
	return 0
}

// bars shows the times for one operation.
func bars(r *measure.Report, op measure.Op) (template.HTML, error) {
	var rows []figure.Bar
	for _, x := range results(r, op) {
		rows = append(rows, figure.Bar{
			Name: short(r, x.Engine, x.Backend), Text: duration(x.NS), Value: x.NS, Low: x.Low, High: x.High,
			Colour: figure.Colour(numberOf(r, x.Label())),
		})
	}
	f, err := figure.Bars(figure.Phone, op.Title, rows)
	if err != nil {
		return "", err
	}
	return f.Inline()
}

// overview shows all ratios.
func overview(r *measure.Report) (template.HTML, error) {
	var names []string
	dots := make([]figure.Dots, len(r.Engines))
	for _, op := range singles(r) {
		if len(results(r, op)) == 0 {
			continue
		}
		names = append(names, op.Title)
		for i, e := range r.Engines {
			x, _ := r.Result(e.Label(), op.Name)
			dots[i].Colour = figure.Colour(i)
			dots[i].Ratios = append(dots[i].Ratios, x.Ratio)
		}
	}
	f, err := figure.Ratios(figure.Phone, "Ratios of all engines to "+r.Baseline+"; the tables below have the numbers", names, dots)
	if err != nil {
		return "", err
	}
	return f.Inline()
}

// lines shows the throughput for one operation.
func lines(r *measure.Report, op string) (template.HTML, error) {
	all := make([]figure.Line, len(r.Engines))
	for _, t := range r.Throughput {
		if t.Op == op && t.NS > 0 {
			l := &all[numberOf(r, t.Label())]
			l.Counts, l.Rates = append(l.Counts, t.Goroutines), append(l.Rates, 1e9/t.NS)
		}
	}
	for i := range all {
		all[i].Colour = figure.Colour(i)
	}
	f, err := figure.Rates(figure.Phone, 200, title(op)+": operations a second by goroutines; the table below has the numbers", all)
	if err != nil {
		return "", err
	}
	return f.Inline()
}
