package figure

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// tickGap is what there is at least between two labels of a horizontal axis.
const tickGap = vg.Length(8)

// fit reports whether the labels of ticks do not touch each other on an axis of
// this length, on which a value lies at a place in [0, 1].
func fit(ticks []plot.Tick, place func(float64) float64, length vg.Length, s text.Style) bool {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		middle, half := vg.Length(place(t.Value))*length, s.Width(t.Label)/2
		if middle-half < end+tickGap {
			return false
		}
		end = middle + half
	}
	return true
}

// doublings marks powers of two, or of four, eight …, among them 1.
type doublings struct {
	length vg.Length
	style  text.Style
}

func (d doublings) Ticks(low, high float64) (ticks []plot.Tick) {
	place := func(v float64) float64 { return math.Log(v/low) / math.Log(high/low) }
	for step := 1; ; step++ {
		ticks = nil
		for e := -60; e <= 60; e++ {
			if v := math.Ldexp(1, e); e%step == 0 && low <= v && v <= high {
				label := fmt.Sprintf("%g×", v)
				if e < 0 {
					label = fmt.Sprintf("1/%g×", 1/v)
				}
				ticks = append(ticks, plot.Tick{Value: v, Label: label})
			}
		}
		if len(ticks) < 2 || fit(ticks, place, d.length, d.style) {
			return ticks
		}
	}
}

// decades marks 1, 2 and 5 of each power of ten, or more if there are few.
func decades(low, high float64) (ticks []plot.Tick) {
	marks := []float64{1, 2, 5}
	if high < 12*low {
		marks = []float64{1, 1.5, 2, 3, 5, 7}
	}
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, m := range marks {
			if v := m * power; v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.4g", v)})
			}
		}
	}
	return ticks
}

// dates marks the beginnings of years if there are three or more of them, and of
// half years, quarters or months otherwise, or every second of these, as fits.
type dates struct {
	length vg.Length
	style  text.Style
}

func (d dates) Ticks(low, high float64) (ticks []plot.Tick) {
	place := func(v float64) float64 { return (v - low) / (high - low) }
	for _, months := range []int{12, 6, 3, 1} {
		ticks = monthly(low, high, months)
		if len(ticks) >= 3 {
			break
		}
	}
	for len(ticks) > 2 && !fit(ticks, place, d.length, d.style) {
		var every []plot.Tick
		for i := 0; i < len(ticks); i += 2 {
			every = append(every, ticks[i])
		}
		ticks = every
	}
	return ticks
}

// monthly marks the first days of every so many months.
func monthly(low, high float64, months int) (ticks []plot.Tick) {
	layout := "2006"
	if months < 12 {
		layout = "Jan 2006"
	}
	first := time.Unix(int64(low), 0).UTC().Year()
	for t := time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC); float64(t.Unix()) <= high; t = t.AddDate(0, months, 0) {
		if v := float64(t.Unix()); v >= low {
			ticks = append(ticks, plot.Tick{Value: v, Label: t.Format(layout)})
		}
	}
	return ticks
}
