package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"p256k1.mleku.dev/bench/measure"
)

// The charts are as wide as a phone, so that text keeps its size there; wider
// screens show several beside each other.
const chartWidth = 358

// Colours stand for variables of the page's style, which knows of dark mode and
// print. Each is a value that nothing else has.
var (
	ink   = color.RGBA{1, 1, 1, 255}
	muted = color.RGBA{2, 2, 2, 255}
	grid  = color.RGBA{3, 3, 3, 255}
)

// maxColours is how many engines the style has colours for.
const maxColours = 8

// engineColour is that of the i-th engine.
func engineColour(i int) color.RGBA { return color.RGBA{4, uint8(i % maxColours), 4, 255} }

func variable(c color.RGBA) string {
	switch c {
	case ink:
		return "var(--ink)"
	case muted:
		return "var(--muted)"
	case grid:
		return "var(--grid)"
	}
	return fmt.Sprintf("var(--e%d)", c.G)
}

func style(size float64, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)},
		XAlign:  x,
		YAlign:  y,
		Handler: plot.DefaultTextHandler,
	}
}

// newPlot is a plot without background, axes and titles.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Width = 0
		a.Tick.LineStyle.Width = 0
		a.Tick.Length = 0
		a.Padding = 0
	}
	p.X.Tick.Label = style(11, muted, text.XCenter, text.YTop)
	p.Y.Tick.Label = style(12, ink, text.XRight, text.YCenter)
	return p
}

var (
	svgSize   = regexp.MustCompile(`<svg width="[^"]*" height="[^"]*"`)
	svgSpaces = regexp.MustCompile(`\s+xmlns(:xlink)?="[^"]*"`) // HTML knows what svg is
	svgFont   = regexp.MustCompile(`font-family:[^;]*;font-variant:[^;]*;font-weight:[^;]*;font-style:[^;]*;?`)
	svgColour = regexp.MustCompile(`#[0-9A-Fa-f]{6}`)
)

// inline draws a plot as SVG to stand in a page.
func inline(p *plot.Plot, height float64, description string) (template.HTML, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(chartWidth*vg.Points(1), vg.Points(height)))
	p.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", fmt.Errorf("report: chart: %w", err)
	}
	s := b.String()
	s = s[strings.Index(s, "<svg"):]
	s = svgSize.ReplaceAllLiteralString(s, fmt.Sprintf(`<svg role="img" aria-label="%s"`, template.HTMLEscapeString(description)))
	s = svgSpaces.ReplaceAllLiteralString(s, "")
	s = svgFont.ReplaceAllLiteralString(s, "")
	s = svgColour.ReplaceAllStringFunc(s, func(hex string) string {
		var c color.RGBA
		fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B)
		c.A = 255
		return variable(c)
	})
	return template.HTML(s), nil
}

// short names an engine in a chart.
func short(r *measure.Report, name, backend string) string {
	if name == measure.CName || name == measure.OneInputName {
		return strings.Replace(name, " ", "\n", 1)
	}
	n := 0
	for _, e := range r.Engines {
		if e.Name == name {
			n++
		}
	}
	if n > 1 {
		return name + "\n" + backend
	}
	return strings.Replace(name, "-cgo", "\ncgo", 1)
}

// colourOf is the number of an engine's colour.
func colourOf(r *measure.Report, label string) int {
	for i, e := range r.Engines {
		if e.Label() == label {
			return i % maxColours
		}
	}
	return 0
}

// bars shows the times for one operation.
func bars(r *measure.Report, op measure.Op) (template.HTML, error) {
	rows := results(r, op)
	slices.Reverse(rows) // the first stands above the others
	p := newPlot()
	var names []string
	var points plotter.XYs
	var values []string
	longest, described := 0.0, []string{}
	const barHeight, rowHeight = 18, 30
	for i, x := range rows {
		b, err := plotter.NewBarChart(plotter.Values{x.NS}, vg.Points(barHeight))
		if err != nil {
			return "", err
		}
		b.Horizontal, b.XMin, b.LineStyle.Width = true, float64(i), 0
		b.Color = engineColour(colourOf(r, x.Label()))
		p.Add(b)
		names = append(names, short(r, x.Engine, x.Backend))
		points = append(points, plotter.XY{X: x.High, Y: float64(i)})
		values = append(values, duration(x.NS))
		longest = max(longest, x.High)
		described = append(described, x.Label()+" "+duration(x.NS))
	}
	whiskers, err := plotter.NewXErrorBars(interval(rows))
	if err != nil {
		return "", err
	}
	whiskers.LineStyle = draw.LineStyle{Color: ink, Width: vg.Points(1)}
	whiskers.CapWidth = vg.Points(5)
	labels, err := plotter.NewLabels(plotter.XYLabels{XYs: points, Labels: values})
	if err != nil {
		return "", err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i] = style(12, ink, text.XLeft, text.YCenter)
	}
	labels.Offset = vg.Point{X: vg.Points(5)}
	p.Add(whiskers, labels)
	p.NominalY(names...)
	p.Y.Tick.Length = vg.Points(4)
	p.HideX()
	p.X.Min, p.X.Max = 0, longest
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows))-0.5
	slices.Reverse(described)
	return inline(p, float64(len(rows)*rowHeight), op.Title+": "+strings.Join(described, ", "))
}

