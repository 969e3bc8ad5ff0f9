package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dots are the ratios of one thing, a row each; 0 stands for none.
type Dots struct {
	Colour color.Color
	Ratios []float64
}

// Ratios draws dots on a logarithmic scale with powers of two, a row for each
// name, the first at the top. The first of the dots lie above the others.
func Ratios(width float64, description string, names []string, dots []Dots) (*Figure, error) {
	p := newPlot()
	p.Y.Tick.Label.Color = ink
	p.Add(rules(true, true))
	n := len(names)
	one, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.5}, {X: 1, Y: float64(n) - 0.5}})
	if err != nil {
		return nil, err
	}
	one.LineStyle = draw.LineStyle{Color: muted, Width: 1.5}
	p.Add(one)
	least, greatest := 1.0, 1.0
	for _, d := range slices.Backward(dots) {
		var points plotter.XYs
		for i, r := range d.Ratios {
			if r > 0 {
				points = append(points, plotter.XY{X: r, Y: float64(n - 1 - i)})
				least, greatest = min(least, r), max(greatest, r)
			}
		}
		if len(points) == 0 {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: d.Colour, Radius: 5, Shape: draw.CircleGlyph{}}
		p.Add(s)
	}
	upwards := slices.Clone(names)
	slices.Reverse(upwards)
	p.NominalY(upwards...)
	p.Y.Min, p.Y.Max = -0.5, float64(n)-0.5
	p.Y.Tick.Label = aligned(style(11, ink), text.XRight, text.YCenter)
	p.X.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = least/1.15, greatest*1.15
	length := vg.Length(width)
	for _, name := range names {
		length = min(length, vg.Length(width)-p.Y.Tick.Label.Width(name)-20)
	}
	p.X.Tick.Marker = doublings{length, p.X.Tick.Label}
	return &Figure{plot: p, width: vg.Length(width), height: vg.Length(n*26 + 26), description: description}, nil
}
