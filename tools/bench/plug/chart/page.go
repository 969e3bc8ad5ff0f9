package chart

import (
	"bytes"
	_ "embed"
	"html/template"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
	"p256k1.mleku.dev/v2/tools/bench/plug/turns"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

// page is what page.html shows.
type page struct {
	Caption  string
	Sections []section
}

type section struct {
	Title    string
	Scenario work.Scenario
	Charts   []chart
	Rows     []tableRow
}

// chart is drawn twice: the page shows what fits the window.
type chart struct {
	Subtitle      string
	Screen, Phone template.HTML
}

type tableRow struct {
	Label, Date, BitcoinCore, Micros, Note string
	Own                                    bool
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"style": figure.Style}).Parse(pageText))

func (p page) render() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, p)
	return b.Bytes(), err
}

func tableRows(rows []*turns.Result) []tableRow {
	var table []tableRow
	for _, r := range rows {
		row := tableRow{Label: r.Library.Label, BitcoinCore: r.Library.BitcoinCore, Own: family(r) == familyOwn}
		if !r.Library.Date.IsZero() {
			row.Date = r.Library.Date.Format(time.DateOnly)
		}
		switch r.Status {
		case turns.OK:
			row.Micros = format(each(r))
		case turns.Unsupported:
			continue
		default:
			row.Note = string(r.Status) + ": " + r.Detail
		}
		table = append(table, row)
	}
	return table
}
