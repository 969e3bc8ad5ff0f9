package main

import (
	"cmp"
	"context"
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

	"golang.org/x/sync/errgroup"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/evidence/internal/small"
	"p256k1.mleku.dev/v2/tools/internal/must"
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
	tags     string
	holds    map[string][]string // by mutated package: the packages whose tests are tried
	schemata string              // the overlay of all mutants
	small    string              // the part of the overlay for small groups, with the files that make the groups small
	binaries memo[string, string]
	suites   memo[stage, []test]
}

// A memo stores a value for each key.
type memo[K, V any] struct{ values sync.Map }

// get returns the value of a key, which it computes the first time.
func (m *memo[K, V]) get(key K, compute func() V) V {
	value, _ := m.values.LoadOrStore(key, sync.OnceValue(compute))
	return value.(func() V)()
}

// A stage is a part of the tests of a package: all of them, or the tests that -short runs.
type stage struct {
	pkg   string
	short bool
}

// A test is a test function of a package.
type test struct {
	pattern string // pattern that matches only its name
	time    time.Duration
	reached []string // the functions that it calls, each as the number of the first mutant of its unit
}

// newBench writes the schemata of the mutants into dir.
func newBench(p *project, dir, tags string, all []*mutant) *bench {
	w := &bench{project: p, dir: dir, tags: tags, holds: p.dependants()}
	schemata, groups := must.Get(patch.New(p.root)), new(patch.Patch)
	if p.small != "" {
		// The files for small groups replace mutated files, so mutants of these files are not tried in small groups.
		groups = must.Get(small.Patch(p.root))
	}
	for id := 1; len(all) > 0; {
		l := all[0].unit.file.library
		n := len(all)
		if i := slices.IndexFunc(all, func(m *mutant) bool { return m.unit.file.library != l }); i > 0 {
			n = i
		}
		for path, text := range newSchema(l, all[:n], id, switchFile(l.Name)) {
			must.Do(schemata.Add(path, text))
			if slices.Contains(p.smallOf, l.dir) {
				must.Do(groups.Add(path, text))
			}
		}
		all, id = all[n:], id+n
	}
	w.schemata = must.Get(schemata.Write(filepath.Join(dir, "all")))
	w.small = must.Get(groups.Write(filepath.Join(dir, "small")))
	return w
}

// command returns a command, as exec.CommandContext does, in a separate process group, so that Ctrl-C on the terminal
// does not look like a failing test. It runs in the directory of a package.
func (p *project) command(ctx context.Context, pkg, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = filepath.Join(p.root, filepath.FromSlash(pkg))
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}

// binary compiles the tests of a package with all mutants, once, and returns the path of the program.
func (w *bench) binary(ctx context.Context, pkg string) string {
	return w.binaries.get(pkg, func() string {
		tags, overlay := w.tags, w.schemata
		if pkg == w.project.small {
			tags, overlay = tags+","+w.project.smallTags, w.small
		}
		binary := filepath.Join(w.dir, strings.ReplaceAll(pkg, "/", "_")+".test")
		must.Get(must.Output(w.project.command(ctx, pkg, "go", "test", "-c", "-vet=off", "-tags="+tags, "-overlay="+overlay, "-o", binary, ".")))
		return binary
	})
}

