package plug

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

	"p256k1.mleku.dev/v2/tools/bench/internal/browser"
	"p256k1.mleku.dev/v2/tools/bench/measure"
	"p256k1.mleku.dev/v2/tools/bench/plug/catalogue"
)

func timed(label string, f family, year int, micros float64) *row {
	ops, _ := measure.SelectOps("ecdsa-verify")
	r := &row{library: &library{label: label, family: f}, op: ops[0], n: 10, rounds: 1, median: micros, low: micros, high: micros}
	if year != 0 {
		r.date = time.Date(year, 5, 6, 0, 0, 0, 0, time.UTC)
	}
	return r
}

func someRows() []*row {
	broken := timed("broken & <old>", libsecp, 2018, 0)
	broken.err = errors.Join(measure.ErrWrong, errors.New("said <yes>"))
	return []*row{
		timed("p256k1 portable", own, 2026, 30),
		timed("secp256k1 0.8.0", libsecp, 2026, 38),
		timed("secp256k1 <0.2.0> & more", libsecp, 2022, 45),
		timed("secp256k1 0.2.0"+systemSuffix, libsecp, 2022, 46),
		timed("OpenSSL 3.0.8", openssl, 2023, 360),
		timed("of no date", openssl, 0, 365),
		broken,
	}
}

func TestDraw(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "plots")
	files, err := draw(dir, "a machine & its <name>", someRows())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	want := []string{"ecdsa-verify-bars.svg", "ecdsa-verify-bars.png", "ecdsa-verify-timeline.svg", "ecdsa-verify-timeline.png", pageName}
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
			if err != nil || img.Bounds().Dx() != 1760 {
				t.Errorf("%s: %v, %v", name, img.Bounds(), err)
			}
		case ".html":
			page := string(b)
			if n := strings.Count(page, "<svg"); n != 4 { // each for two sizes of screens
				t.Errorf("%s: %d charts", name, n)
			}
			if outside := regexp.MustCompile(`(src|href)="[^#]|@import|url\(`).FindString(page); outside != "" {
				t.Errorf("%s needs other files: %s", name, outside)
			}
			for _, label := range []string{"wrong answer: wrong result said &lt;yes&gt;", "broken &amp; &lt;old&gt;", "of no date"} {
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

// history is what a run with every version of the catalogue gives.
func history(t *testing.T) []*row {
	t.Helper()
	entries := catalogue.Entries()
	rows := []*row{timed("p256k1 x86-64 (BMI2, ADX, AVX2, AVX-512)", own, 2026, 29.1), timed("p256k1 portable", own, 2026, 41.3)}
	for i, e := range entries {
		r := timed(e.Label, libsecp, 0, 62-0.9*float64(i))
		if strings.HasPrefix(e.Label, "OpenSSL") {
			r = timed(e.Label, openssl, 0, 340+3*float64(i))
		}
		r.date, r.rounds, r.low, r.high = e.Date, 3, 0.9*r.median, 1.2*r.median
		rows = append(rows, r)
	}
	return append(rows, timed("secp256k1 0.2.0"+systemSuffix, libsecp, 2022, 51), timed("OpenSSL 3.0.17"+systemSuffix, openssl, 2025, 371))
}

// pageOf returns the page that rows give.
func pageOf(t *testing.T, rows []*row) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := draw(dir, "A Processor, linux/amd64", rows); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, pageName))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Nothing collides on the page, at any width and in any font.
func TestLayout(t *testing.T) {
	t.Run("history", func(t *testing.T) { browser.CheckLayout(t, pageOf(t, history(t)), 70) })
	t.Run("one year", func(t *testing.T) { browser.CheckLayout(t, pageOf(t, someRows()[:2]), 12) })
}

// A timeline of one year has dates on its axis, and one of many years has years.
func TestDates(t *testing.T) {
	for name, c := range map[string]struct {
		rows []*row
		want string
	}{
		"one year":   {someRows()[:2], `>[A-Z][a-z][a-z] 2026<`},
		"many years": {history(t), `>20\d\d<`},
	} {
		dir := t.TempDir()
		if _, err := draw(dir, "", c.rows); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "ecdsa-verify-timeline.svg"))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(c.want).FindAll(b, -1)); n < 3 {
			t.Errorf("%s: %d dates on the axis", name, n)
		}
	}
}

// Extremes must not make the plotting library panic.
func TestDrawExtremes(t *testing.T) {
	same := timed("p256k1", own, 2026, 1)
	for name, rows := range map[string][]*row{
		"one row":  {same},
		"no dates": {timed("p256k1", own, 0, 1)},
		"equal":    {same, timed("secp256k1", libsecp, 2026, 1)},
		"far":      {same, timed("secp256k1", libsecp, 1990, 1e6)},
	} {
		if _, err := draw(t.TempDir(), "", rows); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := draw(t.TempDir(), "", someRows()[6:]); err == nil {
		t.Error("no error without a figure to draw")
	}
}

func TestFormat(t *testing.T) {
	for us, want := range map[float64]string{1.234: "1.23", 9.996: "10.0", 36.66: "36.7", 99.96: "100", 438.4: "438"} {
		if got := format(us); got != want {
			t.Errorf("format(%v) = %s, want %s", us, got, want)
		}
	}
}
