package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"
)

// check is one piece of evidence.
type check struct {
	name  string
	shows string
	short []step
	long  []step // nil if there is no longer form
	alone bool   // what it shows depends on the clock, so that nothing else may run
}

func (c check) steps(long bool) []step {
	if long && c.long != nil {
		return c.long
	}
	return c.short
}

// step is a command: NAME=VALUE words, then a program and its arguments, all
// without spaces. {python} stands for the interpreter, {tmp} for a directory.
type step string

// state is how a check ended.
type state string

const (
	passed state = "passed"
	failed state = "failed"
	notRun state = "not run" // since the run was interrupted
)

type result struct {
	check   check
	steps   []step
	state   state
	figures []string // what the steps printed after "result: "
	tail    string   // the end of the output of a step that failed
	time    time.Duration
}

type runner struct {
	long   bool
	fill   *strings.Replacer
	jobs   int // how many checks run at a time
	stderr io.Writer

	mutex   sync.Mutex
	running []string
}

// run runs the checks until ctx is done: those that may have company, jobs at a
// time, then the others.
func (r *runner) run(ctx context.Context, all []check) []result {
	results := make([]result, len(all))
	var shared, alone []*result
	for i, c := range all {
		results[i] = result{check: c, steps: c.steps(r.long), state: notRun}
		if c.alone {
			alone = append(alone, &results[i])
		} else {
			shared = append(shared, &results[i])
		}
	}
	next := make(chan *result)
	var lanes sync.WaitGroup
	for range r.jobs {
		lanes.Go(func() {
			for res := range next {
				r.one(ctx, res)
			}
		})
	}
	for _, res := range shared {
		next <- res
	}
	close(next)
	lanes.Wait()
	for _, res := range alone {
		r.one(ctx, res)
	}
	return results
}

// one runs a check and says so.
func (r *runner) one(ctx context.Context, res *result) {
	if ctx.Err() != nil {
		return
	}
	r.report(func() { r.running = append(r.running, res.check.name) })
	start := time.Now()
	state := r.steps(ctx, res)
	res.time = time.Since(start)
	if ctx.Err() == nil {
		res.state = state
	}
	r.report(func() {
		r.running = slices.DeleteFunc(r.running, func(name string) bool { return name == res.check.name })
		fmt.Fprintf(r.stderr, "%-14s %-8s %v\n", res.check.name, res.state, res.time.Round(time.Second))
	})
}

// report calls change, one at a time, and shows on a terminal what runs.
func (r *runner) report(change func()) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	f, ok := r.stderr.(*os.File)
	terminal := ok && term.IsTerminal(int(f.Fd()))
	if terminal {
		fmt.Fprint(r.stderr, "\r\x1b[K")
	}
	change()
	if terminal {
		fmt.Fprint(r.stderr, strings.Join(r.running, ", "))
	}
}

// steps runs the steps of a check until one fails. A check that prints no figures
// has not shown anything, and fails too.
func (r *runner) steps(ctx context.Context, res *result) state {
	for _, s := range res.steps {
		output, err := r.command(ctx, s)
		res.figures = append(res.figures, figures(output)...)
		if err != nil {
			res.tail = fmt.Sprintf("%s\n%s", err, lastLines(output, 40))
			return failed
		}
	}
	if len(res.figures) == 0 {
		res.tail = "no figures were printed"
		return failed
	}
	return passed
}

// command runs a step, as a process group so that all of it ends with ctx.
func (r *runner) command(ctx context.Context, s step) ([]byte, error) {
	words := strings.Fields(r.fill.Replace(string(s)))
	env := os.Environ()
	for strings.Contains(words[0], "=") {
		env = append(env, words[0])
		words = words[1:]
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	var output bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = 20 * time.Second
	err := cmd.Run()
	return output.Bytes(), err
}

var figureLine = regexp.MustCompile(`(?m)(?:^|\s)result: (.*)$`)

// figures returns what follows "result: " in the lines of an output.
func figures(output []byte) (all []string) {
	for _, m := range figureLine.FindAllSubmatch(output, -1) {
		all = append(all, strings.TrimSpace(string(m[1])))
	}
	return all
}

// lastLines returns the last n lines.
func lastLines(output []byte, n int) string {
	lines := strings.Split(strings.TrimRight(string(output), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
