package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/internal/platform"
)

// A build is one way to run the library.
type build struct {
	name  string
	every int // it takes part in one chunk of so many

	godebug string   // for the program that runs already
	env     []string // for one that must be built first, with these flags
	flags   []string

	is func(h hello) bool // makes sure that it is what it is meant to be
}

// builds returns those that this machine can run. The first is the assembly, with all the instructions that there are.
func builds(with386 bool) []*build {
	all := []*build{{name: "assembly", every: 1, is: func(h hello) bool { return h.Backend != platform.Portable }}}
	if strings.Contains(platform.Name(), "AVX-512") {
		all = append(all, &build{name: "assembly without AVX-512", every: 1, godebug: "cpu.avx512vl=off", is: func(h hello) bool {
			return h.Backend != platform.Portable && !strings.Contains(h.Backend, "AVX-512")
		}})
	}
	all = append(all, &build{name: "twins", every: 1, godebug: "cpu.adx=off", is: func(h hello) bool {
		return h.Backend == platform.Portable && h.Arch == runtime.GOARCH && !h.PureGo
	}})
	if platform.Name() == platform.Portable { // then this program is the twins, or does not have any assembly
		all = []*build{{name: "portable", every: 1, is: func(h hello) bool { return h.Backend == platform.Portable }}}
	}
	all = append(all, &build{name: "purego", every: 1, flags: []string{"-tags", "purego"}, is: func(h hello) bool {
		return h.Backend == platform.Portable && h.Arch == runtime.GOARCH && h.PureGo
	}})
	if with386 {
		all = append(all, &build{name: "386", every: 8, env: []string{"GOARCH=386", "CGO_ENABLED=0"}, is: func(h hello) bool {
			return h.Arch == "386"
		}})
	}
	return all
}

// childEnv is set to the seed in the environment of a process that is to run chunks rather than to command others.
const childEnv = "P256K1_BACKENDS_CHILD"

// hello is what a child says of itself.
type hello struct {
	Backend, Arch string
	PureGo        bool // the build tag
}

// A job is for a child: run one chunk of an operation.
type job struct {
	Operation string
	Chunk     int
	Check     bool // with math/big too
	Trace     bool // return the digest after each case
	Show      int  // return this case, if it is not negative
}

// A result is its answer.
type result struct {
	Digest  uint64
	Cases   int
	Checked int // with math/big
	Outside int // not of these, being outside of the contract
	Wrong   int // the first case that is wrong, or −1
	Trace   []uint64
	Shown   *shown
}

// shown is one case for people to read.
type shown struct {
	Way     uint64
	In, Out []word
	Verdict string
}

// A runner runs jobs: a child does, and in tests this process.
type runner interface {
	run(j job) (result, error)
}

// chunkCases is how many cases of the slowest operations there are in a chunk.
const chunkCases = 1 << 12

// A worker runs jobs in this process.
type worker struct {
	seed       string
	pool       *pool
	operations map[string]*operation
}

func newWorker(seed string) *worker {
	w := &worker{seed: seed, pool: newPool(seed)}
	w.setOperations()
	return w
}

func (w *worker) setOperations() {
	w.operations = map[string]*operation{}
	for _, op := range operations(w.pool) {
		w.operations[op.name] = op
	}
}

func (w *worker) run(j job) (r result, err error) {
	op := w.operations[j.Operation]
	if op == nil {
		return r, fmt.Errorf("no operation %q", j.Operation)
	}
	t := &trial{draw: newDraw(w.seed, op.name, j.Chunk, w.pool)}
	var b bigs
	var h digest
	i := 0
	defer func() {
		if p := recover(); p != nil {
			r.Wrong = i
			r.Shown = &shown{t.way, t.in, nil, fmt.Sprint("panic: ", p)}
		}
	}()
	r.Wrong = -1
	for ; i < chunkCases*op.often; i++ {
		t.next(op)
		h.add(t.in)
		h.add(t.out)
		r.Cases++
		v := right
		if j.Check && op.due(i, t) || j.Show == i {
			if v = op.check(t, &b); v == outside {
				r.Outside++
			} else {
				r.Checked++
			}
		}
		if (v == wrong || t.spoiled != "") && r.Wrong < 0 {
			r.Wrong = i
		}
		if j.Trace {
			r.Trace = append(r.Trace, uint64(h))
		}
		if j.Show == i {
			r.Shown = &shown{t.way, t.in, t.out, v.String()}
			if t.spoiled != "" {
				r.Shown.Verdict = t.spoiled
			}
			return r, nil
		}
	}
	r.Digest = uint64(h)
	return r, nil
}

