package measure

import (
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// A Report has all results of a run. Times are in nanoseconds.
type Report struct {
	Date       time.Time
	Incomplete bool     // whether the run was interrupted
	Warnings   []string // remarks about this run for the reader

	// Options are the options of Run, except that Baseline is the label of the engine.
	Options

	Machine Machine
	Engines []engine.Info // in the order in which they run
	Absent  []engine.Found

	Results  []Result
	Against  []Verdict // verdicts on the ratios to the C program, if it ran
	Failures []Failure // failures that did not stop the run
}

// Value returns the figure of a sample that counts: its processor time, its quickest part, or its average.
func (r *Report) Value(s Sample) float64 {
	switch {
	case r.CPU:
		return s.CPU
	case r.Least:
		return s.Least
	}
	return s.Average
}

// Ratio returns the median ratio of samples of the same rounds, and its confidence interval.
func (r *Report) Ratio(a, b []Sample) (ratio, low, high float64) {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		ratios = append(ratios, r.Value(a[i])/r.Value(b[i]))
	}
	return summarize(ratios)
}

// A Failure says why an engine has no result for an operation.
type Failure struct {
	Label, Op string
	Err       error
}

// A Result is one engine's time for one operation.
type Result struct {
	Engine, Backend, Op string

	NS, Low, High float64 // median over the rounds, and its confidence interval
	Allocs, Bytes float64 // per input
	Samples       []Sample

	// Ratio is this time divided by the baseline's time in the same round: the median and its confidence interval. It
	// is 0 if the baseline lacks the operation and its Base.
	Ratio, RatioLow, RatioHigh float64
}

// Label returns the name of the engine with its backend, in the same form as engine.Info.Label.
func (r Result) Label() string { return engine.Info{Name: r.Engine, Backend: r.Backend}.Label() }

// A Verdict compares an engine with the loops of the C program, or with libsecp256k1 called from Go.
type Verdict struct {
	Engine, Backend, Op string
	Ratio, Low, High    float64
	Target              float64 // the greatest ratio that passes, or, if Within is set, the greatest difference from 1
	Within              bool    // whether the verdict is on the method (libsecp256k1 against itself), not the speed
	Pass                bool
	Unclear             bool // not passed, but the interval includes values that would pass
}

// Result returns the result of an engine for an operation.
func (r *Report) Result(label, op string) (Result, bool) {
	for _, x := range r.Results {
		if x.Op == op && x.Label() == label {
			return x, true
		}
	}
	return Result{}, false
}
