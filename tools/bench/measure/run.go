package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// Options say how Run measures.
type Options struct {
	Ops      []Op
	Rounds   int
	Time     time.Duration // duration of a sample
	Least    bool          // take the quickest tenth of a sample
	CPU      bool          // take the processor time of a sample
	N        int           // number of inputs in a sample; 0 means as many as fit in Time
	Timeout  time.Duration // time limit of a sample; 0 for none
	GoOn     bool          // whether the run continues after an engine fails in an operation; the report lists the failure
	Baseline string        // name of the engine that ratios refer to

	CorpusSize int
	Seed       string

	// Progress is called with the number of finished steps, the total, which may shrink, and a description of the
	// current step.
	Progress func(done, total int, what string)
}

// Run measures all operations that the runners have. If its context is cancelled, it returns the results so far, marked
// incomplete, without an error.
func Run(ctx context.Context, runners []Runner, o Options) (*Report, error) {
	m := &measurement{
		Report:  &Report{Date: time.Now().UTC().Truncate(time.Second), Options: o, Machine: DescribeMachine()},
		runners: runners,
		samples: map[key][]Sample{},
	}
	for _, runner := range runners {
		m.Engines = append(m.Engines, runner.Info())
	}
	if o.Rounds < FewestRounds {
		m.Warnings = append(m.Warnings, fmt.Sprintf("With fewer than %d rounds, the intervals are the range of the samples, not of a known confidence.", FewestRounds))
	}
	err := must.Catch(func() { m.run(ctx) })
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		m.Incomplete, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	m.conclude()
	return m.Report, nil
}

type key struct{ label, op string }

type measurement struct {
	*Report
	runners []Runner
	samples map[key][]Sample

	done, total int
}

// A task is an operation that a runner has.
type task struct {
	runner Runner
	op     Op
	n      int
}

func (t task) key() key { return key{label: t.runner.Info().Label(), op: t.op.Name} }

func (m *measurement) step(what string) {
	m.done++
	if m.Progress != nil {
		m.Progress(m.done, m.total, what)
	}
}

func (m *measurement) run(ctx context.Context) {
	var pairs, tasks []task
	for _, op := range m.Ops {
		for _, runner := range m.runners {
			pairs = append(pairs, task{runner: runner, op: op})
		}
	}
	m.total = len(pairs) * (1 + m.Rounds) // if every engine has every operation
	for _, t := range pairs {
		if m.warmUp(ctx, &t) {
			tasks = append(tasks, t)
		}
		m.step("warming up")
	}
	m.total = len(pairs) + len(tasks)*m.Rounds
	for round := range m.Rounds {
		for _, t := range slices.Clone(tasks) {
			s, ok := m.sample(ctx, t, t.n)
			if ok {
				m.samples[t.key()] = append(m.samples[t.key()], s)
			} else {
				delete(m.samples, t.key())
				tasks = slices.DeleteFunc(tasks, func(other task) bool { return other.key() == t.key() })
			}
			m.step(fmt.Sprintf("round %d of %d, %s", round+1, m.Rounds, t.runner.Info().Name))
		}
		// The order alternates from round to round, so that a steady drift cancels out.
		slices.Reverse(tasks)
	}
}

// sample takes a sample of a task. If the engine fails and GoOn is set, sample notes the reason, and the run goes on.
func (m *measurement) sample(ctx context.Context, t task, n int) (s Sample, ok bool) {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if m.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, m.Timeout)
	}
	defer cancel()
	s, err := t.runner.Sample(limited, t.op, n)
	switch {
	case errors.Is(err, engine.ErrNotSupported):
	case ctx.Err() != nil:
		must.Do(err)
	case err != nil && !m.GoOn:
		must.Fail("%s, %s: %w", t.runner.Info().Name, t.op.Name, err)
	case err != nil:
		m.Failures = append(m.Failures, Failure{t.runner.Info().Label(), t.op.Name, err})
	}
	return s, err == nil
}

