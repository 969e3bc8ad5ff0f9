package main

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// reportOf returns a report with results of the libraries, and the libraries.
func reportOf(libraries ...*library) (*measure.Report, []*library) {
	ops, _ := measure.SelectOps("ecdsa-verify")
	r := &measure.Report{Options: measure.Options{Ops: ops, Rounds: 3}, Machine: measure.Machine{Processor: "a machine & its <name>"}}
	for i, l := range libraries {
		ns := 3e4 * float64(i+1)
		r.Results = append(r.Results, measure.Result{Engine: l.label, Op: ops[0].Name, NS: ns, Samples: []measure.Sample{{CPU: ns / 2}, {CPU: ns}, {CPU: 2 * ns}}})
	}
	return r, libraries
}

func released(label string, f family, year int) *library {
	l := &library{entry: entry{label: label}, family: f}
	if year != 0 {
		l.date = time.Date(year, 5, 6, 0, 0, 0, 0, time.UTC)
	}
	return l
}

func TestDraw(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "plots")
	r, libraries := reportOf(
		released("p256k1 portable", own, 2026), released("secp256k1 0.8.0", libsecp, 2026), released("secp256k1 <0.2.0> & more", libsecp, 2022),
		released("OpenSSL 3.0.8", openssl, 2023), released("of no date", openssl, 0))
	files := draw(dir, r, libraries)
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
		b := libtest.Must(os.ReadFile(file))
		switch filepath.Ext(name) {
		case ".svg":
			if err := xml.Unmarshal(b, new(struct{})); err != nil {
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

// Extreme values must not make the plotting library panic.
func TestDrawExtremes(t *testing.T) {
	for name, libraries := range map[string][]*library{
		"one row":  {released("p256k1", own, 2026)},
		"no dates": {released("p256k1", own, 0)},
		"far":      {released("p256k1", own, 2026), released("secp256k1", libsecp, 1990)},
	} {
		r, libraries := reportOf(libraries...)
		if files := draw(t.TempDir(), r, libraries); len(files) < 2 {
			t.Errorf("%s: %q", name, files)
		}
	}
}
