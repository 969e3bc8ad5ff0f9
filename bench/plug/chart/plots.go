package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"p256k1.mleku.dev/bench/plug/race"
)

const (
	margin    = vg.Length(10)
	smallSize = vg.Length(8)
)

func sized(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{
		Color:   c,
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		Handler: plot.DefaultTextHandler,
	}
}

func small(c color.Color) draw.TextStyle { return sized(smallSize, c) }

func bold(t draw.TextStyle) draw.TextStyle {
	t.Font.Weight = 3 // semibold and bolder have the same face in Liberation
	return t
}

// newPlot has what both charts have in common.
func newPlot() *plot.Plot {
	p := plot.New()
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = grey, grey
		axis.Tick.Label.Color, axis.Label.TextStyle.Color = ink, ink
		axis.Tick.Label.Font = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, 10)
		axis.Label.TextStyle.Font = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, 10)
	}
	return p
}

// barChart has a bar for each row, the first at the top, coloured by run time.
func barChart(rows []*race.Result) (*plot.Plot, error) {
	p := newPlot()
	low, high := math.Inf(1), 0.0
	for _, r := range rows {
		low, high = min(low, each(r)), max(high, each(r))
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color = nil
	grid.Vertical = draw.LineStyle{Color: pale, Width: 0.75}
	p.Add(grid)

	names := make([]string, len(rows))
	for i, r := range rows {
		y := len(rows) - 1 - i
		names[y] = r.Library.Label
		// Colours differ as ratios do.
		t := 1.0
		if high > low {
			t = math.Log(high/each(r)) / math.Log(high/low)
		}
		bar, err := plotter.NewBarChart(plotter.Values{each(r)}, 15)
		if err != nil {
			return nil, err
		}
		bar.Horizontal, bar.XMin, bar.Color = true, float64(y), shade(t)
		bar.LineStyle.Width = 0
		text := " " + format(each(r))
		label := sized(10, ink)
		if family(r) == familyOwn {
			bar.LineStyle = draw.LineStyle{Color: ink, Width: 2}
			label = bold(label)
			text += "  this library"
		}
		p.Add(bar)
		label.YAlign = draw.YCenter
		p.Add(&plotter.Labels{
			XYs: plotter.XYs{{X: each(r), Y: float64(y)}}, Labels: []string{text}, TextStyle: []draw.TextStyle{label},
			Offset: vg.Point{X: 2, Y: 2}, // as the names of the axis are set
		})
	}
	p.NominalY(names...)
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width, p.Y.Tick.Length = 0, 0, 0
	p.Y.Min, p.Y.Max = -0.6, float64(len(rows))-0.4
	p.X.Min, p.X.Max = 0, high*1.06
	p.X.Tick.Marker = steps{}
	p.X.Label.Text = "µs"
	return p, nil
}

// timeline has the date of release on its x axis and a logarithmic y axis. Rows
// without a date are left out; without any, there is no plot.
func timeline(rows []*race.Result) (*plot.Plot, error) {
	rows = slices.Clone(rows)
	rows = slices.DeleteFunc(rows, func(r *race.Result) bool { return r.Library.Date.IsZero() })
	if len(rows) == 0 {
		return nil, nil
	}
	p := newPlot()
	p.Y.Scale = plot.LogScale{}
	p.Y.Label.Text = "µs, logarithmic"
	p.X.Tick.Marker = years{}
	p.Y.Tick.Marker = decades{}
	grid := plotter.NewGrid()
	grid.Horizontal = draw.LineStyle{Color: pale, Width: 0.75}
	grid.Vertical = grid.Horizontal
	p.Add(grid)

	first, last := rows[0].Library.Date, rows[0].Library.Date
	low, high := math.Inf(1), 0.0
	for _, r := range rows {
		low, high = min(low, each(r)), max(high, each(r))
		if r.Library.Date.Before(first) {
			first = r.Library.Date
		}
		if r.Library.Date.After(last) {
			last = r.Library.Date
		}
	}
	const day = 24 * 60 * 60
	span := max(float64(last.Unix()-first.Unix()), 365*day)
	p.X.Min, p.X.Max = float64(first.Unix())-span*0.02, float64(last.Unix())+span*0.10
	p.Y.Min, p.Y.Max = low/1.5, high*2

	for f, name := range familyNames {
		var catalogued, installed, own plotter.XYs
		var names, installedNames []string
		for _, r := range rows {
			xy := plotter.XY{X: float64(r.Library.Date.Unix()), Y: each(r)}
			switch {
			case family(r) != f:
			case f == familyOwn:
				own = append(own, xy)
				names = append(names, "  "+r.Library.Label+", "+format(each(r))+" µs")
			case strings.HasSuffix(r.Library.Label, SystemSuffix):
				installed = append(installed, xy)
				installedNames = append(installedNames, version(r))
			default:
				catalogued = append(catalogued, xy)
				names = append(names, " "+version(r))
			}
		}
		if len(own) > 0 {
			// A line across shows what the others are measured against.
			for _, xy := range own {
				level, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: xy.Y}, {X: xy.X, Y: xy.Y}})
				if err != nil {
					return nil, err
				}
				level.LineStyle = draw.LineStyle{Color: familyColors[f], Width: 1, Dashes: []vg.Length{5, 3}}
				p.Add(level)
			}
			points, err := plotter.NewScatter(own)
			if err != nil {
				return nil, err
			}
			points.GlyphStyle = draw.GlyphStyle{Color: familyColors[f], Radius: 6, Shape: draw.PyramidGlyph{}}
			style := bold(sized(10, familyColors[f]))
			style.XAlign, style.YAlign = draw.XRight, draw.YTop
			p.Add(points, &plotter.Labels{XYs: own, Labels: names, TextStyle: repeat(style, len(own)), Offset: vg.Point{X: 10, Y: -8}})
			p.Legend.Add("p256k1, this library", points)
		}
		if len(catalogued) > 0 {
			line, points, err := plotter.NewLinePoints(catalogued)
			if err != nil {
				return nil, err
			}
			line.LineStyle = draw.LineStyle{Color: familyColors[f], Width: 1.5}
			points.GlyphStyle = draw.GlyphStyle{Color: familyColors[f], Radius: 4, Shape: shapes[f]}
			p.Add(line, points)
			for i, xy := range catalogued {
				// Up, or down if the name before is in the way.
				style, offset := sized(9, ink), vg.Point{X: 2, Y: 4}
				style.Rotation, style.YAlign = math.Pi/4, draw.YBottom
				if i > 0 && xy.X-catalogued[i-1].X < span*0.03 {
					style.Rotation, style.YAlign = -math.Pi/4, draw.YTop
					offset.Y = -4
				}
				p.Add(&plotter.Labels{XYs: plotter.XYs{xy}, Labels: names[i : i+1], TextStyle: []draw.TextStyle{style}, Offset: offset})
			}
			p.Legend.Add(name, line, points)
		}
		if len(installed) > 0 {
			points, err := plotter.NewScatter(installed)
			if err != nil {
				return nil, err
			}
			points.GlyphStyle = draw.GlyphStyle{Color: familyColors[f], Radius: 5, Shape: draw.RingGlyph{}}
			style := small(grey)
			style.XAlign, style.YAlign = draw.XRight, draw.YTop
			p.Add(points, &plotter.Labels{XYs: installed, Labels: installedNames, TextStyle: repeat(style, len(installed)), Offset: vg.Point{X: -4, Y: -5}})
			p.Legend.Add(name+" of this system", points)
		}
	}
	p.Legend.Left, p.Legend.Top = true, true
	p.Legend.YOffs, p.Legend.XOffs = -4, 8
	p.Legend.Padding = 3
	p.Legend.TextStyle = sized(10, ink)
	return p, nil
}

