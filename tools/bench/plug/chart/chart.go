// Package chart draws the results of a comparison: for each scenario a bar chart by
// version and a timeline by date of release, and a page with all of them.
package chart

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/vg/draw"

	"p256k1.mleku.dev/v2/tools/bench/internal/figure"
	"p256k1.mleku.dev/v2/tools/bench/plug/subject"
	"p256k1.mleku.dev/v2/tools/bench/plug/turns"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

// SystemSuffix is the end of the labels of libraries that the system has installed.
const SystemSuffix = " (system)"

// PageName is the file of the page with all charts.
const PageName = "plug.html"

// titles are what the charts of a scenario are about.
var titles = map[work.Scenario]string{
	work.ECDSAVerify:   "ECDSA verification on secp256k1",
	work.ECDSASign:     "ECDSA signing on secp256k1",
	work.SchnorrVerify: "Schnorr verification (BIP-340)",
	work.SchnorrSign:   "Schnorr signing (BIP-340)",
	work.ECDH:          "ECDH on secp256k1",
	work.Derive:        "Deriving a public key on secp256k1",
	work.Recover:       "ECDSA public key recovery on secp256k1",
}

// A drawing is what a chart is made with, at any width.
type drawing struct {
	name, subtitle string
	draw           func(width float64) (*figure.Figure, error)
}

// Write draws the rows that have a time into files in dir, which it makes if
// need be, and returns their names. The caption, below each chart, says where
// the figures come from.
func Write(dir, caption string, rows []*turns.Result) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	save := func(name string, content []byte) error {
		file := filepath.Join(dir, name)
		files = append(files, file)
		return os.WriteFile(file, content, 0o644)
	}
	p := page{Caption: caption}
	for _, scenario := range work.Scenarios {
		var all, timed []*turns.Result
		for _, r := range rows {
			if r.Scenario != scenario {
				continue
			}
			all = append(all, r)
			if r.Status == turns.OK && r.Each() > 0 {
				timed = append(timed, r)
			}
		}
		if len(timed) == 0 {
			continue
		}
		arrange(timed)
		dated := slices.DeleteFunc(slices.Clone(timed), func(r *turns.Result) bool { return r.Library.Date.IsZero() })
		s := section{Title: titles[scenario], Scenario: scenario, Rows: tableRows(all)}
		for _, d := range []drawing{
			{"bars", "CPU time of one operation in µs: shorter is better. The lines reach from the quickest to the slowest round.", func(width float64) (*figure.Figure, error) {
				return bars(width, s.Title, timed)
			}},
			{"timeline", "CPU time of one operation in µs by date of release, on a logarithmic scale: lower is better.", func(width float64) (*figure.Figure, error) {
				return timeline(width, s.Title, dated)
			}},
		} {
			if d.name == "timeline" && len(dated) == 0 {
				continue
			}
			screen, err := d.draw(figure.Screen)
			if err != nil {
				return files, err
			}
			phone, err := d.draw(figure.Phone)
			if err != nil {
				return files, err
			}
			c := chart{Subtitle: d.subtitle}
			if c.Screen, err = screen.Inline(); err != nil {
				return files, err
			}
			if c.Phone, err = phone.Inline(); err != nil {
				return files, err
			}
			s.Charts = append(s.Charts, c)

			frame := figure.Frame{Title: s.Title, Subtitle: d.subtitle, Caption: caption}
			base := fmt.Sprintf("%s-%s", scenario, d.name)
			svg, err := screen.SVG(frame)
			if err != nil {
				return files, err
			}
			if err := save(base+".svg", svg); err != nil {
				return files, err
			}
			png, err := screen.PNG(frame)
			if err != nil {
				return files, err
			}
			if err := save(base+".png", png); err != nil {
				return files, err
			}
		}
		p.Sections = append(p.Sections, s)
	}
	if len(p.Sections) == 0 {
		return nil, fmt.Errorf("chart: there is no figure to draw")
	}
	b, err := p.render()
	if err != nil {
		return files, err
	}
	return files, save(PageName, b)
}

// bars has a bar for each row, the first at the top, coloured by its time.
func bars(width float64, title string, rows []*turns.Result) (*figure.Figure, error) {
	low, high := math.Inf(1), 0.0
	for _, r := range rows {
		low, high = min(low, each(r)), max(high, each(r))
	}
	var all []figure.Bar
	for _, r := range rows {
		// Colours differ as ratios do.
		place := 1.0
		if high > low {
			place = math.Log(high/each(r)) / math.Log(high/low)
		}
		b := figure.Bar{Name: r.Library.Label, Text: format(each(r)), Value: each(r), Colour: figure.Shade(place), Strong: family(r) == familyOwn}
		if len(r.Times) > 1 {
			b.Low, b.High = micros(slices.Min(r.Times), r.N), micros(slices.Max(r.Times), r.N)
		}
		all = append(all, b)
	}
	return figure.Bars(width, title, all)
}

// timeline has the releases of each family by date.
func timeline(width float64, title string, rows []*turns.Result) (*figure.Figure, error) {
	var own, released, installed []figure.Series
	for f, name := range familyNames {
		all := figure.Series{Name: name, Colour: familyColours[f], Shape: familyShapes[f], Line: true}
		system := figure.Series{Name: name + " of this system", Colour: familyColours[f], Shape: draw.RingGlyph{}}
		if f == familyOwn {
			all.Name, all.Line, all.Level, all.Strong = "p256k1, this library", false, true, true
		}
		for _, r := range rows {
			if family(r) != f {
				continue
			}
			release := figure.Release{Names: []string{version(r)}, Date: r.Library.Date, Value: each(r)}
			switch {
			case f == familyOwn:
				value := format(each(r)) + " µs"
				release.Names = []string{r.Library.Label + ", " + value, value}
				all.Releases = append(all.Releases, release)
			case strings.HasSuffix(r.Library.Label, SystemSuffix):
				system.Releases = append(system.Releases, release)
			default:
				all.Releases = append(all.Releases, release)
			}
		}
		if f == familyOwn {
			own = append(own, all)
		} else {
			released = append(released, all)
		}
		installed = append(installed, system)
	}
	return figure.Timeline(width, 400, title+", by date of release; the table below has the numbers", slices.Concat(own, released, installed))
}

// family orders and names what a library belongs to.
func family(r *turns.Result) int {
	switch r.Identity.Kind {
	case subject.KindOpenSSL:
		return 0
	case subject.KindLibsecp:
		return 1
	}
	return familyOwn
}

const familyOwn = 2

var (
	familyNames   = [3]string{"OpenSSL", "libsecp256k1", "p256k1"}
	familyColours = [3]color.Color{figure.Colour(6), figure.Colour(1), figure.Colour(0)}
	familyShapes  = [3]draw.GlyphDrawer{draw.BoxGlyph{}, draw.CircleGlyph{}, draw.PyramidGlyph{}}
)

// arrange sorts by family, then by date, this library last.
func arrange(rows []*turns.Result) {
	slices.SortStableFunc(rows, func(a, b *turns.Result) int {
		return cmp.Or(cmp.Compare(family(a), family(b)), a.Library.Date.Compare(b.Library.Date))
	})
}

// version is the label without the family's name, which the legend says.
func version(r *turns.Result) string {
	s := strings.TrimSuffix(r.Library.Label, SystemSuffix)
	return strings.TrimPrefix(strings.TrimPrefix(s, "OpenSSL "), "secp256k1 ")
}

func each(r *turns.Result) float64 { return micros(r.Median(), r.N) }

// micros is the time of one of n operations.
func micros(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / 1e3 / float64(n) }

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
