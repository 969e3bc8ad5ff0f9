package report

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

func fixture() *measure.Report {
	samples := func(ns float64) []measure.Sample {
		return []measure.Sample{{Average: ns, Least: ns / 2, N: 100}, {Average: ns + 1, Least: ns / 2, Allocs: 2, Bytes: 48, N: 100}}
	}
	return &measure.Report{
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Options: measure.Options{
			Seed: "abc", CorpusSize: 4096, Rounds: 2, Time: time.Second, Baseline: "libsecp256k1 C, without cgo", Ops: measure.Ops,
		},
		Warnings: []string{"A <warning> | with marks"},
		Machine:  measure.Machine{Processor: "A Processor", CPUs: 4, System: "linux/amd64", Go: "go1.26", Commit: "0123"},
		Engines: []engine.Info{
			{Name: "p256k1", Backend: "asm", Version: "v1"},
			{Name: "p256k1", Backend: "portable", Version: "v1", Notes: []string{"In a process of its own."}},
			{Name: "libsecp256k1", Backend: "C, without cgo", Version: "0.8", Path: "/lib/x.so", SHA256: "00ff", Notes: []string{"A note."}},
			{Name: measure.CName, Backend: "C", Version: "0.8"},
		},
		Absent: []engine.Found{{Name: "openssl", Err: errors.New("no such file"), Provide: "apt-get install it"}},
		Results: []measure.Result{
			{Engine: "p256k1", Backend: "asm", Op: "ecdsa-verify", NS: 21000.5, Low: 20000, High: 22000, Samples: samples(21000), Ratio: 0.6, RatioLow: 0.59, RatioHigh: 0.61},
			{Engine: "p256k1", Backend: "portable", Op: "ecdsa-verify", NS: 34000, Low: 33000, High: 35000, Samples: samples(34000), Ratio: 0.97},
			{Engine: "libsecp256k1", Backend: "C, without cgo", Op: "ecdsa-verify", NS: 35000, Low: 34000, High: 36000, Samples: samples(35000), Ratio: 1},
			{Engine: measure.CName, Backend: "C", Op: "ecdsa-verify", NS: 35000, Low: 34000, High: 36000, Samples: samples(35000), Ratio: 1},
			{Engine: "p256k1", Backend: "asm", Op: "parse", NS: 950, Low: 940, High: 960, Allocs: 1, Bytes: 112, Samples: samples(950)},
		},
		Against: []measure.Verdict{
			{Engine: "p256k1", Backend: "asm", Op: "ecdsa-verify", Ratio: 0.6, Low: 0.5, High: 0.7, Target: 0.62, Pass: true},
			{Engine: "libsecp256k1", Backend: "C, without cgo", Op: "ecdsa-verify", Ratio: 1.2, Low: 1.1, High: 1.3, Target: 0.05, Within: true},
		},
	}
}

func render(t *testing.T, write func(io.Writer, *measure.Report) error, r *measure.Report) string {
	t.Helper()
	var b bytes.Buffer
	libtest.Check(t, write(&b, r))
	return b.String()
}

func TestText(t *testing.T) {
	s := render(t, Text, fixture())
	for _, want := range []string{
		"21 µs", "0.60", "p256k1 portable", "A Processor", "go1.26", "0123", "abc",
		"00ff", "/lib/x.so", "A note.", "openssl", "no such file", "apt-get install it", "without cgo",
		"pass", "MISS", "within 5 %", "112", "p256k1 portable: In a process of its own.\n",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	for line := range strings.Lines(s) {
		if words := strings.Fields(line); utf8.RuneCountInString(line) > 81 && len(words) > 1 {
			t.Errorf("more than 80 columns: %s", line)
		}
	}
	if !strings.HasSuffix(s, "In short, on this machine:\n  ecdsa-verify  1.67 × as fast as libsecp256k1\n") {
		t.Errorf("no headline at the end of\n%s", s)
	}
	r := fixture()
	for _, name := range []string{"libsecp256k1", "btcec"} {
		r.Engines = append(r.Engines, engine.Info{Name: name})
		r.Results = append(r.Results, measure.Result{Engine: name, Op: "schnorr-sign", NS: 90000, Samples: []measure.Sample{{Average: 90000}}})
	}
	r.Results = append(r.Results, measure.Result{Engine: "p256k1", Backend: "asm", Op: "schnorr-sign", NS: 9000, Samples: []measure.Sample{{Average: 9000}}})
	if s := render(t, Text, r); !strings.HasSuffix(s, `
  schnorr-sign  10.0 × as fast as libsecp256k1
                10.0 × as fast as btcec, which verifies what it signs
`) {
		t.Errorf("signing in\n%s", s)
	}
	r.Incomplete = true
	if strings.Contains(s, "INCOMPLETE") || !strings.Contains(render(t, Text, r), "INCOMPLETE") {
		t.Error("INCOMPLETE does not stand where it should")
	}
}

// TestShort checks the shorter names of engines.
func TestShort(t *testing.T) {
	r := &measure.Report{Engines: []engine.Info{
		{Name: "p256k1", Backend: "x86-64 (BMI2, ADX, AVX2, AVX-512 IFMA)"},
		{Name: "p256k1", Backend: "x86-64 (BMI2, ADX, AVX2, FMA)"},
		{Name: "p256k1", Backend: "x86-64 (BMI2, ADX, AVX2)"},
		{Name: "p256k1", Backend: "portable"},
		{Name: "decred-on-p256k1", Backend: "x86-64 (BMI2, ADX, AVX2)"},
		{Name: "libsecp256k1-cgo", Backend: "C"},
	}}
	for i, want := range []string{"p256k1 AVX-512 IFMA", "p256k1 FMA", "p256k1 AVX2", "p256k1 portable", "decred-on-p256k1", "libsecp256k1-cgo"} {
		if got := short(r, r.Engines[i].Name, r.Engines[i].Backend); got != want {
			t.Errorf("%s is %q, want %q", r.Engines[i].Label(), got, want)
		}
	}
}

// A run that was interrupted at once has nothing to show, in any format.
func TestEmpty(t *testing.T) {
	for _, write := range []func(io.Writer, *measure.Report) error{Text, GoBench} {
		render(t, write, &measure.Report{Incomplete: true})
		render(t, write, &measure.Report{Incomplete: true, Options: fixture().Options, Engines: fixture().Engines})
	}
}

func TestGoBench(t *testing.T) {
	s := render(t, GoBench, fixture())
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

func TestNumbers(t *testing.T) {
	for off, want := range map[float64]string{0: "35.1 µs", 90: "35.1 µs", 500: "35.1 µs", 1100: "35 µs", 11000: "40 µs", 1e6: "40 µs"} {
		if got := duration(35123, off); got != want {
			t.Errorf("35123 ± %v: %q, want %q", off, got, want)
		}
	}
	for ns, want := range map[float64]string{
		0: "0.00 ns", 9.994: "9.99 ns", 9.996: "10.0 ns", 999.4: "999 ns", 999.6: "1.00 µs", 35123: "35.1 µs",
		123456: "123 µs", 1.5e6: "1.50 ms", 2.5e9: "2.50 s",
	} {
		if got := duration(ns, 0); got != want {
			t.Errorf("duration(%v) = %q, want %q", ns, got, want)
		}
	}
}