// serve is the main function of a child.
func serve(seed string) error {
	signal.Ignore(os.Interrupt) // Ctrl-C goes to all processes: the parent decides
	out := json.NewEncoder(os.Stdout)
	h := hello{Backend: platform.Name(), Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			h.PureGo = h.PureGo || s.Key == "-tags" && strings.Contains(s.Value, "purego")
		}
	}
	if err := out.Encode(h); err != nil {
		return err
	}
	w := newWorker(seed)
	in := json.NewDecoder(os.Stdin)
	for {
		var j job
		if err := in.Decode(&j); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r, err := w.run(j)
		if err != nil {
			return err
		}
		if err := out.Encode(r); err != nil {
			return err
		}
	}
}

// A child is a process that runs jobs.
type child struct {
	build  *build
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	in     *json.Encoder
	out    *json.Decoder
	stderr bytes.Buffer
	limit  time.Duration
}

// packagePath is what the other programs are built from.
const packagePath = "p256k1.mleku.dev/v2/tools/evidence/differential/backends"

// program returns the path of the program of a build, which it makes in dir.
func (b *build) program(ctx context.Context, dir string) (string, error) {
	if b.env == nil && b.flags == nil {
		return os.Executable()
	}
	path := filepath.Join(dir, b.name)
	args := append([]string{"build", "-o", path}, b.flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, packagePath)...)
	cmd.Env = append(os.Environ(), b.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", b.name, err, out)
	}
	return path, nil
}

// start starts a child of a build.
func (b *build) start(program, seed string) (*child, error) {
	c := &child{build: b, cmd: exec.Command(program), limit: 5 * time.Minute}
	c.cmd.Env = append(os.Environ(), childEnv+"="+seed)
	if b.godebug != "" {
		c.cmd.Env = append(c.cmd.Env, "GODEBUG="+b.godebug)
	}
	c.cmd.Stderr = &c.stderr
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.in, c.out = json.NewEncoder(c.stdin), json.NewDecoder(stdout)
	var h hello
	if err := c.receive(&h); err != nil {
		c.stop()
		return nil, err
	}
	if !b.is(h) {
		c.stop()
		return nil, fmt.Errorf("%s: the program runs on %q, %s, purego %v instead", b.name, h.Backend, h.Arch, h.PureGo)
	}
	return c, nil
}

// run fails if the child crashes, or does not come to an end.
func (c *child) run(j job) (r result, err error) {
	if err := c.in.Encode(j); err != nil {
		return r, c.failed(err)
	}
	return r, c.receive(&r)
}

func (c *child) receive(v any) error {
	clock := time.AfterFunc(c.limit, func() { c.cmd.Process.Kill() })
	err := c.out.Decode(v)
	if !clock.Stop() {
		return fmt.Errorf("%s: no answer within %v", c.build.name, c.limit)
	}
	if err != nil {
		return c.failed(err)
	}
	return nil
}

// failed returns what a child has left behind.
func (c *child) failed(err error) error {
	c.stop()
	last := strings.TrimSpace(c.stderr.String())
	if len(last) > 2000 {
		last = last[:2000] + "…"
	}
	return fmt.Errorf("%s: %w: the process ended: %v\n%s", c.build.name, err, c.cmd.ProcessState, last)
}

func (c *child) stop() {
	c.stdin.Close()
	c.cmd.Wait()
}
