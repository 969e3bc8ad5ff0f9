package figure

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Line has a rate, in operations a second, at each of some counts.
type Line struct {
	Colour color.Color
	Counts []int
	Rates  []float64
}

// Add adds a point: a count, and nanoseconds between two operations there.
func (l *Line) Add(count int, ns float64) {
	if ns > 0 {
		l.Counts, l.Rates = append(l.Counts, count), append(l.Rates, 1e9/ns)
	}
}

// Rates draws lines over counts, on a logarithmic axis if these reach far. The first
// lies above the others.
func Rates(width, height float64, description string, lines []Line) (*Figure, error) {
	p := newPlot()
	p.Add(rules(false, true))
	highest := 0.0
	var counts []int
	for _, l := range slices.Backward(lines) {
		if len(l.Counts) == 0 {
			continue
		}
		var points plotter.XYs
		for i, n := range l.Counts {
			points = append(points, plotter.XY{X: float64(n), Y: l.Rates[i]})
			highest = max(highest, l.Rates[i])
		}
		counts = append(counts, l.Counts...)
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: l.Colour, Width: 2}
		dots.GlyphStyle = draw.GlyphStyle{Color: l.Colour, Radius: 4, Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	if len(counts) == 0 {
		return nil, fmt.Errorf("figure: %s: nothing to draw", description)
	}
	first, last := float64(counts[0]), float64(counts[len(counts)-1])
	if first == last {
		first, last = first-1, last+1
	}
	p.X.Min, p.X.Max = first, last
	marks := chosen{counts: counts, length: vg.Length(width) - 60, style: p.X.Tick.Label}
	if first > 0 && last > 128*first {
		// The small ones would be in one place.
		p.X.Scale, marks.log = plot.LogScale{}, true
	}
	p.X.Tick.Marker = marks
	p.X.Padding = 6 // from low points
	p.Y.Min, p.Y.Max = 0, highest*1.05
	p.Y.Tick.Marker = plot.TickerFunc(thousands)
	return &Figure{plot: p, width: vg.Length(width), height: vg.Length(height), description: description}, nil
}

// thousands marks at most five round rates.
func thousands(_, high float64) (ticks []plot.Tick) {
	step := roundStep(high, 5)
	for i := 0; float64(i)*step <= high; i++ {
		v := float64(i) * step
		label := fmt.Sprintf("%gk/s", v/1000)
		if v == 0 {
			label = "0"
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}
