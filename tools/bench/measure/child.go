package measure

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
	"os/signal"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/bench/engine"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// A Launcher returns a command that runs this program anew, in a process that serves requests.
type Launcher func(ctx context.Context) (*exec.Cmd, error)

// Relaunch is the Launcher for a program that calls Worker first.
func Relaunch(ctx context.Context) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to run this program again: %w", err)
	}
	return exec.CommandContext(ctx, program, "worker"), nil
}

// Worker serves requests and ends the program if a Launcher started it. Otherwise it returns at once.
func Worker() {
	if len(os.Args) != 2 || os.Args[1] != "worker" {
		return
	}
	// Ctrl-C reaches the whole group of processes; the parent decides what to do.
	signal.Ignore(os.Interrupt)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

type request struct {
	ID     int    `json:"id"`
	Engine string `json:"engine"`       // name or path, as engine.Open takes it
	Op     string `json:"op,omitempty"` // operation; empty to ask for the engine's Info
	N      int    `json:"n,omitempty"`
	Seed   string `json:"seed,omitempty"`
	Size   int    `json:"size,omitempty"`
}

type response struct {
	ID     int         `json:"id"` // number of the request
	Info   engine.Info `json:"info"`
	Sample Sample      `json:"sample"`
	Error  string      `json:"error,omitempty"`
	Is     int         `json:"is,omitempty"` // the index of the error's kind in kinds, plus 1
}

// kinds are the errors that callers of a child distinguish.
var kinds = []error{engine.ErrNotSupported, engine.ErrAbsent, ErrWrong}

// serve answers requests, one JSON object per line, until its input ends.
func serve(r io.Reader, w io.Writer) error {
	var local *Local // the engine that the requests name, once it is needed
	requests, responses := json.NewDecoder(r), json.NewEncoder(w)
	for {
		var q request
		err := requests.Decode(&q)
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("measure: request: %w", err)
		}
		a := response{ID: q.ID}
		if err := q.answer(&local, &a); err != nil {
			a.Error = err.Error()
			a.Is = 1 + slices.IndexFunc(kinds, func(kind error) bool { return errors.Is(err, kind) })
		}
		if err := responses.Encode(a); err != nil {
			return fmt.Errorf("measure: response: %w", err)
		}
	}
}

func (q request) answer(local **Local, a *response) (err error) {
	defer must.Recover(&err)
	e := must.Get(engine.Open(q.Engine))
	if q.Op == "" {
		a.Info = e.Info()
		return nil
	}
	op, ok := opByName(q.Op)
	if !ok {
		return fmt.Errorf("measure: no operation %q", q.Op)
	}
	if *local == nil {
		*local = NewLocal(e, NewCorpus(q.Seed, q.Size))
	}
	a.Sample, err = (*local).Sample(context.Background(), op, q.N)
	return err
}

// Child runs an engine in a separate process.
type Child struct {
	Launch Launcher
	Engine string   // name or path, as engine.Open takes it
	Env    []string // additions to the environment
	Seed   string   // of the corpus
	Size   int      // number of inputs in the corpus
	// Anew says that a process takes at most one sample of an operation, so that the memory is at other addresses in
	// each round.
	Anew bool

	info engine.Info

	// The process, if one is running.
	process   *exec.Cmd
	stdin     io.WriteCloser
	responses *bufio.Reader
	stderr    *bytes.Buffer
	requests  int
	sampled   map[string]bool // names of the operations of which this process has taken a sample
}

// Start starts the process and asks for the engine's Info. The error is an engine.ErrAbsent if the process cannot load
// the engine.
func (c *Child) Start(ctx context.Context) error {
	a, err := c.ask(ctx, request{})
	if err != nil {
		c.Close()
		return err
	}
	c.info = a.Info
	return nil
}

// Name replaces the name, backend and version of the engine from now on.
func (c *Child) Name(name, version string) {
	c.info.Name, c.info.Backend, c.info.Version = name, "", version
}

