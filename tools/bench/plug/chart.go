package plug

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"

	glyph "gonum.org/v1/plot/vg/draw"

	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
)

// pageName is the file of the page with all charts.
const pageName = "plug.html"

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"style": figure.Style}).Parse(pageText))

// section is what page.html shows of a scenario.
type section struct {
	Title, Scenario string
	Charts          []chart
	Rows            []tableRow
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

// draw draws the rows that have a time into files in dir, which it makes if need
// be, and returns their names: for each scenario a bar chart by version and a
// timeline by date of release, and a page with all of them. The caption, below
// each chart, says where the figures come from.
func draw(dir, caption string, rows []*row) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	save := func(name string, content []byte, err error) error {
		if err != nil {
			return err
		}
		file := filepath.Join(dir, name)
		files = append(files, file)
		return os.WriteFile(file, content, 0o644)
	}
	var sections []section
	for _, all := range byScenario(rows) {
		timed := slices.DeleteFunc(slices.Clone(all), func(r *row) bool { return r.err != nil || r.median <= 0 })
		if len(timed) == 0 {
			continue
		}
		// By family, then by date.
		slices.SortStableFunc(timed, func(a, b *row) int {
			return cmp.Or(cmp.Compare(a.family, b.family), a.date.Compare(b.date))
		})
		dated := slices.DeleteFunc(slices.Clone(timed), func(r *row) bool { return r.date.IsZero() })
		s := section{Title: all[0].op.Title + " on secp256k1", Scenario: all[0].op.Name, Rows: tableRows(all)}
		for _, d := range []struct {
			name, subtitle string
			draw           func(width float64, title string, rows []*row) (*figure.Figure, error)
			rows           []*row
		}{
			{"bars", "CPU time of one operation in µs: shorter is better. The lines reach from the quickest to the slowest round.", bars, timed},
			{"timeline", "CPU time of one operation in µs by date of release, on a logarithmic scale: lower is better.", timeline, dated},
		} {
			if len(d.rows) == 0 {
				continue
			}
			screen, err := d.draw(figure.Screen, s.Title, d.rows)
			if err != nil {
				return files, err
			}
			phone, err := d.draw(figure.Phone, s.Title, d.rows)
			if err != nil {
				return files, err
			}
			s.Charts = append(s.Charts, chart{d.subtitle, screen.Inline(), phone.Inline()})
			frame := figure.Frame{Title: s.Title, Subtitle: d.subtitle, Caption: caption}
			base := s.Scenario + "-" + d.name
			if err := save(base+".svg", screen.SVG(frame), nil); err != nil {
				return files, err
			}
			png, err := screen.PNG(frame)
			if err := save(base+".png", png, err); err != nil {
				return files, err
			}
		}
		sections = append(sections, s)
	}
	if len(sections) == 0 {
		return nil, fmt.Errorf("there is no figure to draw")
	}
	var page bytes.Buffer
	err = pageTemplate.Execute(&page, map[string]any{"Caption": caption, "Sections": sections})
	return files, save(pageName, page.Bytes(), err)
}

func tableRows(rows []*row) (table []tableRow) {
	for _, r := range rows {
		t := tableRow{Label: r.label, Date: r.day(), BitcoinCore: r.bitcoinCore, Own: r.family == own}
		switch status := r.status(); status {
		case "ok":
			t.Micros = format(r.median)
		case "not offered":
			continue
		default:
			t.Note = status + ": " + r.detail()
		}
		table = append(table, t)
	}
	return table
}

// bars has a bar for each row, the first at the top, in the colour of its family.
func bars(width float64, title string, rows []*row) (*figure.Figure, error) {
	var all []figure.Bar
	for _, r := range rows {
		b := figure.Bar{Name: r.label, Text: format(r.median), Value: r.median, Colour: looks[r.family].colour, Strong: r.family == own}
		if r.rounds > 1 {
			b.Low, b.High = r.low, r.high
		}
		all = append(all, b)
	}
	return figure.Bars(width, title, all)
}

// looks are how the families look.
var looks = []struct {
	name   string
	colour color.Color
	shape  glyph.GlyphDrawer
}{
	openssl: {"OpenSSL", figure.Colour(6), glyph.BoxGlyph{}},
	libsecp: {"libsecp256k1", figure.Colour(1), glyph.CircleGlyph{}},
	own:     {"p256k1, this library", figure.Colour(0), glyph.PyramidGlyph{}},
}

// timeline has the releases of each family by date, this library's first.
func timeline(width float64, title string, rows []*row) (*figure.Figure, error) {
	var all []figure.Series
	for _, f := range []family{own, openssl, libsecp} {
		look := looks[f]
		released := figure.Series{Name: look.name, Colour: look.colour, Shape: look.shape, Line: f != own, Level: f == own, Strong: f == own}
		installed := figure.Series{Name: look.name + " of this system", Colour: look.colour, Shape: glyph.RingGlyph{}}
		for _, r := range rows {
			if r.family != f {
				continue
			}
			label, system := strings.CutSuffix(r.label, systemSuffix)
			// The legend says the family.
			names := []string{strings.TrimPrefix(strings.TrimPrefix(label, "OpenSSL "), "secp256k1 ")}
			if f == own {
				value := format(r.median) + " µs"
				names = []string{label + ", " + value, value}
			}
			release := figure.Release{Names: names, Date: r.date, Value: r.median}
			if system {
				installed.Releases = append(installed.Releases, release)
			} else {
				released.Releases = append(released.Releases, release)
			}
		}
		all = append(all, released, installed)
	}
	return figure.Timeline(width, 400, title+", by date of release; the table below has the numbers", all)
}

// format writes microseconds with three figures or all before the point.
func format(us float64) string {
	switch {
	case us >= 99.95:
		return fmt.Sprintf("%.0f", us)
	case us >= 9.995:
		return fmt.Sprintf("%.1f", us)
	}
	return fmt.Sprintf("%.2f", us)
}
