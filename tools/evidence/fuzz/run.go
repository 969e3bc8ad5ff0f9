package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// outcome is what became of a target.
type outcome struct {
	took       time.Duration
	executions int64
	found      int64 // inputs that reach something new, which are kept
	failed     bool
	said       []string // beside its progress
	input      string   // file of the failing input, below the package's folder, empty if it is a seed
	again      string   // argument of -run that repeats it
}

// minimize is how often the fuzzer may try to shorten an input. By default it
// takes a minute for that, which executions are not counted in.
const minimize = "100x"

// fuzz runs a target for so long, a value of -fuzztime, or until ctx is done. It
// calls show with each line about its progress.
func fuzz(ctx context.Context, binary, dir, cache, target, fuzztime string, show func(line string)) (outcome, error) {
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime="+fuzztime,
		"-test.fuzzminimizetime="+minimize, "-test.fuzzcachedir="+cache)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it then writes what it has found
	cmd.WaitDelay = 20 * time.Second
	out, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	exit := make(chan error, 1)
	go func() {
		exit <- cmd.Wait()
		w.Close()
	}()
	var o outcome
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil && line == "" {
			break
		}
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "fuzz: elapsed:") {
			o.progress(line)
			show(line)
		} else {
			o.said = append(o.said, line)
		}
	}
	err := <-exit
	o.took = time.Since(start).Round(time.Millisecond)
	o.find()
	// One that is interrupted while it starts has not failed.
	o.failed = err != nil && !isDeadline(o.said) && (ctx.Err() == nil || o.again != "")
	if !o.failed && o.executions == 0 && ctx.Err() == nil {
		o.failed, o.said = true, []string{"its seeds took all of the time"}
	}
	return o, nil
}

var counts = regexp.MustCompile(`execs: (\d+) [^,]*(?:, new interesting: (\d+) )?`)

// progress reads the counts of a line.
func (o *outcome) progress(line string) {
	if m := counts.FindStringSubmatch(line); m != nil {
		o.executions, _ = strconv.ParseInt(m[1], 10, 64)
		o.found, _ = strconv.ParseInt(m[2], 10, 64)
	}
}

var (
	written = regexp.MustCompile(`^\s*Failing input written to (\S+)$`)
	seed    = regexp.MustCompile(`^failure while testing seed corpus entry: (\S+)$`)
)

// find looks for the input that failed in what the test said.
func (o *outcome) find() {
	for _, line := range o.said {
		if m := written.FindStringSubmatch(line); m != nil {
			o.input = filepath.FromSlash(m[1])
			o.again = strings.TrimPrefix(m[1], "testdata/fuzz/")
		} else if m := seed.FindStringSubmatch(line); m != nil {
			o.again = m[1]
		}
	}
}

// isDeadline tells whether a run failed for nothing but that its time was over,
// which the fuzzer may take for an error before Go 1.27 (go.dev/issue/75804).
func isDeadline(lines []string) bool {
	var said []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "warning: ") {
			said = append(said, line)
		}
	}
	return len(said) == 3 && strings.HasPrefix(said[0], "--- FAIL: ") && said[1] == context.DeadlineExceeded.Error() && said[2] == "FAIL"
}