// ask returns the answer to a request, and starts a process if none is running. If ctx ends, ask ends the process and
// returns the error of ctx.
func (c *Child) ask(ctx context.Context, q request) (a response, err error) {
	defer must.Recover(&err)
	if c.process == nil {
		c.launch(ctx)
	}
	process := c.process
	defer context.AfterFunc(ctx, func() { process.Process.Kill() })()
	c.requests++
	q.ID, q.Engine, q.Seed, q.Size = c.requests, c.Engine, c.Seed, c.Size
	err = json.NewEncoder(c.stdin).Encode(q)
	for err == nil {
		var line []byte
		if line, err = c.responses.ReadBytes('\n'); err != nil {
			break
		}
		// A loaded library may also print to standard output.
		if a = (response{}); json.Unmarshal(line, &a) == nil && a.ID == q.ID {
			break
		}
	}
	switch {
	case err != nil:
		c.Close() // the process's stderr is complete after Wait
		said, _, _ := strings.Cut(strings.TrimSpace(c.stderr.String()), "\n")
		return a, cmp.Or(ctx.Err(), fmt.Errorf("the child process %w: %s", ErrCrashed, cmp.Or(said, process.ProcessState.String())))
	case a.Error != "" && a.Is > 0 && a.Is <= len(kinds):
		return a, remoteError{a.Error, kinds[a.Is-1]}
	case a.Error != "":
		return a, errors.New(a.Error)
	}
	return a, nil
}

// launch starts a process that has not yet loaded any engine.
func (c *Child) launch(ctx context.Context) {
	// The process must not end with ctx, which ends only requests (see ask).
	cmd := must.Get(c.Launch(context.WithoutCancel(ctx)))
	c.stderr, c.sampled = new(bytes.Buffer), map[string]bool{}
	cmd.Env = append(cmd.Environ(), c.Env...)
	cmd.Stderr = c.stderr
	cmd.WaitDelay = 2 * time.Second
	c.responses = bufio.NewReader(must.Get(cmd.StdoutPipe()))
	c.stdin = must.Get(cmd.StdinPipe())
	must.Do(cmd.Start())
	c.process = cmd
}

// Info implements Runner.
func (c *Child) Info() engine.Info { return c.info }

// Sample implements Runner.
func (c *Child) Sample(ctx context.Context, op Op, n int) (Sample, error) {
	if c.Anew && c.sampled[op.Name] {
		c.Close()
	}
	a, err := c.ask(ctx, request{Op: op.Name, N: n})
	if err == nil {
		c.sampled[op.Name] = true
	}
	return a.Sample, err
}

// Close ends the process, if it has not ended. The process either waits for requests or must be stopped.
func (c *Child) Close() {
	if c.process != nil {
		c.stdin.Close()
		c.process.Wait() // the error is expected: the process was interrupted or closed
		c.process = nil
	}
}

// ErrCrashed means that a child process ended without an answer.
var ErrCrashed = errors.New("crashed")

// A remoteError is an error of a child, with its kind.
type remoteError struct {
	text string
	kind error
}

func (e remoteError) Error() string { return e.text }
func (e remoteError) Unwrap() error { return e.kind }

// Backends starts a child for each backend of p256k1 that differs from the earlier backends. If own is not empty, it is
// the backend of this process, which counts as the first backend but is not in the result. Errors are returned together
// with the children that have been started.
func Backends(ctx context.Context, own string, like Child) ([]*Child, error) {
	var children []*Child
	var errs []error
	seen := []string{own}
	like.Engine = "p256k1"
	for _, setting := range append([]string{""}, engine.Switches...) {
		c := like
		if setting != "" {
			c.Env = append(slices.Clone(c.Env), "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+","+setting, ","))
		} else if own != "" {
			continue
		}
		err := c.Start(ctx)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("p256k1 with GODEBUG=%s: %w", setting, err))
		case slices.Contains(seen, c.info.Backend):
			c.Close()
		default:
			seen = append(seen, c.info.Backend)
			if setting != "" {
				c.info.Notes = append(c.info.Notes, "In a process of its own, with GODEBUG="+setting+".")
			}
			children = append(children, &c)
		}
	}
	return children, errors.Join(errs...)
}

// StatusInterrupted is the exit status after Ctrl-C, with which shells report SIGINT.
const StatusInterrupted = 130

// Exit ends a program whose command returned err, with status 2 for an error and StatusInterrupted after Ctrl-C. Some
// commands print their results so far before they return. Exit returns if err is nil.
func Exit(program string, err error) {
	switch {
	case errors.Is(err, context.Canceled):
		os.Exit(StatusInterrupted)
	case err != nil:
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
		os.Exit(2)
	}
}
