package measure

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// TestMain is also the entry point of child processes.
func TestMain(m *testing.M) {
	Worker()
	os.Exit(m.Run())
}

func TestSummarize(t *testing.T) {
	for _, c := range []struct {
		values            []float64
		median, low, high float64
	}{
		{nil, 0, 0, 0},
		{[]float64{3}, 3, 3, 3},
		{[]float64{9, 1, 5}, 5, 1, 9},
		{[]float64{4, 1, 3, 2}, 2.5, 1, 4},
		// With 6 values, the 95 % interval of the median reaches from the least to the greatest. With 10 values, it
		// leaves out one value at either end.
		{[]float64{6, 5, 4, 3, 2, 1}, 3.5, 1, 6},
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 5.5, 2, 9},
	} {
		before := slices.Clone(c.values)
		median, low, high := summarize(c.values)
		if median != c.median || low != c.low || high != c.high {
			t.Errorf("summarize(%v) = %v, %v, %v, want %v, %v, %v", c.values, median, low, high, c.median, c.low, c.high)
		}
		if !slices.Equal(before, c.values) {
			t.Errorf("summarize changed %v to %v", before, c.values)
		}
	}
}

func TestParseTable(t *testing.T) {
	// The table has the form that run_benchmark prints. The name in the first row contains the name in the second row.
	const table = "Benchmark                               ,    Min(us)    ,    Avg(us)    ,    Max(us)    \n" +
		"\n" +
		"ellswift_ecdh                           ,       38.0       ,       38.1       ,       38.5    \n" +
		"ecdh                                    ,        0.00328   ,       34.25      ,       35.0    \n"
	got := libtest.Must(parseTable([]byte(table), "ecdh"))
	if math.Abs(got.Least-3.28) > 1e-9 || math.Abs(got.Average-34250) > 1e-9 {
		t.Errorf("parseTable = %+v, want 3.28 and 34250 ns", got)
	}
	for _, bad := range []string{"", table[:100], "ecdh, x, 1, 2\n", "ecdh, 1, ERR, 2\n"} {
		if got, err := parseTable([]byte(bad), "ecdh"); err == nil {
			t.Errorf("parseTable(%q) = %+v, want an error", bad, got)
		}
	}
}

func TestSelectOps(t *testing.T) {
	if got, err := SelectOps(); err != nil || len(got) != len(Ops) {
		t.Errorf("SelectOps of nothing = %d operations, %v", len(got), err)
	}
	got, err := SelectOps("ecdh", "ecdsa-sign")
	if err != nil || len(got) != 2 || got[0].Name != "ecdh" || got[1].Name != "ecdsa-sign" {
		t.Errorf("SelectOps = %v, %v", got, err)
	}
	got, err = SelectOps("recover-batch", "recover-batch-8", "ecdsa-verify-precomputed")
	var names []string
	for _, op := range got {
		names = append(names, op.Name)
	}
	want := "recover recover-batch-1 recover-batch-8 recover-batch-64 recover-batch-256 recover-batch-1024 ecdsa-verify ecdsa-verify-precomputed"
	if err != nil || strings.Join(names, " ") != want {
		t.Errorf("SelectOps = %v, %v, want %s", names, err, want)
	}
}

func corpus(t *testing.T, n int) *Corpus {
	t.Helper()
	return NewCorpus("test", n)
}

func TestCorpus(t *testing.T) {
	a, b := corpus(t, 5).inputs, corpus(t, 5).inputs
	other := NewCorpus("another", 5)
	if a[3].Secret != b[3].Secret || a[3].Secret == other.inputs[3].Secret || a[3].Secret == a[4].Secret {
		t.Error("seeds do not decide the corpus")
	}
	if a[0].Peer != a[4].Pub || a[2].Peer != a[1].Pub {
		t.Error("a peer is not the key of the previous input")
	}
}