// suite returns the tests of a stage, the quickest first, with the functions that each calls and the time it takes. The
// tests must pass without a mutant.
func (w *bench) suite(ctx context.Context, s stage) []test {
	return w.suites.get(s, func() (tests []test) {
		binary := w.binary(ctx, s.pkg)
		names := must.Get(w.project.command(ctx, s.pkg, binary, "-test.list=^(Test|Fuzz|Example)").Output())
		skip := regexp.MustCompile(cmp.Or(w.project.skip, "^$"))
		record := fmt.Sprintf("%s.%v.reached", binary, s.short)
		for name := range strings.FieldsSeq(string(names)) {
			if skip.MatchString(name) {
				continue
			}
			must.Do(os.WriteFile(record, nil, 0o666))
			t := test{"^" + name + "$", 2 * time.Minute, nil}
			r := w.run(ctx, s, 0, t, recordVariable+"="+record)
			if r.verdict != survived {
				must.Do(fmt.Errorf("the tests of %s fail without a mutant:\n%s", s.pkg, r.out))
			}
			reached := must.Get(os.ReadFile(record))
			tests = append(tests, test{t.pattern, r.time, strings.Fields(string(reached))})
		}
		slices.SortFunc(tests, func(a, b test) int { return cmp.Compare(a.time, b.time) })
		return tests
	})
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// memory limits the address space of the tests of a mutant, in KiB. The limit leaves enough for Go's reservations, and
// stops a loop that allocates.
const memory = 8 << 20

// A result is the result of running tests.
type result struct {
	verdict verdict
	killer  string // the first test that failed
	out     []byte
	time    time.Duration // the processor time
}

// run runs a test of a stage in the directory of its package, with the mutant id, or without a mutant for id 0. The
// processor time of the test is limited to several times its time without a mutant. Other load hardly changes it.
func (w *bench) run(ctx context.Context, s stage, id int, t test, env ...string) (r result) {
	limit := time.Second + 5*t.time
	seconds := int(limit/time.Second) + 1
	inTime, cancel := context.WithTimeout(ctx, 5*time.Minute+20*limit) // limit for a test that waits
	defer cancel()
	c := w.project.command(inTime, s.pkg, "/bin/sh", "-c", fmt.Sprintf(`ulimit -v %d; ulimit -t %d; exec "$@"`, memory, seconds), "sh",
		w.binary(ctx, s.pkg), "-test.failfast", "-test.timeout=0", "-test.run="+t.pattern, fmt.Sprintf("-test.short=%t", s.short))
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", switchVariable, id), "GOMAXPROCS=1")
	c.Env = append(c.Env, env...)
	c.WaitDelay = time.Second
	out, err := c.CombinedOutput()
	must.Do(ctx.Err())
	if c.ProcessState == nil {
		must.Do(err) // the program did not start
	}
	r.out = out
	r.time = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	switch failed := failure.FindSubmatch(r.out); {
	case c.ProcessState.Success():
		r.verdict = survived
	case inTime.Err() != nil || r.time >= limit:
		r.verdict = hung
	case failed == nil:
		r.verdict, r.killer = killed, "crash"
	default:
		r.verdict, r.killer = killed, string(failed[1])
	}
	return r
}

// try runs tests on a mutant until a test notices it: first the tests of the mutant's package that -short runs, then
// the tests of packages that use this package, then all tests of the mutant's package, then the tests in small groups.
// A quick run stops after the first of these steps.
func (w *bench) try(ctx context.Context, m *mutant, quick bool) outcome {
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
		for _, t := range w.suite(ctx, s) {
			if m.unit.decl != nil && !slices.Contains(t.reached, strconv.Itoa(m.unit.first)) {
				continue
			}
			if r := w.run(ctx, s, m.id, t); r.verdict != survived {
				return outcome{m.key(), r.verdict, strings.TrimSpace(s.pkg + " " + r.killer), s.pkg == m.Package}
			}
		}
	}
	return outcome{Key: m.key(), Verdict: survived}
}

// tryAll tries mutants with j workers. It calls done with each outcome, from one goroutine at a time.
func (w *bench) tryAll(ctx context.Context, all []*mutant, quick func(*mutant) bool, j int, done func(outcome)) {
	var mutex sync.Mutex
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(j)
	for _, m := range all {
		workers.Go(func() (err error) {
			defer must.Recover(&err)
			o := w.try(ctx, m, quick(m))
			mutex.Lock()
			defer mutex.Unlock()
			done(o)
			return nil
		})
	}
	must.Do(workers.Wait())
}
