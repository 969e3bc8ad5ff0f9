package figure

import (
	"fmt"
	"image/color"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Release is a value and its date.
type Release struct {
	Names []string // what may stand beside it, the longest first
	Date  time.Time
	Value float64
}

// A Series is releases that belong together, by date.
type Series struct {
	Name     string // for the legend
	Colour   color.Color
	Shape    draw.GlyphDrawer
	Line     bool // joins them
	Level    bool // each has a line across, to compare others with
	Strong   bool
	Releases []Release
}

const (
	day         = 24 * 60 * 60
	pointRadius = vg.Length(4)
)

// Timeline draws releases by date over a logarithmic scale of their values. The
// names of the first series, and of the newest in each, have the first choice of a
// place; one that has no place is left out.
func Timeline(width, height float64, description string, series []Series) (*Figure, error) {
	p := newPlot()
	p.Add(rules(true, true))
	first, last := math.Inf(1), math.Inf(-1)
	low, high := math.Inf(1), 0.0
	for _, s := range series {
		for _, r := range s.Releases {
			low, high = min(low, r.Value), max(high, r.Value)
			first, last = min(first, float64(r.Date.Unix())), max(last, float64(r.Date.Unix()))
		}
	}
	if high == 0 {
		return nil, fmt.Errorf("figure: %s: nothing to draw", description)
	}
	span := max(last-first, 365*day)
	p.X.Min, p.X.Max = (first+last-1.1*span)/2, (first+last+1.1*span)/2
	p.X.Tick.Marker = dates{vg.Length(width) - 40, p.X.Tick.Label}
	p.Y.Scale = plot.LogScale{}
	p.Y.Min, p.Y.Max = low/1.6, high*1.6
	p.Y.Tick.Marker = plot.TickerFunc(decades)

	f := &Figure{plot: p, width: vg.Length(width), height: vg.Length(height), description: description}
	for _, s := range series {
		var points plotter.XYs
		for _, r := range s.Releases {
			points = append(points, plotter.XY{X: float64(r.Date.Unix()), Y: r.Value})
		}
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: s.Colour, Width: 1.5}
		dots.GlyphStyle = draw.GlyphStyle{Color: s.Colour, Radius: pointRadius, Shape: s.Shape}
		if s.Strong {
			dots.GlyphStyle.Radius += 1.5
		}
		if s.Level {
			for _, xy := range points {
				level, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: xy.Y}, xy})
				if err != nil {
					return nil, err
				}
				level.LineStyle = draw.LineStyle{Color: s.Colour, Width: 1, Dashes: []vg.Length{5, 3}}
				p.Add(level)
			}
		}
		if s.Line {
			p.Add(line)
			f.addLegend(s.Name, line, dots)
		} else {
			f.addLegend(s.Name, dots)
		}
		p.Add(dots)
	}
	p.Add(names(series))
	return f, nil
}

// names is a plotter that writes the names of releases where nothing is in the
// way.
type names []Series

// DataRange returns that of nothing: the points have one.
func (names) DataRange() (xmin, xmax, ymin, ymax float64) {
	return math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
}

// Plot implements plot.Plotter.
func (n names) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(r Release) vg.Point { return vg.Point{X: x(float64(r.Date.Unix())), Y: y(r.Value)} }
	var taken []vg.Rectangle
	take := func(at vg.Point, radius vg.Length) {
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: at.X - radius, Y: at.Y - radius}, Max: vg.Point{X: at.X + radius, Y: at.Y + radius}})
	}
	for _, s := range n {
		for i, r := range s.Releases {
			take(at(r), pointRadius+1)
			switch {
			case s.Level:
				taken = append(taken, vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: at(r).Y - 0.5}, Max: vg.Point{X: at(r).X, Y: at(r).Y + 0.5}})
			case s.Line && i > 0:
				from, to := at(s.Releases[i-1]), at(r)
				steps := math.Ceil(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)) / 2)
				for k := 1.0; k < steps; k++ {
					take(vg.Point{X: from.X + vg.Length(k/steps)*(to.X-from.X), Y: from.Y + vg.Length(k/steps)*(to.Y-from.Y)}, 0.5)
				}
			}
		}
	}
	for _, s := range n {
		t := style(9, ink)
		if s.Strong {
			t = bold(style(10, ink))
		}
		for i := len(s.Releases) - 1; i >= 0; i-- {
			r := s.Releases[i]
			if place, name, ok := findPlace(c.Rectangle, taken, t, at(r), r.Names); ok {
				c.FillText(t, place.Min.Sub(t.Rectangle(name).Min), name)
				taken = append(taken, place)
			}
		}
	}
}

// findPlace returns a free place for the first of the names that has one within
// the area: close to the point, or a little above or below it.
func findPlace(area vg.Rectangle, taken []vg.Rectangle, t text.Style, point vg.Point, names []string) (place vg.Rectangle, name string, ok bool) {
	// Browsers have higher boxes of text than its letters take.
	const air = vg.Length(1.5)
	for _, name := range names {
		size := t.Rectangle(name).Size()
		near := pointRadius + 2 + air
		for _, distance := range []vg.Length{0, 1, 2, 3} {
			up := near + distance*(size.Y+2*air)
			for _, min := range []vg.Point{
				{X: -size.X / 2, Y: up},
				{X: -size.X / 2, Y: -up - size.Y},
				{X: near + 1, Y: up - near - size.Y/2},
				{X: -near - 1 - size.X, Y: up - near - size.Y/2},
				{X: -pointRadius, Y: up},
				{X: pointRadius - size.X, Y: up},
				{X: -pointRadius, Y: -up - size.Y},
				{X: pointRadius - size.X, Y: -up - size.Y},
			} {
				min = min.Add(point)
				place := vg.Rectangle{Min: min, Max: min.Add(size)}
				padded := vg.Rectangle{Min: place.Min.Sub(vg.Point{X: 2, Y: air}), Max: place.Max.Add(vg.Point{X: 2, Y: air})}
				if free(area, taken, padded) {
					return place, name, true
				}
			}
		}
	}
	return place, "", false
}

func free(area vg.Rectangle, taken []vg.Rectangle, r vg.Rectangle) bool {
	if r.Min.X < area.Min.X || r.Max.X > area.Max.X || r.Min.Y < area.Min.Y || r.Max.Y > area.Max.Y {
		return false
	}
	for _, o := range taken {
		if r.Min.X < o.Max.X && o.Min.X < r.Max.X && r.Min.Y < o.Max.Y && o.Min.Y < r.Max.Y {
			return false
		}
	}
	return true
}