// TestOps checks that every input is valid for every operation in every engine of this machine, even if calls continue
// after the last input, and that the results equal the results of this library.
func TestOps(t *testing.T) {
	c := corpus(t, 50)
	found := libtest.Must(engine.Find(engine.Names()...))
	for _, f := range found {
		if f.Err != nil {
			t.Logf("NOT TESTED: %v", f.Err)
			continue
		}
		l := NewLocal(f.Engine, c)
		for _, op := range Ops {
			if _, err := l.Sample(t.Context(), op, 1); err != nil && (f.Name == "p256k1" || !errors.Is(err, engine.ErrNotSupported)) {
				t.Errorf("%s, %s: %v", f.Name, op.Name, err)
			}
		}
		l.Close()
	}
}

// wrong is p256k1 with mistakes: it accepts everything, or flips a bit in one result.
type wrong struct {
	engine.Engine
	accepts bool
}

type wrongSession struct {
	engine.Session
	accepts bool
}

func (w wrong) NewSession() (engine.Session, error) {
	s, err := w.Engine.NewSession()
	return wrongSession{s, w.accepts}, err
}

func (s wrongSession) Prepare(op string, size int, inputs []engine.Input) (engine.Prepared, error) {
	p, err := s.Session.Prepare(op, size, inputs)
	run := p.Run
	p.Run = func(i int, out *engine.Result) error {
		err := run(i, out)
		if s.accepts {
			return nil
		}
		if i == 1 {
			out[20] ^= 1
		}
		return err
	}
	return p, err
}

// TestWrongResult checks that an engine with a wrong result is not measured.
func TestWrongResult(t *testing.T) {
	e := libtest.Must(engine.Open("p256k1"))
	damaged := corpus(t, 4)
	damaged.inputs[2].Schnorr[5] ^= 1
	damaged.inputs[3].Pub = damaged.inputs[2].Pub
	for l, names := range map[*Local][]string{
		NewLocal(e, damaged):                    {"schnorr-verify", "schnorr-verify-batch-8", "recover-batch-8", "derive-batch-8", "ecdsa-verify"},
		NewLocal(wrong{e, true}, corpus(t, 4)):  {"ecdsa-verify", "schnorr-verify", "parse", "schnorr-verify-batch-few-64", "ecdsa-verify-precomputed"},
		NewLocal(wrong{e, false}, corpus(t, 4)): {"ecdsa-sign", "schnorr-sign", "derive", "recover", "ecdh-x", "ecdh", "musig2-aggregate-2", "ellswift-ecdh"},
	} {
		for _, name := range names {
			op, _ := opByName(name)
			if s, err := l.Sample(t.Context(), op, 100); !errors.Is(err, ErrWrong) {
				t.Errorf("%s: %+v, %v", name, s, err)
			}
		}
		l.Close()
	}
}

// fake is a Runner that takes a known time for each operation, and appends a line to turns for each sample.
type fake struct {
	name, backend string
	ns            float64
	lacks         string
	turns         *[]string
	after         func()
}

func (f fake) Info() engine.Info {
	return engine.Info{Name: f.name, Backend: f.backend, Version: "v1"}
}

func (f fake) Sample(ctx context.Context, op Op, n int) (Sample, error) {
	if op.Name == f.lacks {
		return Sample{}, engine.ErrNotSupported
	}
	*f.turns = append(*f.turns, f.name+" "+op.Name)
	if f.after != nil {
		f.after()
	}
	// Each sample is slower than the one before, as on a machine that becomes slower all the time.
	drift := 1 + float64(len(*f.turns))/1e4
	return Sample{Average: f.ns * drift, Least: f.ns / 2, Allocs: 3, Bytes: 70, N: n}, ctx.Err()
}

func (fake) Close() {}

