package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/internal/browser"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

func fixture() *measure.Report {
	samples := func(ns float64) []measure.Sample {
		return []measure.Sample{{Average: ns, Least: ns / 2, N: 100}, {Average: ns + 1, Least: ns / 2, Allocs: 2, Bytes: 48, N: 100}}
	}
	return &measure.Report{
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seed: "abc", CorpusSize: 4096, Rounds: 2,
		Time: time.Second, Baseline: "libsecp256k1 C, without cgo",
		Warnings: []string{"A <warning> | with marks"},
		Machine:  measure.Machine{Processor: "A Processor", CPUs: 4, System: "linux/amd64", Go: "go1.26", Commit: "0123", Features: []string{"adx"}, Purego: true},
		Engines: []engine.Info{
			{Name: "p256k1", Backend: "asm", Version: "v1"},
			{Name: "p256k1", Backend: "portable", Version: "v1"},
			{Name: "libsecp256k1", Backend: "C, without cgo", Version: "0.8", Path: "/lib/x.so", SHA256: "00ff", Notes: []string{"A note."}},
			{Name: measure.CName, Backend: "C", Version: "0.8"},
		},
		Absent: []measure.Absent{{Name: "openssl", Reason: "no such file", Provide: "apt-get install it"}},
		Ops:    measure.Ops,
		Results: []measure.Result{
			{Engine: "p256k1", Backend: "asm", Op: "ecdsa-verify", NS: 21000.5, Low: 20000, High: 22000, Samples: samples(21000), Ratio: 0.6, RatioLow: 0.59, RatioHigh: 0.61},
			{Engine: "p256k1", Backend: "portable", Op: "ecdsa-verify", NS: 34000, Low: 33000, High: 35000, Samples: samples(34000), Ratio: 0.97},
			{Engine: "libsecp256k1", Backend: "C, without cgo", Op: "ecdsa-verify", NS: 35000, Low: 34000, High: 36000, Samples: samples(35000), Ratio: 1},
			{Engine: measure.CName, Backend: "C", Op: "ecdsa-verify", NS: 35000, Low: 34000, High: 36000, Samples: samples(35000), Ratio: 1},
			{Engine: "p256k1", Backend: "asm", Op: "parse", NS: 950, Low: 940, High: 960, Allocs: 1, Bytes: 112, Samples: samples(950)},
		},
		Overheads: []engine.Overhead{{What: "calling", NS: 50}},
		Against: []measure.Verdict{
			{Engine: "p256k1", Backend: "asm", Op: "ecdsa-verify", Ratio: 0.6, Low: 0.5, High: 0.7, Target: 0.62, Pass: true},
			{Engine: "libsecp256k1", Backend: "C, without cgo", Op: "ecdsa-verify", Ratio: 1.2, Low: 1.1, High: 1.3, Target: 0.05, Within: true},
		},
	}
}

func render(t *testing.T, name string, r *measure.Report) string {
	t.Helper()
	write := HTML
	if name != "html" {
		f, err := FormatByName(name)
		if err != nil {
			t.Fatal(err)
		}
		write = f.Write
	}
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b.String()
}

// Whatever is for people says all that matters.
func TestForPeople(t *testing.T) {
	for _, name := range []string{"text", "html"} {
		s := render(t, name, fixture())
		for _, want := range []string{
			"21.0 µs", "0.60", "p256k1 portable", "A Processor", "adx", "go1.26", "0123", "abc",
			"00ff", "/lib/x.so", "A note.", "openssl", "no such file", "apt-get install it", "without cgo",
			"pass", "MISS", "within 5 %", "50.0 ns", "112",
		} {
			if !strings.Contains(s, want) {
				t.Errorf("%s: no %q in\n%s", name, want, s)
			}
		}
		if strings.Contains(s, "INCOMPLETE") || strings.Contains(s, "Incomplete") {
			t.Errorf("%s: says it is incomplete", name)
		}
		r := fixture()
		r.Incomplete = true
		if s := render(t, name, r); !strings.Contains(strings.ToLower(s), "incomplete") {
			t.Errorf("%s: does not say it is incomplete", name)
		}
	}
}