// interval is the results as plotter wants error bars.
type interval []measure.Result

func (v interval) Len() int                    { return len(v) }
func (v interval) XY(i int) (float64, float64) { return v[i].NS, float64(i) }
func (v interval) XError(i int) (float64, float64) {
	return v[i].NS - v[i].Low, v[i].High - v[i].NS
}

// overview shows all ratios.
func overview(r *measure.Report) (template.HTML, error) {
	p := newPlot()
	least, greatest := 1.0, 1.0
	var names []string
	var ops []measure.Op
	for _, op := range slices.Backward(r.Ops) {
		if len(results(r, op)) > 0 {
			ops = append(ops, op)
			names = append(names, op.Title)
		}
	}
	for i := range ops {
		line, err := plotter.NewLine(plotter.XYs{{X: 1e-3, Y: float64(i)}, {X: 1e3, Y: float64(i)}})
		if err != nil {
			return "", err
		}
		line.LineStyle = draw.LineStyle{Color: grid, Width: vg.Points(1)}
		p.Add(line)
	}
	one, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.5}, {X: 1, Y: float64(len(ops)) - 0.5}})
	if err != nil {
		return "", err
	}
	one.LineStyle = draw.LineStyle{Color: muted, Width: vg.Points(1.5)}
	p.Add(one)
	// p256k1, the first, is drawn last, over the others.
	for k, e := range slices.Backward(r.Engines) {
		var points plotter.XYs
		for i, op := range ops {
			if x, ok := r.Result(e.Label(), op.Name); ok && x.Ratio > 0 {
				points = append(points, plotter.XY{X: x.Ratio, Y: float64(i)})
				least, greatest = min(least, x.Ratio), max(greatest, x.Ratio)
			}
		}
		if len(points) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return "", err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: engineColour(k), Radius: vg.Points(5.5), Shape: draw.CircleGlyph{}}
		p.Add(s)
	}
	p.NominalY(names...)
	p.Y.Tick.Length = vg.Points(4)
	p.Y.Tick.Label = style(12, ink, text.XRight, text.YCenter)
	p.Y.Min, p.Y.Max = -0.5, float64(len(ops))-0.5
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = least/1.15, greatest*1.15
	p.X.Tick.Marker = powersOfTwo{}
	p.X.Tick.Label = style(11, muted, text.XCenter, text.YTop)
	return inline(p, float64(len(ops)*30+24), "Ratios of all engines to "+r.Baseline+"; the tables below have the numbers")
}

// powersOfTwo are ticks for ratios.
type powersOfTwo struct{}

func (powersOfTwo) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Ceil(math.Log2(low)); e <= math.Floor(math.Log2(high)); e++ {
		v := math.Exp2(e)
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%g×", v)})
	}
	return ticks
}

// lines shows the throughput for one operation.
func lines(r *measure.Report, op string) (template.HTML, error) {
	p := newPlot()
	counts := goroutines(r)
	highest := 0.0
	for k, e := range slices.Backward(r.Engines) {
		var points plotter.XYs
		for _, t := range r.Throughput {
			if t.Op == op && t.Label() == e.Label() {
				points = append(points, plotter.XY{X: float64(t.Goroutines), Y: 1e9 / t.NS})
				highest = max(highest, 1e9/t.NS)
			}
		}
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return "", err
		}
		line.LineStyle = draw.LineStyle{Color: engineColour(k), Width: vg.Points(2)}
		dots.GlyphStyle = draw.GlyphStyle{Color: engineColour(k), Radius: vg.Points(4), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
	}
	var ticks []plot.Tick
	for _, n := range counts {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: fmt.Sprint(n)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Label.Text = "goroutines"
	p.X.Label.TextStyle = style(11, muted, text.XCenter, text.YTop)
	p.Y.Tick.Marker = thousands{}
	p.Y.Tick.Label = style(11, muted, text.XRight, text.YCenter)
	p.Y.Tick.Length = vg.Points(4)
	rules := plotter.NewGrid()
	rules.Vertical.Width = 0
	rules.Horizontal = draw.LineStyle{Color: grid, Width: vg.Points(1)}
	p.Add(rules)
	p.Y.Min, p.Y.Max = 0, highest*1.05
	p.X.Min, p.X.Max = float64(counts[0])-0.1, float64(counts[len(counts)-1])+0.1
	return inline(p, 200, title(op)+": operations a second by goroutines; the table below has the numbers")
}

// thousands are ticks for rates.
type thousands struct{}

func (thousands) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(high/2)))
	for high/step > 5 {
		step *= 2
	}
	var ticks []plot.Tick
	for v := 0.0; v <= high; v += step {
		label := fmt.Sprintf("%gk/s", v/1000)
		if v == 0 {
			label = "0"
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}
