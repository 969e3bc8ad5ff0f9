package measure

import (
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

	"p256k1.mleku.dev/v2/tools/bench/engine"
)

// A Launcher returns a command that runs this program again so that it calls
// Serve on its standard input and output.
type Launcher func(ctx context.Context) (*exec.Cmd, error)

type request struct {
	Do         string        `json:"do"` // "info", "sample", "parallel" or "first"
	Engine     string        `json:"engine"`
	Op         string        `json:"op,omitempty"`
	N          int           `json:"n,omitempty"`
	Goroutines int           `json:"goroutines,omitempty"`
	Time       time.Duration `json:"time,omitempty"`
	Seed       string        `json:"seed,omitempty"`
	Size       int           `json:"size,omitempty"`
	Input      *Input        `json:"input,omitempty"`
}

type response struct {
	Info        *engine.Info `json:"info,omitempty"`
	Sample      *Sample      `json:"sample,omitempty"`
	NS          float64      `json:"ns,omitempty"`
	First       *FirstUse    `json:"first,omitempty"`
	Error       string       `json:"error,omitempty"`
	Unsupported bool         `json:"unsupported,omitempty"`
}

// Serve answers requests, one JSON object a line, until there are no more.
func Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	var s server
	defer s.close()
	requests, responses := json.NewDecoder(r), json.NewEncoder(w)
	for {
		var q request
		if err := requests.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("measure: request: %w", err)
		}
		a, err := s.answer(ctx, q)
		if err != nil {
			a = response{Error: err.Error(), Unsupported: errors.Is(err, engine.ErrNotSupported)}
		}
		if err := responses.Encode(a); err != nil {
			return fmt.Errorf("measure: response: %w", err)
		}
	}
}

// A server keeps the one engine that it is asked for.
type server struct{ local *Local }

func (s *server) close() {
	if s.local != nil {
		s.local.Close()
	}
}

func (s *server) answer(ctx context.Context, q request) (response, error) {
	if q.Do == "first" {
		f, err := firstUse(q)
		return response{First: f}, err
	}
	e, err := engine.Open(q.Engine)
	if err != nil {
		return response{}, err
	}
	if q.Do == "info" {
		i := e.Info()
		return response{Info: &i}, nil
	}
	op, ok := opByName(q.Op)
	if !ok {
		return response{}, fmt.Errorf("measure: no operation %q", q.Op)
	}
	if s.local == nil {
		corpus, err := NewCorpus(q.Seed, q.Size)
		if err != nil {
			return response{}, err
		}
		s.local = NewLocal(e, corpus)
	}
	switch q.Do {
	case "sample":
		sample, err := s.local.Sample(ctx, op, q.N)
		return response{Sample: &sample}, err
	case "parallel":
		ns, err := s.local.Parallel(ctx, op, q.Goroutines, q.Time)
		return response{NS: ns}, err
	}
	return response{}, fmt.Errorf("measure: nothing known of %q", q.Do)
}

// Child runs an engine in a process of its own.
type Child struct {
	info   engine.Info
	env    []string
	launch Launcher
	seed   string
	size   int

	cmd       *exec.Cmd
	stdin     io.WriteCloser
	requests  *json.Encoder
	responses *json.Decoder
	stderr    *strings.Builder
}

// NewChild starts a process with additions to the environment, which works on
// the corpus that NewCorpus makes of seed and size.
func NewChild(ctx context.Context, launch Launcher, name string, env []string, seed string, size int) (*Child, error) {
	c, err := newIdleChild(ctx, launch, env)
	if err != nil {
		return nil, err
	}
	c.env, c.launch, c.seed, c.size = env, launch, seed, size
	a, err := c.ask(request{Do: "info", Engine: name})
	if err != nil {
		c.Close()
		return nil, err
	}
	c.info = *a.Info
	return c, nil
}

// newIdleChild starts a process that has not touched any engine.
func newIdleChild(ctx context.Context, launch Launcher, env []string) (*Child, error) {
	cmd, err := launch(ctx)
	if err != nil {
		return nil, err
	}
	c := &Child{cmd: cmd, stderr: new(strings.Builder)}
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stderr = c.stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if c.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c.requests, c.responses = json.NewEncoder(c.stdin), json.NewDecoder(stdout)
	return c, nil
}

func (c *Child) ask(q request) (response, error) {
	var a response
	err := c.requests.Encode(q)
	if err == nil {
		err = c.responses.Decode(&a)
	}
	switch {
	case err != nil:
		c.cmd.Process.Kill()
		c.Close() // what it said is complete after that
		return a, fmt.Errorf("measure: the child process: %w: %s", err, strings.TrimSpace(c.stderr.String()))
	case a.Unsupported:
		return a, engine.ErrNotSupported
	case a.Error != "":
		return a, errors.New(a.Error)
	}
	return a, nil
}

// Info implements Runner.
func (c *Child) Info() engine.Info { return c.info }

// Sample implements Runner.
func (c *Child) Sample(ctx context.Context, op Op, n int) (Sample, error) {
	a, err := c.ask(request{Do: "sample", Engine: c.info.Name, Op: op.Name, N: n, Seed: c.seed, Size: c.size})
	if err != nil {
		return Sample{}, interrupted(ctx, err)
	}
	return *a.Sample, nil
}

// Parallel implements Runner.
func (c *Child) Parallel(ctx context.Context, op Op, goroutines int, d time.Duration) (float64, error) {
	a, err := c.ask(request{Do: "parallel", Engine: c.info.Name, Op: op.Name, Goroutines: goroutines, Time: d, Seed: c.seed, Size: c.size})
	return a.NS, interrupted(ctx, err)
}

// interrupted prefers the end of the context to the error that it led to.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Close ends the process, if it has not ended.
func (c *Child) Close() {
	c.stdin.Close()
	c.cmd.Wait() // its error is no news: of a process interrupted, or closed before
}

// Backends starts a child for each backend of p256k1 that differs from the ones
// before it, default first: that is the one of this process and not in the
// result. What goes wrong is returned with what went well.
func Backends(ctx context.Context, launch Launcher, own, seed string, size int) ([]Runner, error) {
	var runners []Runner
	var errs []error
	seen := []string{own}
	for _, s := range engine.Switches {
		value := s.Value
		if old := os.Getenv(s.Key); old != "" {
			value = old + "," + value
		}
		c, err := NewChild(ctx, launch, "p256k1", []string{s.Key + "=" + value}, seed, size)
		if err != nil {
			errs = append(errs, fmt.Errorf("p256k1 with %s=%s: %w", s.Key, s.Value, err))
			continue
		}
		if slices.Contains(seen, c.info.Backend) {
			c.Close()
			continue
		}
		seen = append(seen, c.info.Backend)
		c.info.Notes = append(c.info.Notes, fmt.Sprintf("In a process of its own, with %s=%s.", s.Key, s.Value))
		runners = append(runners, c)
	}
	return runners, errors.Join(errs...)
}