func TestRun(t *testing.T) {
	var turns []string
	runners := []Runner{
		fake{name: "a", backend: "x", ns: 1000, turns: &turns},
		fake{name: "b", backend: "y", ns: 2000, turns: &turns, lacks: "ecdh"},
	}
	ops, _ := SelectOps("derive", "ecdh")
	var done, total int
	r, err := Run(t.Context(), runners, Options{
		Ops: ops, Rounds: 8, Time: time.Millisecond, Baseline: "b", Seed: "s",
		Progress: func(d, all int, _ string) { done, total = d, all },
	})
	if err != nil || r.Incomplete || done != total {
		t.Fatalf("%+v, %v, %d of %d steps", r, err, done, total)
	}
	// To warm up, each runner is called twice for each operation. After that the order alternates from round to round.
	measured := strings.Join(turns[6:12], ", ")
	if want := "a derive, b derive, a ecdh, a ecdh, b derive, a derive"; measured != want {
		t.Errorf("turns: %s, want %s", measured, want)
	}
	if m := r.Machine; m.Processor == "" || m.CPUs < 1 || !strings.Contains(m.System, "/") || m.Commit == "" {
		t.Errorf("%+v", m)
	}
	if len(r.Results) != 3 || r.Baseline != "b y" {
		t.Fatalf("%+v", r)
	}
	a, _ := r.Result("a x", "derive")
	if len(a.Samples) != 8 || math.Abs(a.Ratio-0.5) > 1e-3 || a.RatioLow > a.Ratio || a.RatioHigh < a.Ratio ||
		a.Low > a.NS || a.High < a.NS || a.Allocs != 3 || a.Bytes != 70 || a.Samples[0].N != int(1e6/500) {
		t.Errorf("%+v", a)
	}
	if x, _ := r.Result("a x", "ecdh"); x.Ratio != 0 {
		t.Errorf("a ratio without a baseline: %+v", x)
	}
	if _, ok := r.Result("b y", "ecdh"); ok {
		t.Error("a result of an operation that is not supported")
	}
}

// TestRunInterrupted checks that an interruption at any point leaves the results so far.
func TestRunInterrupted(t *testing.T) {
	for stop := range 12 {
		ctx, cancel := context.WithCancel(t.Context())
		var turns []string
		after := func() {
			if len(turns) > stop {
				cancel()
			}
		}
		r, err := Run(ctx, []Runner{
			fake{name: "a", ns: 10, turns: &turns, after: after},
			fake{name: "b", ns: 20, turns: &turns, after: after},
		}, Options{Ops: Ops[:1], Rounds: 100, Time: 1, Baseline: "a"})
		cancel()
		if err != nil || !r.Incomplete || len(turns) != stop+1 {
			t.Fatalf("after %d samples: %+v, %v", stop, r, err)
		}
		if _, ok := r.Result("a", Ops[0].Name); ok != (stop > 4) {
			t.Errorf("after %d samples there is a result: %v", stop, ok)
		}
	}
}