var shapes = [2]draw.GlyphDrawer{draw.BoxGlyph{}, draw.CircleGlyph{}}

func repeat(s draw.TextStyle, n int) []draw.TextStyle { return slices.Repeat([]draw.TextStyle{s}, n) }

// version is the label without the family's name, which the legend says.
func version(r *race.Result) string {
	s := strings.TrimSuffix(r.Library.Label, SystemSuffix)
	return strings.TrimPrefix(strings.TrimPrefix(s, "OpenSSL "), "secp256k1 ")
}

// steps marks about eight multiples of a round number.
type steps struct{}

func (steps) Ticks(_, high float64) (ticks []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10(high/8)))
	for _, m := range []float64{2, 2.5, 2} { // to 2, 5 and 10 times
		if high/step > 9 {
			step *= m
		}
	}
	for i := 0; float64(i)*step <= high; i++ {
		v := float64(i) * step
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.4g", v)})
	}
	return ticks
}

// years marks the beginning of each.
type years struct{}

func (years) Ticks(low, high float64) (ticks []plot.Tick) {
	for y := time.Unix(int64(low), 0).UTC().Year(); ; y++ {
		v := float64(time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
		if v > high {
			return ticks
		}
		if v >= low {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(y)})
		}
	}
}

// decades marks 1, 2 and 5 of each power of ten, or more if there are few.
type decades struct{}

func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	marks := []float64{1, 2, 5}
	if high < 12*low {
		marks = []float64{1, 1.5, 2, 3, 5, 7}
	}
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, m := range marks {
			if v := m * power; v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
			}
		}
	}
	return ticks
}
