package main

import (
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

	"p256k1.mleku.dev/v2/internal/platform"
)

// A build is one way to run the library.
type build struct {
	name    string
	godebug string   // for the program that runs already
	env     []string // for one that must be built first, with these flags
	flags   []string

	is func(h hello) bool // makes sure that it is what it is meant to be
}

// builds returns those that this machine can run. The first is the assembly, with all the instructions that there are.
func builds(with386 bool) []*build {
	all := []*build{{name: "assembly", is: func(h hello) bool { return h.Backend != platform.Portable }}}
	if strings.Contains(platform.Name(), "AVX-512") {
		all = append(all, &build{name: "assembly without AVX-512", godebug: "cpu.avx512vl=off", is: func(h hello) bool {
			return h.Backend != platform.Portable && !strings.Contains(h.Backend, "AVX-512")
		}})
	}
	all = append(all, &build{name: "twins", godebug: "cpu.adx=off", is: func(h hello) bool {
		return h.Backend == platform.Portable && h.Arch == runtime.GOARCH && !h.PureGo
	}})
	if platform.Name() == platform.Portable { // then this program is the twins, or does not have any assembly
		all = []*build{{name: "portable", is: func(h hello) bool { return h.Backend == platform.Portable }}}
	}
	all = append(all, &build{name: "purego", flags: []string{"-tags", "purego"}, is: func(h hello) bool {
		return h.Backend == platform.Portable && h.Arch == runtime.GOARCH && h.PureGo
	}})
	if with386 {
		all = append(all, &build{name: "386", env: []string{"GOARCH=386", "CGO_ENABLED=0"}, is: func(h hello) bool {
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
	Tally  tally
	Digest uint64
	Wrong  int // the first case that is wrong, or −1
	Trace  []uint64
	Shown  *shown
}

// A tally counts cases.
type tally struct {
	Cases   int
	Checked int // with math/big
	Outside int // not of these, being outside of the contract
}

func (n tally) plus(m tally) tally {
	return tally{n.Cases + m.Cases, n.Checked + m.Checked, n.Outside + m.Outside}
}

// shown is one case for people to read.
type shown struct {
	Way     uint64
	In, Out []word
	Verdict string
}

// A side is a backend, and runs jobs: in a child, or in tests in this process.
type side struct {
	name string
	run  func(j job) (result, error)
	stop func()
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
		r.Tally.Cases++
		v := right
		if j.Check && op.due(i, t) || j.Show == i {
			if v = op.check(t, &b); v == outside {
				r.Tally.Outside++
			} else {
				r.Tally.Checked++
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

// start starts a child of a build. A job fails if the child crashes.
func (b *build) start(program, seed string) (side, error) {
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), childEnv+"="+seed)
	if b.godebug != "" {
		cmd.Env = append(cmd.Env, "GODEBUG="+b.godebug)
	}
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return side{}, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return side{}, err
	}
	if err := cmd.Start(); err != nil {
		return side{}, err
	}
	in, out := json.NewEncoder(stdin), json.NewDecoder(stdout)
	stop := func() {
		stdin.Close()
		cmd.Wait()
	}
	run := func(j job) (r result, err error) {
		if err = in.Encode(j); err == nil {
			err = out.Decode(&r)
		}
		if err != nil {
			stop()
			err = fmt.Errorf("%s: %w: the process ended: %v", b.name, err, cmd.ProcessState)
		}
		return r, err
	}
	var h hello
	if err := out.Decode(&h); err != nil || !b.is(h) {
		stop()
		return side{}, fmt.Errorf("%s: the program runs on %q, %s, purego %v instead (%v)", b.name, h.Backend, h.Arch, h.PureGo, err)
	}
	return side{b.name, run, stop}, nil
}
