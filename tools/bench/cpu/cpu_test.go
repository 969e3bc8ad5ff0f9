package cpu

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// TestCores checks the list of cores on a Raspberry Pi 4, and on a processor with two kinds of cores.
func TestCores(t *testing.T) {
	core := func(part string) string {
		return "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: " + part + "\n\n"
	}
	for want, info := range map[string]string{
		"4 of 0x41/0xd08":                  strings.Repeat(core("0xd08"), 4),
		"1 of 0x41/0xd05, 2 of 0x41/0xd0b": core("0xd05") + core("0xd0b") + core("0xd0b"),
		"":                                 "model name\t: AMD EPYC\n",
	} {
		if got := coresOf(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMeasure checks a property of every processor: a doubling takes longer than a multiplication.
func TestMeasure(t *testing.T) {
	f, err := Measure(t.Context(), 200*time.Microsecond)
	if err != nil || f.GHz <= 0 || f.Backend == "" || len(f.Kernels) != len(Kernels) {
		t.Fatalf("%+v, %v", f, err)
	}
	if mul, double := f.Kernels[0], f.Kernels[2]; mul < 5 || double < mul {
		t.Errorf("%.1f cycles for a multiplication, %.1f for a doubling", mul, double)
	}
}

// TestReport writes a report with as many columns as possible, and looks for lines of more than 80 characters.
func TestReport(t *testing.T) {
	r := Report{Machine: measure.Machine{Processor: "Raspberry Pi 4", System: "linux/arm64", Go: "go1.26.0"}, Operations: new(measure.Report)}
	for _, backend := range []string{"x86-64 (BMI2, ADX, AVX2, AVX-512 IFMA)", "x86-64 (BMI2, ADX, AVX2)", "portable"} {
		f := Figures{Backend: backend, GHz: 1.5}
		for range Kernels {
			f.Kernels = append(f.Kernels, 12345)
		}
		r.Figures = append(r.Figures, f)
		r.Operations.Engines = append(r.Operations.Engines, engine.Info{Name: "p256k1", Backend: backend})
	}
	r.Operations.Engines = append(r.Operations.Engines, engine.Info{Name: "btcec", Backend: "Go"}, engine.Info{Name: "libsecp256k1", Backend: "C"})
	r.Operations.Results = []measure.Result{{Engine: "btcec", Backend: "Go", Op: "derive", NS: 33_210}}
	var b bytes.Buffer
	libtest.Check(t, r.Write(&b))
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"\nB: x86-64 (BMI2, ADX, AVX2)\n", "1.50 GHz", "derive                     -            -            -         33.2            -\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
