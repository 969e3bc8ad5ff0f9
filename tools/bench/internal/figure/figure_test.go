package figure

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// A colour of a figure is known by its value.
func TestColoursDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, c := range theme {
		if other := seen[c.light]; other != "" {
			t.Errorf("%s and %s have the same colour", c.name, other)
		}
		seen[c.light] = c.name
	}
}

func labels(ticks []plot.Tick) string {
	var all []string
	for _, t := range ticks {
		all = append(all, t.Label)
	}
	return strings.Join(all, " ")
}

func TestDoublings(t *testing.T) {
	s := style(11, muted)
	for _, c := range []struct {
		low, high, length float64
		want              string
	}{
		{0.4, 5, 200, "1/2× 1× 2× 4×"},
		{0.01, 1.2, 300, "1/64× 1/32× 1/16× 1/8× 1/4× 1/2× 1×"},
		{0.01, 1.2, 200, "1/64× 1/16× 1/4× 1×"},
		{0.0009, 70, 150, "1/1024× 1/32× 1× 32×"},
		{0.9, 1.1, 200, "1×"},
	} {
		if got := labels(doublings{vg.Length(c.length), s}.Ticks(c.low, c.high)); got != c.want {
			t.Errorf("%v to %v on %v: %s, want %s", c.low, c.high, c.length, got, c.want)
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		from, to string
		length   float64
		want     string
	}{
		{"2018-12-01", "2026-12-01", 800, "2019 2020 2021 2022 2023 2024 2025 2026"},
		{"2018-12-01", "2026-12-01", 200, "2019 2021 2023 2025"},
		{"2025-10-30", "2026-11-20", 300, "Jan 2026 Apr 2026 Jul 2026 Oct 2026"},
		{"2025-10-30", "2026-11-20", 150, "Jan 2026 Jul 2026"},
		{"2026-02-10", "2026-05-20", 300, "Mar 2026 Apr 2026 May 2026"},
	} {
		unix := func(s string) float64 {
			at, err := time.Parse(time.DateOnly, s)
			if err != nil {
				t.Fatal(err)
			}
			return float64(at.Unix())
		}
		if got := labels(dates{vg.Length(c.length), style(11, muted)}.Ticks(unix(c.from), unix(c.to))); got != c.want {
			t.Errorf("%s to %s on %v: %s, want %s", c.from, c.to, c.length, got, c.want)
		}
	}
}

func TestDecades(t *testing.T) {
	for at, want := range map[[2]float64]string{
		{20, 400}: "20 50 100 200", {18, 100}: "20 30 50 70 100", {0.3, 0.9}: "0.3 0.5 0.7",
	} {
		if got := labels(plot.TickerFunc(decades).Ticks(at[0], at[1])); got != want {
			t.Errorf("%v: %s, want %s", at, got, want)
		}
	}
}

// Text has the length that it was laid out with, for readers with other fonts.
func TestTextLength(t *testing.T) {
	f, err := Bars(Phone, "title", []Bar{{Name: "a <b> & c", Text: "1 µs", Value: 1, Colour: Colour(0), Strong: true}})
	if err != nil {
		t.Fatal(err)
	}
	svg := f.Inline()
	want := fmt.Sprintf(`textLength="%.2f"`, style(11, ink).Width("a <b> & c").Points())
	if s := string(svg); !strings.Contains(s, want) || !strings.Contains(s, "a &lt;b&gt; &amp; c</text>") || strings.Contains(s, "#") {
		t.Errorf("want %s in\n%s", want, s)
	}
}