// TestShort is about names where there is little room.
func TestShort(t *testing.T) {
	r := &measure.Report{Engines: []engine.Info{
		{Name: "p256k1", Backend: "x86-64 (BMI2, ADX, AVX2, AVX-512 IFMA)"},
		{Name: "p256k1", Backend: "x86-64 (BMI2, ADX, AVX2)"},
		{Name: "p256k1", Backend: "portable"},
		{Name: "decred-on-p256k1", Backend: "x86-64 (BMI2, ADX, AVX2)"},
		{Name: "libsecp256k1-cgo", Backend: "C"},
	}}
	for i, want := range []string{"p256k1 AVX-512 IFMA", "p256k1 AVX2", "p256k1 portable", "decred-on-p256k1", "libsecp256k1-cgo"} {
		if got := short(r, r.Engines[i].Name, r.Engines[i].Backend); got != want {
			t.Errorf("%s is %q, want %q", r.Engines[i].Label(), got, want)
		}
	}
}

// A run that was interrupted at once has nothing to show, in any format.
func TestEmpty(t *testing.T) {
	for _, f := range append(Formats, Format{"page", HTML}) {
		for _, r := range []*measure.Report{
			{Incomplete: true},
			{Incomplete: true, Ops: measure.Ops, Engines: fixture().Engines, Baseline: "libsecp256k1 C, without cgo"},
		} {
			if err := f.Write(io.Discard, r); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
	if _, err := FormatByName("pdf"); err == nil || !strings.Contains(err.Error(), "gobench") {
		t.Errorf("FormatByName(pdf): %v", err)
	}
}

func TestJSON(t *testing.T) {
	lines := strings.SplitAfter(render(t, "json", fixture()), "\n")
	const first = `{"engine":"p256k1","backend":"asm","op":"ecdsa-verify","ns":21000.5,"ns_low":20000,"ns_high":22000,"allocs":0,"bytes":0,"n":2}` + "\n"
	if len(lines) != 6 || lines[0] != first || lines[5] != "" {
		t.Errorf("%d lines, the first %s, want %s", len(lines), lines[0], first)
	}
	for _, line := range lines[:5] {
		if !json.Valid([]byte(line)) {
			t.Error(line)
		}
	}
	r := fixture()
	r.Incomplete = true
	if s := render(t, "json", r); strings.Count(s, `"incomplete":true`) != 5 {
		t.Errorf("not all lines say that they are incomplete:\n%s", s)
	}
}

func TestGoBench(t *testing.T) {
	s := render(t, "gobench", fixture())
	reader := benchfmt.NewReader(strings.NewReader(s), "test")
	var names []string
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v in\n%s", reader.Result(), s)
		}
		names = append(names, result.Name.String())
		if result.GetConfig("cpu") != "A Processor" || result.GetConfig("goarch") != "amd64" || result.GetConfig("libsecp256k1") == "" {
			t.Errorf("%+v", result.Config)
		}
		if v, _ := result.Value("sec/op"); len(names) == 1 && math.Abs(v-21e-6) > 1e-12 {
			t.Errorf("%v s", v)
		}
	}
	if reader.Err() != nil || len(names) != 10 || names[0] != "EcdsaVerify/p256k1" {
		t.Errorf("%q, %v in\n%s", names, reader.Err(), s)
	}
	for _, want := range []string{"EcdsaVerify/p256k1/portable", "EcdsaVerify/libsecp256k1", "Parse/p256k1"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s among %q", want, names)
		}
	}
}

