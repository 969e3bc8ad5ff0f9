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

	"p256k1.mleku.dev/v2/tools/bench/internal/browser"
	"p256k1.mleku.dev/v2/tools/bench/plug/catalogue"
	"p256k1.mleku.dev/v2/tools/bench/plug/subject"
	"p256k1.mleku.dev/v2/tools/bench/plug/turns"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

func row(label, kind string, year int, each time.Duration) *turns.Result {
	r := &turns.Result{Library: turns.Library{Label: label}, Identity: turns.Identity{Kind: kind},
		Scenario: work.ECDSAVerify, Status: turns.OK, N: 10, Times: []time.Duration{10 * each}}
	if year != 0 {
		r.Library.Date = time.Date(year, 5, 6, 0, 0, 0, 0, time.UTC)
	}
	return r
}

func rows() []*turns.Result {
	broken := row("broken & <old>", subject.KindLibsecp, 2018, 0)
	broken.Status, broken.Detail, broken.Times = turns.Wrong, "said <yes>", nil
	return []*turns.Result{
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

// history is what a run with every version of the catalogue gives.
func history(t *testing.T) []*turns.Result {
	t.Helper()
	entries, err := catalogue.Entries()
	if err != nil {
		t.Fatal(err)
	}
	rows := []*turns.Result{
		row("p256k1 x86-64 (BMI2, ADX, AVX2, AVX-512)", subject.KindP256K1, 2026, 29100*time.Nanosecond),
		row("p256k1 portable", subject.KindP256K1, 2026, 41300*time.Nanosecond),
	}
	for i, e := range entries {
		kind, each := subject.KindLibsecp, time.Duration(62000-900*i)*time.Nanosecond
		if strings.HasPrefix(e.Label, "OpenSSL") {
			kind, each = subject.KindOpenSSL, time.Duration(340000+3000*i)*time.Nanosecond
		}
		r := row(e.Label, kind, 0, each)
		r.Library.Date, r.Times = e.Date, []time.Duration{9 * each, 10 * each, 12 * each}
		rows = append(rows, r)
	}
	return append(rows,
		row("secp256k1 0.2.0"+SystemSuffix, subject.KindLibsecp, 2022, 51*time.Microsecond),
		row("OpenSSL 3.0.17"+SystemSuffix, subject.KindOpenSSL, 2025, 371*time.Microsecond))
}

// pageOf returns the page that rows give.
func pageOf(t *testing.T, rows []*turns.Result) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := Write(dir, "A Processor, linux/amd64", rows); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, PageName))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Nothing collides on the page, at any width and in any font.
func TestLayout(t *testing.T) {
	t.Run("history", func(t *testing.T) { browser.CheckLayout(t, pageOf(t, history(t)), 70) })
	t.Run("one year", func(t *testing.T) { browser.CheckLayout(t, pageOf(t, rows()[:2]), 12) })
}

// A timeline of one year has dates on its axis, and one of many years has years.
func TestDates(t *testing.T) {
	for name, c := range map[string]struct {
		rows []*turns.Result
		want string
	}{
		"one year":   {rows()[:2], `>[A-Z][a-z][a-z] 2026<`},
		"many years": {history(t), `>20\d\d<`},
	} {
		dir := t.TempDir()
		if _, err := Write(dir, "", c.rows); err != nil {
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
func TestWriteExtremes(t *testing.T) {
	same := row("p256k1", subject.KindP256K1, 2026, time.Microsecond)
	for name, rows := range map[string][]*turns.Result{
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

func TestFormat(t *testing.T) {
	for us, want := range map[float64]string{1.234: "1.23", 9.996: "10.0", 36.66: "36.7", 99.96: "100", 438.4: "438"} {
		if got := format(us); got != want {
			t.Errorf("format(%v) = %s, want %s", us, got, want)
		}
	}
}
