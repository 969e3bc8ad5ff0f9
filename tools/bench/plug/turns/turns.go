// Package turns times the same work in one library after another, each in a
// process of its own, in several rounds through all of them.
package turns

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/plug/subject"
	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

// A Library is what takes part.
type Library struct {
	Label       string
	Date        time.Time // of its release; zero if not known
	BitcoinCore string
	Path        string // empty for this library
	Env         []string
	EVP         bool // see subject.Options
}

// A Status says how a library did in a scenario.
type Status string

// The statuses.
const (
	OK          Status = "ok"
	Unsupported Status = "not offered" // by any version of that library
	Missing     Status = "missing symbol"
	Unloadable  Status = "unloadable"
	Crashed     Status = "crashed"
	Wrong       Status = "wrong answer"
	TimedOut    Status = "timed out"
	Failed      Status = "failed"
)

// A Result is a row: a library in a scenario.
type Result struct {
	Library  Library
	Identity Identity
	Scenario work.Scenario
	Status   Status
	Detail   string // what was missing or went wrong
	N        int
	// Times has the CPU time for N operations of each round.
	Times []time.Duration
	// Calls is how many C functions an operation calls.
	Calls int
}

// Median returns the median over the rounds, zero if there was none.
func (r *Result) Median() time.Duration {
	s := slices.Sorted(slices.Values(r.Times))
	switch n := len(s); {
	case n == 0:
		return 0
	case n%2 == 1:
		return s[n/2]
	default:
		return (s[n/2-1] + s[n/2]) / 2
	}
}

// Each returns the median time of one operation.
func (r *Result) Each() time.Duration { return r.Median() / time.Duration(max(r.N, 1)) }

// Identity is what a loaded library is.
type Identity struct {
	Kind    string `json:"kind"`
	Version string `json:"version"`
	API     string `json:"api"`
}

// A Plan is the plan of a comparison.
type Plan struct {
	// Command starts a child: a program and arguments that end in a call of Child
	// with the process's standard input and output.
	Command   []string
	Scenarios []work.Scenario
	N         int
	Rounds    int
	// Timeout is for one scenario in one round.
	Timeout time.Duration
	// Progress is told what comes next: of a round, the turn of a library.
	Progress func(round, turn int, l Library)
}

// request is what a child gets on its standard input.
type request struct {
	Path      string
	EVP       bool
	Inputs    string // file; none for a child that only says what the library is
	Scenarios []work.Scenario
	N, Checks int
}

// event is a line that a child writes.
type event struct {
	Identity *Identity     `json:"identity,omitempty"`
	Start    work.Scenario `json:"start,omitempty"`
	End      work.Scenario `json:"end,omitempty"`
	NS       int64         `json:"ns,omitempty"`
	Calls    int           `json:"calls,omitempty"`
	Status   Status        `json:"status,omitempty"`
	Detail   string        `json:"detail,omitempty"`
	// Overhead is the time in nanoseconds of a call that does next to nothing.
	Overhead float64 `json:"overhead,omitempty"`
}

// Child does in a child process what the parent asks.
func Child(in io.Reader, out io.Writer) error {
	var q request
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		return fmt.Errorf("turns: this is the process behind plug run, which is to start it: %w", err)
	}
	lines := json.NewEncoder(out)
	var inputs []work.Input
	if q.Inputs != "" {
		file, err := os.Open(q.Inputs)
		if err != nil {
			return err
		}
		inputs, err = work.Read(bufio.NewReader(file))
		file.Close()
		if err != nil {
			return err
		}
	}
	s, err := subject.Open(q.Path, inputs, subject.Options{EVP: q.EVP})
	if err != nil {
		return lines.Encode(event{Status: status(err), Detail: err.Error()})
	}
	if err := lines.Encode(event{Identity: &Identity{s.Kind, s.Version, s.API}}); err != nil {
		return err
	}
	for _, scenario := range q.Scenarios {
		if err := lines.Encode(event{Start: scenario}); err != nil {
			return err
		}
		e := event{End: scenario, Status: OK, Calls: s.Calls(scenario)}
		if err := s.Check(scenario, min(q.Checks, len(inputs))); err != nil {
			e.Status, e.Detail = status(err), err.Error()
		} else {
			start := cpuTime()
			accepted := s.Run(scenario, q.N)
			e.NS = int64(cpuTime() - start)
			if accepted != q.N {
				e.Status, e.Detail = Wrong, fmt.Sprintf("%d of %d operations failed", q.N-accepted, q.N)
			}
		}
		if err := lines.Encode(e); err != nil {
			return err
		}
	}
	const calls = 200_000
	if len(q.Scenarios) > 0 && s.Trivial(calls/10) {
		start := cpuTime()
		s.Trivial(calls)
		return lines.Encode(event{Overhead: float64(cpuTime()-start) / calls})
	}
	return nil
}

func status(err error) Status {
	for _, known := range []struct {
		is     error
		status Status
	}{
		{subject.ErrUnloadable, Unloadable}, {subject.ErrUnknown, Unloadable},
		{subject.ErrUnsupported, Unsupported}, {subject.ErrMissing, Missing}, {subject.ErrWrong, Wrong},
	} {
		if errors.Is(err, known.is) {
			return known.status
		}
	}
	return Failed
}

