package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// check is one kind of evidence: a list of steps.
type check struct {
	name  string
	shows string
	short []step
	long  []step // nil if there is no longer form
	alone bool   // the check measures time, so no other check may run at the same time
}

// step is a command: words of the form NAME=VALUE, then a program and its arguments, all without spaces. {python}
// stands for the Python interpreter, and {tmp} for a temporary folder.
type step string

// result is the result of a check.
type result struct {
	check
	steps   []step
	state   string            // passed, failed or not run
	figures map[step][]string // texts after "result: " in the output
	tail    string            // why it failed: the end of the output
	time    time.Duration
}

// runner runs checks, several at a time.
type runner struct {
	fill *strings.Replacer
	jobs int
	log  io.Writer
}

// run runs the checks until ctx is done: first the checks that may run at the same time as others, then the rest.
func (r *runner) run(ctx context.Context, results []result) {
	for _, alone := range []bool{false, true} {
		var running sync.WaitGroup
		jobs := make(chan struct{}, r.jobs)
		for i := range results {
			if res := &results[i]; res.alone == alone {
				jobs <- struct{}{}
				running.Go(func() {
					r.one(ctx, res)
					<-jobs
				})
				if alone {
					running.Wait()
				}
			}
		}
		running.Wait()
	}
}

// one runs the steps of a check until a step fails. A step that prints no figures also fails, because it has shown
// nothing, unless it only builds a program.
func (r *runner) one(ctx context.Context, res *result) {
	start := time.Now()
	res.state, res.figures = "passed", map[step][]string{}
	for _, s := range res.steps {
		output, err := r.command(ctx, s)
		for _, m := range figureLine.FindAllSubmatch(output, -1) {
			res.figures[s] = append(res.figures[s], strings.TrimSpace(string(m[1])+string(m[2])))
		}
		if err == nil && res.figures[s] == nil && !strings.Contains(string(s), " -c -o ") {
			err = errors.New("no figures were printed")
		}
		if err != nil {
			lines := strings.Split(strings.TrimRight(string(output), "\n"), "\n")
			res.state, res.tail = "failed", err.Error()+"\n"+strings.Join(lines[max(0, len(lines)-40):], "\n")
			break
		}
	}
	if ctx.Err() != nil {
		res.state = "not run"
	}
	res.time = time.Since(start)
	fmt.Fprintf(r.log, "%-14s %-8s %v\n", res.name, res.state, res.time.Round(time.Second))
}

var figureLine = regexp.MustCompile(`(?m)(?:^|\s)result: (.*)$|^Ran ([1-9].*)$`) // Python's unittest prints "Ran 65 tests in 9s"

// command runs a step as a process group, so that all of its processes end with ctx.
func (r *runner) command(ctx context.Context, s step) ([]byte, error) {
	words, env := strings.Fields(r.fill.Replace(string(s))), os.Environ()
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
