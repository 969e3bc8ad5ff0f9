package chart

import (
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/bench/plug/race"
	"p256k1.mleku.dev/bench/plug/subject"
	"p256k1.mleku.dev/bench/plug/work"
)

func row(label, kind string, year int, each time.Duration) *race.Result {
	r := &race.Result{Library: race.Library{Label: label}, Identity: race.Identity{Kind: kind},
		Scenario: work.ECDSAVerify, Status: race.OK, N: 10, Times: []time.Duration{10 * each}}
	if year != 0 {
		r.Library.Date = time.Date(year, 5, 6, 0, 0, 0, 0, time.UTC)
	}
	return r
}

func rows() []*race.Result {
	broken := row("broken & <old>", subject.KindLibsecp, 2018, 0)
	broken.Status, broken.Detail, broken.Times = race.Wrong, "said <yes>", nil
	return []*race.Result{
		row("p256k1 portable", subject.KindP256K1, 2026, 30*time.Microsecond),
		row("secp256k1 0.8.0", subject.KindLibsecp, 2026, 38*time.Microsecond),
		row("secp256k1 <0.2.0> & more", subject.KindLibsecp, 2022, 45*time.Microsecond),
		row("secp256k1 0.2.0"+SystemSuffix, subject.KindLibsecp, 2022, 46*time.Microsecond),
		row("OpenSSL 3.0.8", subject.KindOpenSSL, 2023, 360*time.Microsecond),
		row("of no date", subject.KindOpenSSL, 0, 365*time.Microsecond),
		broken,
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "plots")
	files, err := Write(dir, "a machine & its <name>", rows())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	want := []string{"ecdsa-verify-bars.svg", "ecdsa-verify-bars.png", "ecdsa-verify-timeline.svg", "ecdsa-verify-timeline.png", PageName}
	if !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	for _, name := range names {
		file := filepath.Join(dir, name)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(name) {
		case ".svg":
			if err := wellFormed(string(b)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, label := range []string{"OpenSSL", "p256k1 portable", "0.8.0", "&lt;0.2.0&gt;", "a machine &amp; its &lt;name&gt;"} {
				if !strings.Contains(string(b), label) {
					t.Errorf("%s does not show %q", name, label)
				}
			}
			if strings.Contains(string(b), "of no date") != strings.Contains(name, "bars") {
				t.Errorf("%s: the library without a date belongs to the bars alone", name)
			}
		case ".png":
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(f)
			f.Close()
			if err != nil || img.Bounds().Dx() != 1720 {
				t.Errorf("%s: %v, %v", name, img.Bounds(), err)
			}
		case ".html":
			page := string(b)
			if n := strings.Count(page, "<svg"); n != 2 {
				t.Errorf("%s: %d charts", name, n)
			}
			if outside := regexp.MustCompile(`(src|href)="[^#]|@import|url\(`).FindString(page); outside != "" {
				t.Errorf("%s needs other files: %s", name, outside)
			}
			for _, label := range []string{"wrong answer: said &lt;yes&gt;", "broken &amp; &lt;old&gt;", "of no date"} {
				if !strings.Contains(page, label) {
					t.Errorf("%s does not show %q", name, label)
				}
			}
		}
	}
}

func wellFormed(s string) error {
	for d := xml.NewDecoder(strings.NewReader(s)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Extremes must not make the plotting library panic.
func TestWriteExtremes(t *testing.T) {
	same := row("p256k1", subject.KindP256K1, 2026, time.Microsecond)
	for name, rows := range map[string][]*race.Result{
		"one row":  {same},
		"no dates": {row("p256k1", subject.KindP256K1, 0, time.Microsecond)},
		"equal":    {same, row("secp256k1", subject.KindLibsecp, 2026, time.Microsecond)},
		"far":      {same, row("secp256k1", subject.KindLibsecp, 1990, time.Second)},
	} {
		if _, err := Write(t.TempDir(), "", rows); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Write(t.TempDir(), "", rows()[6:]); err == nil {
		t.Error("no error without a figure to draw")
	}
}

// Lightness must fall with the time for those who see no colours.
func TestShadeIsMonotonic(t *testing.T) {
	lightness := func(x float64) float64 {
		c := shade(x)
		return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
	}
	for i := range 100 {
		if a, b := lightness(float64(i)/100), lightness(float64(i+1)/100); a >= b {
			t.Errorf("shade(%d %%) is not darker than the next: %v, %v", i, a, b)
		}
	}
}

func TestFormat(t *testing.T) {
	for us, want := range map[float64]string{1.234: "1.23", 9.996: "10.0", 36.66: "36.7", 99.96: "100", 438.4: "438"} {
		if got := format(us); got != want {
			t.Errorf("format(%v) = %s, want %s", us, got, want)
		}
	}
}