// TestVerdicts checks which ratios pass, and that an operation for which an engine has no batches is compared with the
// same operation on one input at a time.
func TestVerdicts(t *testing.T) {
	const c = "C, without cgo"
	for _, x := range []struct {
		op, engine, backend string
		ns                  float64
		pass, within        bool
		target              float64
	}{
		{"recover", "libsecp256k1", c, 104, true, true, 0.05},
		{"recover", "libsecp256k1", c, 106, false, true, 0.05},
		{"ecdsa-verify", "p256k1", "portable", 89, true, false, 0.9},
		{"ecdsa-verify", "p256k1", "portable", 91, false, false, 0.9},
		{"ecdsa-verify", "p256k1", "amd64", 60, true, false, 0.61},
		{"ecdsa-verify", "p256k1", "amd64", 62, false, false, 0.61},
		{"ecdsa-verify", "p256k1", "amd64 (IFMA)", 60, false, false, 0.59},
		{"ecdsa-verify", OneInputName, c, 104, true, true, 0.05},
		{"ecdsa-verify", OneInputName, c, 94, false, true, 0.05},
		{"derive-batch-256", "p256k1", "amd64 (IFMA)", 7.9, true, false, 0.08},
		{"derive-batch-256", "p256k1", "amd64 (IFMA)", 8.1, false, false, 0.08},
		{"derive-batch-256", "p256k1", "amd64", 8.1, true, false, 0.40},
		{"derive-batch-256", "p256k1", "portable", 71, false, false, 0.70},
	} {
		ops := libtest.Must(SelectOps(x.op))
		var turns []string
		r, err := Run(t.Context(), []Runner{
			fake{name: x.engine, backend: x.backend, ns: x.ns, turns: &turns},
			fake{name: CName, backend: "C", ns: 100, turns: &turns, lacks: "derive-batch-256"},
		}, Options{Ops: ops, Rounds: 6, Time: 1, Least: true, Baseline: CName})
		if err != nil || len(r.Against) != len(ops) {
			t.Fatalf("%+v, %v", r, err)
		}
		v := r.Against[len(ops)-1]
		if v.Op != x.op || v.Pass != x.pass || v.Within != x.within || v.Target != x.target || v.Unclear || math.Abs(v.Ratio-x.ns/100) > 1e-3 {
			t.Errorf("%+v: %+v", x, v)
		}
		if got, ok := r.Result(engine.Info{Name: x.engine, Backend: x.backend}.Label(), x.op); !ok || math.Abs(got.Ratio-v.Ratio) > 1e-9 || got.NS != x.ns/2 {
			t.Errorf("%+v: %+v", x, got)
		}
	}
}

// newChild is a child that works on eight inputs.
func newChild(t *testing.T, name string) *Child {
	t.Helper()
	c := &Child{Launch: Relaunch, Engine: name, Seed: "test", Size: 8}
	libtest.Check(t, c.Start(t.Context()))
	t.Cleanup(c.Close)
	return c
}

func TestChild(t *testing.T) {
	c := newChild(t, "p256k1")
	op, _ := opByName("derive")
	if c.Info().Name != "p256k1" {
		t.Errorf("%+v", c.Info())
	}
	if s, err := c.Sample(t.Context(), op, 2005); err != nil || s.N != 2000 || s.Average < s.Least || s.Least <= 0 || s.CPU <= 0 || s.Allocs < 0.5 || s.Allocs > 1.5 { // the key
		t.Errorf("Sample = %+v, %v", s, err)
	}
	first := c.process
	c.Anew = true
	if s, err := c.Sample(t.Context(), op, 1); err != nil || s.N != 1 || c.process == first {
		t.Errorf("Sample anew = %+v, %v", s, err)
	}
	if _, err := c.ask(t.Context(), request{Op: "dance"}); err == nil {
		t.Error("a request for an unknown operation has no error")
	}
	if err := (&Child{Launch: Relaunch, Engine: "nosuch"}).Start(t.Context()); err == nil {
		t.Error("a child starts with an unknown engine")
	}
	op, _ = opByName("schnorr-sign")
	if _, err := newChild(t, "decred").Sample(t.Context(), op, 1); !errors.Is(err, engine.ErrNotSupported) {
		t.Errorf("Sample = %v", err)
	}
}

// TestBackends checks that the backends of the switches differ from the backend of this process and from each other.
func TestBackends(t *testing.T) {
	e := libtest.Must(engine.Open("p256k1"))
	own := e.Info().Backend
	var names [2][]string
	for i, leave := range []string{"", own} {
		children := libtest.Must(Backends(t.Context(), leave, Child{Launch: Relaunch}))
		for _, c := range children {
			names[i] = append(names[i], c.Info().Backend)
			c.Close()
		}
	}
	if all := append([]string{own}, names[1]...); !slices.Equal(names[0], all) || len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
		t.Errorf("backends %q, without %q: %q", names[0], own, names[1])
	}
}
