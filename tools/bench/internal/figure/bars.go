package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Bar is a value, with its interval unless Low and High are 0.
type Bar struct {
	Name, Text       string // Text is the value as it is to be read
	Value, Low, High float64
	Colour           color.Color
	Strong           bool
}

// Bars draws horizontal bars, the first at the top. The names stand beside the
// bars if they take less than a third of the width, otherwise above them.
func Bars(width float64, title string, bars []Bar) (*Figure, error) {
	if len(bars) == 0 {
		return nil, fmt.Errorf("figure: %s: nothing to draw", title)
	}
	const nameSize = 11
	thickness, rowHeight := vg.Length(14), vg.Length(22)
	beside := true
	for _, b := range bars {
		beside = beside && bold(style(nameSize, ink)).Width(b.Name) < vg.Length(width)/3
	}
	if !beside {
		thickness, rowHeight = 11, 31
	}
	p := newPlot()
	p.Y.Tick.Label.Color = ink
	var names, described []string
	var intervals intervals
	farthest := 0.0
	rows := slices.Clone(bars)
	slices.Reverse(rows) // the first stands above the others
	for i, b := range rows {
		bar, err := plotter.NewBarChart(plotter.Values{b.Value}, thickness)
		if err != nil {
			return nil, err
		}
		bar.Horizontal, bar.XMin, bar.Color = true, float64(i), b.Colour
		bar.LineStyle.Width = 0
		value := aligned(style(nameSize, ink), text.XLeft, text.YCenter)
		name := aligned(style(nameSize, ink), text.XLeft, text.YBottom)
		if b.Strong {
			bar.LineStyle = draw.LineStyle{Color: ink, Width: 1.5}
			value, name = bold(value), bold(name)
		}
		end := max(b.Value, b.High)
		p.Add(bar, &plotter.Labels{
			XYs: plotter.XYs{{X: end, Y: float64(i)}}, Labels: []string{b.Text}, TextStyle: []text.Style{value}, Offset: vg.Point{X: 6, Y: 1.5},
		})
		if beside {
			names = append(names, b.Name)
		} else {
			p.Add(&plotter.Labels{
				XYs: plotter.XYs{{X: 0, Y: float64(i)}}, Labels: []string{b.Name}, TextStyle: []text.Style{name}, Offset: vg.Point{Y: thickness/2 + 3},
			})
		}
		if b.High > 0 {
			intervals = append(intervals, interval{b.Value, float64(i), b.Low, b.High})
		}
		farthest = max(farthest, end)
		described = append(described, b.Name+" "+b.Text)
	}
	if len(intervals) > 0 {
		whiskers, err := plotter.NewXErrorBars(intervals)
		if err != nil {
			return nil, err
		}
		whiskers.LineStyle = draw.LineStyle{Color: ink, Width: 1}
		whiskers.CapWidth = 5
		p.Add(whiskers)
	}
	p.HideX()
	if beside {
		p.NominalY(names...)
	} else {
		p.HideY()
	}
	p.X.Min, p.X.Max = 0, farthest
	p.Y.Min, p.Y.Max = -0.5, float64(len(bars))-0.5
	slices.Reverse(described)
	return &Figure{plot: p, width: vg.Length(width), height: vg.Length(len(bars)) * rowHeight, description: title + ": " + strings.Join(described, ", ")}, nil
}

type interval struct{ value, row, low, high float64 }

// intervals are what plotter draws error bars from.
type intervals []interval

func (v intervals) Len() int                { return len(v) }
func (v intervals) XY(i int) (x, y float64) { return v[i].value, v[i].row }
func (v intervals) XError(i int) (low, high float64) {
	return v[i].value - v[i].low, v[i].high - v[i].value
}