// Identify loads a library in a child and says what it is. An error means that
// it cannot take part, or that ctx was done.
func (r *Plan) Identify(ctx context.Context, l Library) (Identity, error) {
	var identity Identity
	var problem error
	err := r.child(ctx, l, request{}, func(e event) {
		if e.Identity != nil {
			identity = *e.Identity
		} else if e.Status != "" {
			problem = fmt.Errorf("%s: %s", e.Status, e.Detail)
		}
	})
	return identity, cmp.Or(problem, err)
}

// Run lets the libraries take turns and returns a row for each library and scenario.
// The only error is that the inputs cannot be made, or ctx is done. overhead is
// the median time of a C call that does next to nothing.
func (r *Plan) Run(ctx context.Context, libraries []Library) (rows []*Result, overhead time.Duration, err error) {
	inputs, err := work.Make(r.N)
	if err != nil {
		return nil, 0, err
	}
	file, err := os.CreateTemp("", "p256k1-plug-*.inputs")
	if err != nil {
		return nil, 0, err
	}
	defer os.Remove(file.Name())
	buffered := bufio.NewWriter(file)
	if err := cmp.Or(work.Write(buffered, inputs), buffered.Flush(), file.Close()); err != nil {
		return nil, 0, err
	}

	for _, l := range libraries {
		for _, scenario := range r.Scenarios {
			rows = append(rows, &Result{Library: l, Scenario: scenario, N: r.N, Status: OK})
		}
	}
	var overheads []float64
	for round := range r.Rounds {
		for i, l := range libraries {
			if r.Progress != nil {
				r.Progress(round, i, l)
			}
			mine := rows[i*len(r.Scenarios) : (i+1)*len(r.Scenarios)]
			checks := r.N
			if round > 0 {
				checks = min(r.N, 100) // to warm up
			}
			q := request{Inputs: file.Name(), N: r.N, Checks: checks}
			if err := r.lap(ctx, l, q, mine, &overheads); err != nil {
				return nil, 0, err
			}
		}
	}
	if len(overheads) > 0 {
		slices.Sort(overheads)
		overhead = time.Duration(overheads[len(overheads)/2])
	}
	return rows, overhead, nil
}

// lap is one library's turn in a round. A library that crashes in a scenario is
// started again for those after it.
func (r *Plan) lap(ctx context.Context, l Library, q request, rows []*Result, overheads *[]float64) error {
	for {
		var todo []*Result
		q.Scenarios = nil
		for _, row := range rows {
			if row.Status == OK {
				todo = append(todo, row)
				q.Scenarios = append(q.Scenarios, row.Scenario)
			}
		}
		if len(todo) == 0 {
			return nil
		}
		find := func(scenario work.Scenario) *Result {
			i := slices.IndexFunc(todo, func(row *Result) bool { return row.Scenario == scenario })
			return todo[max(i, 0)]
		}
		var running, failed *Result
		done := 0
		err := r.child(ctx, l, q, func(e event) {
			switch {
			case e.Identity != nil:
				for _, row := range todo {
					row.Identity = *e.Identity
				}
			case e.Start != "":
				running = find(e.Start)
			case e.End != "":
				row := find(e.End)
				row.Status, row.Detail, row.Calls = e.Status, e.Detail, e.Calls
				if e.Status == OK {
					row.Times = append(row.Times, time.Duration(e.NS))
				} else {
					row.Times = nil
				}
				running, done = nil, done+1
			case e.Overhead != 0:
				*overheads = append(*overheads, e.Overhead)
			case e.Status != "": // not even loaded
				for _, row := range todo {
					row.Status, row.Detail, row.Times = e.Status, e.Detail, nil
				}
				done = len(todo)
			}
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && done == len(todo) {
			return nil
		}
		how, detail := Crashed, "ended early"
		if err != nil {
			detail = err.Error()
			if errors.Is(err, context.DeadlineExceeded) {
				how = TimedOut
			}
		}
		if done == len(todo) { // crashed when everything was over
			return nil
		}
		if failed = running; failed == nil { // crashed while it was loaded
			for _, row := range todo[done:] {
				row.Status, row.Detail, row.Times = how, detail, nil
			}
			return nil
		}
		failed.Status, failed.Detail, failed.Times = how, detail, nil
		// Those that had their turn have it behind them.
		rows = todo[done+1:]
	}
}

// child runs a child and passes on what it says. The error is that of ctx, or
// says how the child ended.
func (r *Plan) child(ctx context.Context, l Library, q request, tell func(event)) error {
	q.Path, q.EVP = l.Path, l.EVP
	in, err := json.Marshal(q)
	if err != nil {
		return err
	}
	limit := r.Timeout * time.Duration(max(1, len(q.Scenarios)))
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.Command[0], r.Command[1:]...)
	cmd.Stdin = bytes.NewReader(in)
	// The system's configuration of OpenSSL is for its own version alone.
	cmd.Env = append(append(os.Environ(), "OPENSSL_CONF="+os.DevNull), l.Env...)
	cmd.WaitDelay = 2 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		var e event
		// Libraries may print, too.
		if json.Unmarshal(lines.Bytes(), &e) == nil {
			tell(e)
		}
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, firstLine(stderr.String()))
	}
	return nil
}

// firstLine returns the first line that says something: Go's runtime begins its
// account of a crash with it.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return "no message"
}