// The rows of every table have as many columns as its head, and in text fit a
// terminal of 80 columns.
func TestTables(t *testing.T) {
	for _, s := range sections(crowded()) {
		for _, table := range s.Tables {
			for _, row := range table.Rows {
				if len(row) != len(table.Head) {
					t.Errorf("%s: %d columns instead of %d: %q", table.Title, len(row), len(table.Head), row)
				}
			}
			if table.Head[1] == "time" {
				var b strings.Builder
				columns(&b, "  ", table.Left, table.rows())
				for line := range strings.Lines(b.String()) {
					if n := utf8.RuneCountInString(line); n > 81 {
						t.Errorf("%d columns: %s", n-1, line)
					}
				}
			}
		}
	}
}

var (
	external = regexp.MustCompile(`(?i)https?:|//[a-z0-9]|@import|url\(|<script|<link[^>]+stylesheet|<iframe|<object|<embed|<img`)
	colours  = regexp.MustCompile(`<(path|text|g)[^>]*#[0-9a-fA-F]{6}`)
)

func TestHTML(t *testing.T) {
	s := render(t, "html", fixture())
	if at := external.FindString(s); at != "" {
		t.Errorf("the page loads or names something: %q", at)
	}
	if at := colours.FindString(s); at != "" {
		t.Errorf("a colour that dark mode does not change: %s", at)
	}
	if !strings.Contains(s, "A &lt;warning&gt;") || strings.Contains(s, "<warning>") {
		t.Error("a warning is not escaped")
	}
	for _, want := range []string{"<!doctype html>", "prefers-color-scheme: dark", "@media print", `name="viewport"`, `role="img"`, "var(--e0)"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q", want)
		}
	}
	charts := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(s, -1)
	if len(charts) != 3 { // at a glance, two operations
		t.Errorf("%d charts", len(charts))
	}
	for _, c := range charts {
		d := xml.NewDecoder(strings.NewReader(c))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in\n%s", err, c)
			}
		}
	}
	// The engines of a chart stand under each other, the first at the top.
	verify := charts[1]
	if a, b := strings.Index(verify, ">21.0 µs<"), strings.Index(verify, ">34.0 µs<"); a < 0 || b < 0 {
		t.Errorf("no times in\n%s", verify)
	}
}

// crowded is a report with long names, ratios far from 1 and many goroutines.
func crowded() *measure.Report {
	r := fixture()
	r.Engines = []engine.Info{
		{Name: "p256k1", Backend: "x86-64 (BMI2, ADX, AVX2, AVX-512)"}, {Name: "p256k1", Backend: "portable"},
		{Name: "btcec", Backend: "Go"}, {Name: "decred", Backend: "Go"}, {Name: "libsecp256k1", Backend: "C, without cgo"},
		{Name: measure.OneInputName, Backend: "C, without cgo"}, {Name: "openssl", Backend: "C, without cgo"}, {Name: measure.CName, Backend: "C"},
	}
	r.Baseline = "btcec Go"
	r.Results = nil
	for i, op := range measure.Ops {
		for k, e := range r.Engines {
			x := measure.Result{Engine: e.Name, Backend: e.Backend, Op: op.Name, NS: 1e4 * math.Pow(3, float64((i+k)%5)), Ratio: math.Pow(2, float64((i+k)%7)-6.5)}
			x.Low, x.High = x.NS*0.9, x.NS*(1.02+0.3*float64(k%3))
			x.Samples = make([]measure.Sample, 6)
			r.Results = append(r.Results, x)
		}
	}
	return r
}

// Nothing collides on the page, at any width and in any font.
func TestLayout(t *testing.T) {
	browser.CheckLayout(t, render(t, "html", crowded()), 9+9*16+10)
}

func TestNumbers(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0.00 ns", 9.994: "9.99 ns", 9.996: "10.0 ns", 999.4: "999 ns", 999.6: "1.00 µs", 35123: "35.1 µs",
		123456: "123 µs", 1.5e6: "1.50 ms", 2.5e9: "2.50 s",
	} {
		if got := duration(ns); got != want {
			t.Errorf("duration(%v) = %q, want %q", ns, got, want)
		}
	}
}