// warmUp makes an engine build its tables, load its keys and fill the caches, and finds how many iterations a sample
// takes. It reports whether the engine has the operation.
func (m *measurement) warmUp(ctx context.Context, t *task) (ok bool) {
	const trial = 50
	_, ok = m.sample(ctx, *t, 1)
	if t.n = m.N; t.n > 0 || !ok {
		return ok
	}
	s, ok := m.sample(ctx, *t, trial)
	if ok {
		t.n = max(1, int(float64(m.Time.Nanoseconds())/s.Least))
	}
	return ok
}

func (m *measurement) conclude() {
	m.Baseline = m.label(m.Baseline)
	for _, op := range m.Ops {
		for _, runner := range m.runners {
			info := runner.Info()
			samples := m.samples[key{label: info.Label(), op: op.Name}]
			if len(samples) == 0 {
				continue
			}
			x := Result{Engine: info.Name, Backend: info.Backend, Op: op.Name, Samples: samples}
			var times []float64
			x.Allocs, x.Bytes = math.Inf(1), math.Inf(1)
			for _, s := range samples {
				times = append(times, m.Value(s))
				// The runtime itself sometimes allocates, so the least count is the count of the engine.
				x.Allocs, x.Bytes = min(x.Allocs, s.Allocs), min(x.Bytes, s.Bytes)
			}
			x.NS, x.Low, x.High = summarize(times)
			x.Ratio, x.RatioLow, x.RatioHigh = m.ratio(info.Label(), m.Baseline, op)
			m.Results = append(m.Results, x)
			if v, ok := m.verdict(info, op); ok {
				m.Against = append(m.Against, v)
			}
		}
	}
}

// label returns the label of the first runner with a name, or "".
func (m *measurement) label(name string) string {
	for _, runner := range m.runners {
		if i := runner.Info(); i.Name == name {
			return i.Label()
		}
	}
	return ""
}

// timesOf returns an engine's times for an operation, or for the operation's Base if the engine lacks the operation.
func (m *measurement) timesOf(label string, op Op) []Sample {
	if s := m.samples[key{label: label, op: op.Name}]; len(s) > 0 || op.Base == "" {
		return s
	}
	return m.samples[key{label: label, op: op.Base}]
}

// ratio compares samples of the same round, because the speed of a machine changes more from minute to minute than a
// ratio does.
func (m *measurement) ratio(label, baseline string, op Op) (ratio, low, high float64) {
	return m.Ratio(m.samples[key{label: label, op: op.Name}], m.timesOf(baseline, op))
}

// withinC is the largest accepted difference between libsecp256k1's own loops and libsecp256k1 called from Go on the
// same number of inputs.
const withinC = 0.05

// verdict judges p256k1 by the targets of the design. It judges the method of this program by comparing its figures for
// libsecp256k1 with the figures of libsecp256k1's benchmark program. If the C program lacks a protocol with a target,
// the protocol is compared with libsecp256k1 called from Go.
func (m *measurement) verdict(info engine.Info, op Op) (Verdict, bool) {
	c := CProgram{}.label()
	if m.label(CName) == "" {
		return Verdict{}, false
	}
	if op.Group == Protocols && op.Program == "" {
		c = m.label("libsecp256k1")
		if op.Assembly == 0 || info.Name != "p256k1" {
			return Verdict{}, false
		}
	}
	if len(m.timesOf(c, op)) == 0 {
		return Verdict{}, false
	}
	v := Verdict{Engine: info.Name, Backend: info.Backend, Op: op.Name}
	v.Ratio, v.Low, v.High = m.ratio(info.Label(), c, op)
	least, most := 0.0, 0.0
	switch {
	case info.Name == OneInputName && !op.Varied, info.Name == "libsecp256k1" && op.Varied:
		v.Target, v.Within = withinC, true
		least, most = 1-withinC, 1+withinC
	case info.Name == "p256k1" && strings.HasPrefix(info.Backend, platform.Portable):
		v.Target, most = op.Portable, op.Portable
	case info.Name == "p256k1" && op.Lanes > 0 && strings.Contains(info.Backend, "IFMA"):
		v.Target, most = op.Lanes, op.Lanes
	case info.Name == "p256k1":
		v.Target, most = op.Assembly, op.Assembly
	default:
		return Verdict{}, false
	}
	v.Pass = least <= v.Ratio && v.Ratio <= most
	v.Unclear = !v.Pass && v.Low <= most && least <= v.High
	return v, true
}
