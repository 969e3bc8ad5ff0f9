package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A verdict is the outcome for a mutant.
type verdict string

const (
	killed   verdict = "killed"
	hung     verdict = "killed by the time limit"
	survived verdict = "survived"
)

// An outcome is the verdict on a mutant and the first test that noticed it.
type outcome struct {
	Key     string  `json:"key"`
	Verdict verdict `json:"verdict"`
	By      string  `json:"by,omitempty"`  // package and test
	Own     bool    `json:"own,omitempty"` // whether this test is in the mutant's package
}

// A bench compiles tests and runs mutants.
type bench struct {
	project  *project
	dir      string // directory for the files that the bench writes
	build    build
	holds    map[string][]string // by mutated package: the packages whose tests are tried
	schemata string              // the overlay of all mutants
	small    string              // the part of the overlay for small groups

	mutex    sync.Mutex
	binaries map[string]*binary
}

// A binary is the compiled tests of a package.
type binary struct {
	once sync.Once
	path string
	dir  string
	err  error

	whole, short suite
}

// A suite has the tests of a binary: all of them, or the tests that -short runs.
type suite struct {
	once  sync.Once
	tests []test // the quickest first
	err   error
}

// A test is a test function of a binary.
type test struct {
	pattern string // pattern that matches only its name
	time    time.Duration
	reached map[int]bool // the functions that it calls, each as the first mutant of its unit
}

// newBench writes the schemata of the mutants into dir.
func newBench(p *project, dir string, b build, all []*mutant) (*bench, error) {
	w := &bench{project: p, dir: dir, build: b, binaries: map[string]*binary{}}
	var err error
	if w.holds, err = p.dependants(); err != nil {
		return nil, err
	}
	overlay, small := map[string]string{}, map[string]string{}
	id := 1
	var libraries []*library
	byLibrary := map[*library][]*mutant{}
	for _, m := range all {
		l := m.unit.file.pkg
		if byLibrary[l] == nil {
			libraries = append(libraries, l)
		}
		byLibrary[l] = append(byLibrary[l], m)
	}
	for i, l := range libraries {
		texts := newSchema(l, byLibrary[l], id)
		id += len(byLibrary[l])
		write := func(path, text string) error {
			to := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(path)))
			overlay[path] = to
			if slices.Contains(p.smallOf, l.dir) {
				small[path] = to
			}
			return os.WriteFile(to, []byte(text), 0o666)
		}
		for path, text := range texts {
			if err := write(path, text); err != nil {
				return nil, err
			}
		}
		if err := write(filepath.Join(filepath.Dir(l.files[0].path), switchName), switchFile(l.types.Name())); err != nil {
			return nil, err
		}
	}
	if w.schemata, err = writeOverlay(filepath.Join(dir, "schemata.json"), overlay); err != nil {
		return nil, err
	}
	// The files for small groups replace mutated files, so mutants of these files are not tried in small groups.
	if err := p.smallOverlay(dir, small); err != nil {
		return nil, err
	}
	w.small, err = writeOverlay(filepath.Join(dir, "small.json"), small)
	return w, err
}

// smallOverlay adds the files that small groups replace to the overlay. It writes them to dir.
func (p *project) smallOverlay(dir string, overlay map[string]string) error {
	if p.smallMain == "" {
		return nil
	}
	dir = filepath.Join(dir, "small")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	c := exec.Command("go", "run", p.path(p.smallMain), "-root", p.root, "-o", dir)
	c.Dir = p.root
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("the overlay of small groups: %w\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "overlay.json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &struct{ Replace *map[string]string }{&overlay})
}

func writeOverlay(path string, replace map[string]string) (string, error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, text, 0o666)
}

// command returns a command, as exec.CommandContext does, in a separate process group, so that Ctrl-C on the terminal
// does not look like a failing test.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}

// compile makes the test binary of a package.
func (w *bench) compile(ctx context.Context, overlay, to, pkg string) error {
	tags := w.build.tags
	if pkg == w.project.small {
		tags += "," + w.project.smallTags
	}
	c := command(ctx, "go", "test", "-c", "-vet=off", "-tags="+tags, "-overlay="+overlay, "-o", to, w.project.path(pkg))
	c.Dir = w.project.root
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the tests of %s: %w\n%s", w.project.path(pkg), err, out)
	}
	return nil
}

// binary returns the test binary of a package with all mutants.
func (w *bench) binary(ctx context.Context, pkg string) (*binary, error) {
	w.mutex.Lock()
	b := w.binaries[pkg]
	if b == nil {
		b = &binary{
			path: filepath.Join(w.dir, strings.ReplaceAll(pkg, "/", "_")+".test"),
			dir:  filepath.Join(w.project.root, filepath.FromSlash(pkg)),
		}
		w.binaries[pkg] = b
	}
	w.mutex.Unlock()
	b.once.Do(func() {
		overlay := w.schemata
		if pkg == w.project.small {
			overlay = w.small
		}
		b.err = w.compile(ctx, overlay, b.path, pkg)
	})
	return b, b.err
}

