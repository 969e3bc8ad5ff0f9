package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

//go:embed page.html
var pageSource string

// A page is what the template shows.
type page struct {
	*measure.Report
	Facts    []fact
	Caveats  []string
	Legend   []chip
	Overview template.HTML
	Parts    []section
	Batches  []batchTable
	Growth   []chart // of what batches bring, by their size
	Allocs   matrix
	Against  [][]string
	Crowds   []chart
	Rates    matrix
	First    [][]string
}

// section is a part of the operations.
type section struct {
	Title, Note string
	Charts      []chart
	Times       matrix
}

type chip struct {
	Colour int
	Name   string
}

type chart struct {
	Title, What, Missing string
	SVG                  template.HTML
}

// matrix is a table with a head.
type matrix struct {
	Left int // the last column whose text stands at the left
	Head []string
	Rows [][]cell
}

type cell struct{ Main, Small string }

// HTML writes one page that loads nothing from anywhere.
func HTML(w io.Writer, r *measure.Report) error {
	p := page{Report: r, Facts: facts(r), Caveats: caveats(r)}
	var err error
	for _, e := range r.Engines {
		p.Legend = append(p.Legend, chip{numberOf(r, e.Label()) % figure.Colours, short(r, e.Name, e.Backend)})
	}
	if r.Baseline != "" && len(r.Results) > 0 {
		if p.Overview, err = overview(r); err != nil {
			return err
		}
	}
	for _, of := range parts(r) {
		s := section{Title: of.title, Note: of.note, Times: timesTable(r, of.ops)}
		for _, op := range of.ops {
			c := chart{Title: op.Title, What: op.What}
			if names := missing(r, op); len(names) > 0 {
				c.Missing = "Not in " + strings.Join(names, ", ") + "."
			}
			if c.SVG, err = bars(r, op); err != nil {
				return err
			}
			s.Charts = append(s.Charts, c)
		}
		p.Parts = append(p.Parts, s)
	}
	p.Batches = batchTables(r, func(e engine.Info) string { return short(r, e.Name, e.Backend) })
	for _, f := range families(r) {
		svg, err := batchLines(r, f)
		if err != nil {
			return err
		}
		p.Growth = append(p.Growth, chart{Title: f.title(), What: "Inputs a second by the size of the batch", SVG: svg})
	}
	p.Allocs = allocsTable(r)
	for _, v := range r.Against {
		p.Against = append(p.Against, []string{title(v.Op), short(r, v.Engine, v.Backend), ratio(v.Ratio), fmt.Sprintf("%.3f–%.3f", v.Low, v.High), target(v), verdict(v)})
	}
	if len(r.Throughput) > 0 {
		p.Rates = ratesTable(r)
		seen := map[string]bool{}
		for _, t := range r.Throughput {
			if seen[t.Op] {
				continue
			}
			seen[t.Op] = true
			svg, err := lines(r, t.Op)
			if err != nil {
				return err
			}
			p.Crowds = append(p.Crowds, chart{Title: title(t.Op), What: "Operations a second by number of goroutines", SVG: svg})
		}
	}
	for _, f := range r.FirstUses {
		p.First = append(p.First, []string{title(f.Op), short(r, f.Engine, f.Backend), duration(f.Open), duration(f.First), duration(f.Later), size(f.Heap), size(f.Resident), readOnly(f)})
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"style":      figure.Style,
		"prose":      prose,
		"provenance": provenance,
		"short":      func(e engine.Info) string { return short(r, e.Name, e.Backend) },
		"join":       strings.Join,
		"percent":    func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) },
		"confidence": func() float64 { return measure.Confidence },
	}).Parse(pageSource)
	if err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	return t.Execute(w, p)
}

// flags are those of the command, which no line should break.
var flags = regexp.MustCompile(`--[a-z-]+(=\w+| \d+)?|taskset -c 1`)

func prose(text string) template.HTML {
	return template.HTML(flags.ReplaceAllString(template.HTMLEscapeString(text), "<code>$0</code>"))
}

func engineHead(r *measure.Report, first string) []string {
	head := []string{first}
	for _, e := range r.Engines {
		head = append(head, short(r, e.Name, e.Backend))
	}
	return head
}

func timesTable(r *measure.Report, ops []measure.Op) matrix {
	return byEngine(r, ops, func(x measure.Result) cell {
		c := cell{Main: duration(x.NS), Small: spread(x.NS, x.Low, x.High)}
		if x.Ratio != 0 {
			c.Small = ratio(x.Ratio) + "  " + c.Small
		}
		return c
	})
}

func allocsTable(r *measure.Report) matrix {
	return byEngine(r, singles(r), func(x measure.Result) cell {
		return cell{Main: perCall(x.Allocs), Small: perCall(x.Bytes) + " B"}
	})
}

func byEngine(r *measure.Report, ops []measure.Op, f func(measure.Result) cell) matrix {
	g := matrix{Head: engineHead(r, "")}
	for _, op := range ops {
		row := []cell{{Main: op.Title}}
		for _, e := range r.Engines {
			c := cell{Main: "–"}
			if x, ok := r.Result(e.Label(), op.Name); ok {
				c = f(x)
			}
			row = append(row, c)
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func ratesTable(r *measure.Report) matrix {
	counts := goroutines(r)
	g := matrix{Left: 1, Head: []string{"", "engine"}}
	for _, n := range counts {
		g.Head = append(g.Head, fmt.Sprint(n))
	}
	for _, c := range crowds(r) {
		row := []cell{{Main: title(c.Op)}, {Main: c.Short}}
		for _, n := range counts {
			x := cell{Main: "–"}
			if t, ok := c.By[n]; ok {
				x.Main = rate(t.NS)
				if n > 1 && t.Scaling > 0 {
					x.Small = fmt.Sprintf("%.2f ×", t.Scaling)
				}
			}
			row = append(row, x)
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}
