package chart

import (
	"bytes"
	_ "embed"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"time"

	"p256k1.mleku.dev/bench/plug/race"
	"p256k1.mleku.dev/bench/plug/work"
)

// page is what page.html shows.
type page struct {
	Caption  string
	Sections []section
}

type section struct {
	Title    string
	Scenario work.Scenario
	Charts   []template.HTML
	Rows     []tableRow
}

type tableRow struct {
	Label, Date, BitcoinCore, Micros, Note string
	Own                                    bool
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

func (p page) render() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, p)
	return b.Bytes(), err
}

func tableRows(rows []*race.Result) []tableRow {
	var table []tableRow
	for _, r := range rows {
		row := tableRow{Label: r.Library.Label, BitcoinCore: r.Library.BitcoinCore, Own: family(r) == familyOwn}
		if !r.Library.Date.IsZero() {
			row.Date = r.Library.Date.Format(time.DateOnly)
		}
		switch r.Status {
		case race.OK:
			row.Micros = format(each(r))
		case race.Unsupported:
			continue
		default:
			row.Note = string(r.Status) + ": " + r.Detail
		}
		table = append(table, row)
	}
	return table
}

var (
	prologue = regexp.MustCompile(`(?s)^.*?<svg`)
	sizes    = regexp.MustCompile(`<svg width="([0-9.]+)pt" height="([0-9.]+)pt"`)
)

// inline turns a file of SVG into an element that scales with the page.
func inline(svg, title string) template.HTML {
	svg = prologue.ReplaceAllString(svg, "<svg")
	svg = sizes.ReplaceAllString(svg, `<svg role="img" aria-label=`+strconv.Quote(template.HTMLEscapeString(title)))
	return template.HTML(strings.TrimSpace(svg)) // made here, from labels that the SVG writer escapes
}