// suite returns the tests of a binary, with the functions that each calls and the time it takes. The tests must pass
// without a mutant.
func (w *bench) suite(ctx context.Context, pkg string, short bool) (*suite, error) {
	b, err := w.binary(ctx, pkg)
	if err != nil {
		return nil, err
	}
	s := &b.whole
	if short {
		s = &b.short
	}
	s.once.Do(func() {
		c := command(ctx, b.path, "-test.list=^(Test|Fuzz|Example)")
		c.Dir = b.dir
		var out []byte
		if out, s.err = c.Output(); s.err != nil {
			return
		}
		skip := regexp.MustCompile(w.project.skip)
		record := filepath.Join(w.dir, fmt.Sprintf("%s.%v.reached", filepath.Base(b.path), short))
		for name := range strings.FieldsSeq(string(out)) {
			if w.project.skip != "" && skip.MatchString(name) {
				continue
			}
			t := test{pattern: "^" + name + "$", reached: map[int]bool{}}
			os.Remove(record)
			r := w.run(ctx, b, 0, short, test{t.pattern, 2 * time.Minute, nil}, recordVariable+"="+record)
			if s.err = cmp.Or(ctx.Err(), r.err); s.err != nil {
				return
			}
			if r.verdict != survived {
				s.err = fmt.Errorf("the tests of %s fail without a mutant:\n%s", w.project.path(pkg), r.out)
				return
			}
			t.time = r.time
			text, err := os.ReadFile(record)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				s.err = err
				return
			}
			for line := range strings.FieldsSeq(string(text)) {
				first, err := strconv.Atoi(line)
				if err != nil {
					s.err = err
					return
				}
				t.reached[first] = true
			}
			s.tests = append(s.tests, t)
		}
		slices.SortFunc(s.tests, func(a, b test) int { return cmp.Compare(a.time, b.time) })
	})
	return s, s.err
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// memory limits the address space of the tests of a mutant, in KiB. The limit leaves enough for Go's reservations, and
// stops a loop that allocates.
const memory = 8 << 20

// A result is the result of running tests.
type result struct {
	verdict verdict
	by      string // the first test that failed
	out     []byte
	time    time.Duration // the processor time
	err     error         // not nil if the tests did not run
}

// run runs a compiled test in the directory of its package, with the mutant id, or without a mutant for id 0. The
// processor time of the test is limited to several times its time without a mutant. Other load hardly changes it.
func (w *bench) run(ctx context.Context, b *binary, id int, short bool, t test, env ...string) result {
	limit := time.Second + 5*t.time
	seconds := int(limit/time.Second) + 1
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute+20*limit) // limit for a test that waits
	defer cancel()
	args := []string{"-c", fmt.Sprintf(`ulimit -v %d; ulimit -t %d; exec "$@"`, memory, seconds), "sh", b.path,
		"-test.failfast", "-test.timeout=0", "-test.run=" + t.pattern}
	if short {
		args = append(args, "-test.short")
	}
	c := command(ctx, "/bin/sh", args...)
	c.Dir = b.dir
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", switchVariable, id), "GOMAXPROCS=1")
	c.Env = append(c.Env, env...)
	c.WaitDelay = time.Second
	var text bytes.Buffer
	c.Stdout, c.Stderr = &text, &text
	err := c.Run()
	r := result{verdict: survived, out: text.Bytes()}
	if c.ProcessState == nil {
		r.err = err // the program did not start
		return r
	}
	r.time = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	switch {
	case c.ProcessState.Success():
	case ctx.Err() != nil || r.time >= limit:
		r.verdict = hung
	default:
		r.verdict, r.by = killed, "crash"
		if m := failure.FindSubmatch(r.out); m != nil {
			r.by = string(m[1])
		}
	}
	return r
}

// try runs tests on a mutant until a test notices it: first the tests of the mutant's package that -short runs, then
// the tests of packages that use this package, then all tests of the mutant's package, then the tests in small groups.
// A quick run stops after the first of these steps.
func (w *bench) try(ctx context.Context, m *mutant, quick bool) (outcome, error) {
	type stage struct {
		pkg   string
		short bool
	}
	var stages []stage
	for _, pkg := range w.holds[m.Package] {
		stages = append(stages, stage{pkg, true})
	}
	stages = append(stages, stage{m.Package, false})
	if slices.Contains(w.project.smallOf, m.Package) {
		stages = append(stages, stage{w.project.small, false})
	}
	if quick {
		stages = stages[:1]
	}
	for _, s := range stages {
		b, err := w.binary(ctx, s.pkg)
		if err != nil {
			return outcome{}, err
		}
		suite, err := w.suite(ctx, s.pkg, s.short)
		if err != nil {
			return outcome{}, err
		}
		for _, t := range suite.tests {
			if m.unit.decl != nil && !t.reached[m.unit.first] {
				continue
			}
			r := w.run(ctx, b, m.id, s.short, t)
			if err := cmp.Or(ctx.Err(), r.err); err != nil {
				return outcome{}, err
			}
			if r.verdict != survived {
				return outcome{m.key(), r.verdict, strings.TrimSpace(s.pkg + " " + r.by), s.pkg == m.Package}, nil
			}
		}
	}
	return outcome{Key: m.key(), Verdict: survived}, nil
}

// tryAll tries mutants with j workers. It calls done with each outcome, from one goroutine at a time.
func (w *bench) tryAll(ctx context.Context, all []*mutant, quick func(*mutant) bool, j int, done func(*mutant, outcome)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan *mutant)
	go func() {
		defer close(next)
		for _, m := range all {
			select {
			case next <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	var mutex sync.Mutex
	for range j {
		workers.Go(func() {
			for m := range next {
				o, err := w.try(ctx, m, quick(m))
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						cancel(err)
					}
					return
				}
				mutex.Lock()
				done(m, o)
				mutex.Unlock()
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}
