package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
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
	stderr io.Writer
}

// run runs the checks one after the other until ctx is done.
func (r *runner) run(ctx context.Context, all []check) []result {
	results := make([]result, len(all))
	for i, c := range all {
		results[i] = result{check: c, steps: c.steps(r.long), state: notRun}
		if ctx.Err() != nil {
			continue
		}
		r.progress("%d of %d: %s", i+1, len(all), c.name)
		r.one(ctx, &results[i])
		if ctx.Err() != nil {
			results[i].state = notRun
		}
		r.progress("")
		fmt.Fprintf(r.stderr, "%-14s %-8s %v\n", c.name, results[i].state, results[i].time.Round(time.Second))
	}
	return results
}

// progress shows a line that the next one replaces, on a terminal.
func (r *runner) progress(format string, args ...any) {
	if f, ok := r.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(r.stderr, "\r\x1b[K"+format, args...)
	}
}

// one runs the steps of a check until one fails. A check that prints no figures
// has not shown anything, and fails too.
func (r *runner) one(ctx context.Context, res *result) {
	start := time.Now()
	defer func() { res.time = time.Since(start) }()
	res.state = failed
	for _, s := range res.steps {
		output, err := r.command(ctx, s)
		res.figures = append(res.figures, figures(output)...)
		if err != nil {
			res.tail = fmt.Sprintf("%s\n%s", err, lastLines(output, 40))
			return
		}
	}
	if len(res.figures) == 0 {
		res.tail = "no figures were printed"
		return
	}
	res.state = passed
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
