package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	glyph "gonum.org/v1/plot/vg/draw"

	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/report"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// chartWidth is the width of all charts, in points.
const chartWidth = 860

// A row is a library in a chart, with its time.
type row struct {
	*library
	measure.Result
}

func (r row) micros() float64 { return r.NS / 1e3 }

// reach returns the times of the quickest and the slowest round.
func (r row) reach() (low, high float64) {
	low, high = r.micros(), r.micros()
	for _, s := range r.Samples {
		low, high = min(low, s.CPU/1e3), max(high, s.CPU/1e3)
	}
	return low, high
}

// draw draws the results into files in dir, which it creates if necessary, and returns their names. Each scenario gets
// a bar chart by version and a timeline by release date.
func draw(dir string, r *measure.Report, libraries []*library) (files []string) {
	must.Do(os.MkdirAll(dir, 0o755))
	plot.DefaultFont.Variant, plotter.DefaultFont.Variant = "Sans", "Sans"
	caption := fmt.Sprintf("%s, %s, %s; median of %d rounds, each in a fresh process; p256k1's plugbench, %s",
		r.Machine.Processor, r.Machine.System, r.Machine.Go, r.Rounds, r.Date.Format(time.DateOnly))
	for _, op := range r.Ops {
		var timed []row
		for _, l := range libraries {
			if x, ok := r.Result(l.label, op.Name); ok {
				timed = append(timed, row{l, x})
			}
		}
		slices.SortStableFunc(timed, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.family, b.family), a.date.Compare(b.date))
		})
		dated := slices.DeleteFunc(slices.Clone(timed), func(r row) bool { return r.date.IsZero() })
		for _, d := range []struct {
			name, subtitle string
			height         vg.Length
			rows           []row
			add            func(p *plot.Plot, rows []row)
		}{
			{"bars", "shorter is better. The lines reach from the quickest to the slowest round.", vg.Length(90 + 22*len(timed)), timed, addBars},
			{"timeline", "by date of release, on a logarithmic scale: lower is better.", 480, dated, addTimeline},
		} {
			if len(d.rows) == 0 {
				continue
			}
			p := plot.New()
			p.Title.Text = op.Name + " on secp256k1\nCPU time of one operation in µs, " + d.subtitle
			p.Title.Padding = 8
			p.X.Label.Text, p.X.Label.TextStyle.Font.Size = caption, 8
			d.add(p, d.rows)
			for _, format := range []string{"svg", "png"} {
				file := filepath.Join(dir, op.Name+"-"+d.name+"."+format)
				save(p, d.height, format, file)
				files = append(files, file)
			}
		}
	}
	return files
}

// save writes a chart. If a page that shows the SVG lacks the font, the browser takes another font with the same
// widths.
func save(p *plot.Plot, height vg.Length, format, file string) {
	var b bytes.Buffer
	must.Get(must.Get(p.WriterTo(chartWidth, height, format)).WriteTo(&b))
	drawing := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;"))
	replace(file, drawing)
}

// replace writes a file, which until then keeps its old content.
func replace(file string, content []byte) {
	must.Do(os.WriteFile(file+".new", content, 0o644))
	must.Do(os.Rename(file+".new", file))
}

// addBars adds a bar for each row, the first at the top, in the colour of its family.
func addBars(p *plot.Plot, rows []row) {
	var names []string
	var ends plotter.XYLabels
	var reach struct {
		plotter.XYs
		plotter.XErrors
	}
	for i := range rows {
		r := rows[len(rows)-1-i]
		bar := must.Get(plotter.NewBarChart(plotter.Values{r.micros()}, 14))
		bar.Horizontal, bar.XMin, bar.Color = true, float64(i), families[r.family].colour
		p.Add(bar)
		names = append(names, r.label)
		low, high := r.reach()
		ends.XYs = append(ends.XYs, plotter.XY{X: high, Y: float64(i)})
		ends.Labels = append(ends.Labels, "  "+report.Digits(r.micros(), 0))
		reach.XYs = append(reach.XYs, plotter.XY{X: r.micros(), Y: float64(i)})
		reach.XErrors = append(reach.XErrors, struct{ Low, High float64 }{r.micros() - low, high - r.micros()})
	}
	values, lines := must.Get(plotter.NewLabels(ends)), must.Get(plotter.NewXErrorBars(reach))
	for i := range values.TextStyle {
		values.TextStyle[i].YAlign = text.YCenter
	}
	p.Add(lines, values)
	p.NominalY(names...)
	p.X.Min = 0
}

// addTimeline adds the releases of each family by date. This library's releases have a line across the chart, for
// comparison.
func addTimeline(p *plot.Plot, rows []row) {
	p.Add(plotter.NewGrid())
	p.X.Tick.Marker = plot.TimeTicks{Format: "2006-01"}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
	p.Legend.Top, p.Legend.Left = true, true
	first := slices.MinFunc(rows, func(a, b row) int { return a.date.Compare(b.date) }).date
	for f, look := range families {
		var releases plotter.XYLabels
		for _, r := range rows {
			if r.family == family(f) {
				releases.XYs = append(releases.XYs, plotter.XY{X: float64(r.date.Unix()), Y: r.micros()})
				releases.Labels = append(releases.Labels, nameIn(r))
			}
		}
		if len(releases.XYs) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(releases.XYs)
		must.Do(err)
		names := must.Get(plotter.NewLabels(releases))
		line.Color, dots.GlyphStyle = look.colour, glyph.GlyphStyle{Color: look.colour, Radius: 4, Shape: look.shape}
		lines := []*plotter.Line{line}
		if family(f) == own {
			lines = nil
			for _, xy := range releases.XYs {
				level := must.Get(plotter.NewLine(plotter.XYs{{X: float64(first.Unix()), Y: xy.Y}, xy}))
				level.Color, level.Dashes = look.colour, []vg.Length{5, 3}
				lines = append(lines, level)
			}
		}
		for i := range names.TextStyle {
			style := &names.TextStyle[i]
			style.Font.Size = 9
			if family(f) == own {
				style.XAlign = text.XRight
			} else { // labels of releases within a few months of each other would overlap
				style.Rotation, style.YAlign = math.Pi/3, text.YCenter
			}
		}
		for _, l := range lines {
			p.Add(l)
		}
		p.Add(dots, names)
		p.Legend.Add(look.name, dots)
	}
	p.Y.Min, p.Y.Max = p.Y.Min/1.2, p.Y.Max*1.6
}

// nameIn returns the name of a row in the timeline: without the family (see the legend), for this library with the
// time.
func nameIn(r row) string {
	if r.family == own {
		return r.label + ", " + report.Digits(r.micros(), 0) + " µs  "
	}
	return "  " + strings.TrimPrefix(strings.TrimPrefix(r.label, "OpenSSL "), "secp256k1 ")
}

// decades marks 1, 2 and 5 times each power of ten; plot.LogTicks labels only the powers.
func decades(low, high float64) (ticks []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, v := range []float64{power, 2 * power, 5 * power} {
			if low <= v && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.4g", v)})
			}
		}
	}
	return ticks
}
