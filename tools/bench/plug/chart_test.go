package plug

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/measure"
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
	want := []string{"ecdsa-verify-bars.svg", "ecdsa-verify-bars.png", "ecdsa-verify-timeline.svg", "ecdsa-verify-timeline.png"}
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
			img, err := png.DecodeConfig(bytes.NewReader(b))
			if err != nil || img.Width < chartWidth {
				t.Errorf("%s: %v, %v", name, img, err)
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
	if _, err := draw(t.TempDir(), "", someRows()[5:]); err == nil {
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
