package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

//go:embed page.html
var pageSource string

// HTML writes one page that loads nothing from anywhere.
func HTML(w io.Writer, r *measure.Report) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"style":      figure.Style,
		"prose":      prose,
		"provenance": provenance,
		"short":      func(e engine.Info) string { return short(r, e.Name, e.Backend) },
		"colour":     func(e engine.Info) int { return numberOf(r, e.Label()) % figure.Colours },
		"percent":    func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) },
		"confidence": func() float64 { return measure.Confidence },
		"miss":       func(cell string) bool { return cell == miss },
		"inline": func(draw func() (*figure.Figure, error)) (template.HTML, error) {
			f, err := draw()
			if err != nil {
				return "", err
			}
			return f.Inline(), nil
		},
	}).Parse(pageSource)
	if err != nil {
		return fmt.Errorf("report: page: %w", err)
	}
	p := struct {
		*measure.Report
		Facts    []fact
		Caveats  []string
		Overview func() (*figure.Figure, error)
		Sections []section
	}{Report: r, Facts: facts(r), Caveats: caveats(r), Sections: sections(r)}
	if r.Baseline != "" && len(r.Results) > 0 {
		p.Overview = func() (*figure.Figure, error) { return overview(r) }
	}
	return t.Execute(w, p)
}

// flags are those of the command, which no line should break.
var flags = regexp.MustCompile(`--[a-z-]+(=\w+| \d+)?|taskset -c 1`)

func prose(text string) template.HTML {
	return template.HTML(flags.ReplaceAllString(template.HTMLEscapeString(text), "<code>$0</code>"))
}
