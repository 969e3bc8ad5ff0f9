//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

func command(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, self, args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), asCommand+"=1", "TERM=xterm")
	return c
}

// A frame is a state of the progress bar and when the terminal got it.
type frame struct {
	after   time.Duration
	percent int
}

// screen records what a program writes to its terminal.
type screen struct {
	mu     sync.Mutex
	start  time.Time
	text   bytes.Buffer
	frames []frame
}

var percentage = regexp.MustCompile(`(\d+) % +\[`)

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	for _, m := range percentage.FindAllSubmatch(p, -1) {
		percent, _ := strconv.Atoi(string(m[1]))
		s.frames = append(s.frames, frame{time.Since(s.start), percent})
	}
	return len(p), nil
}

func (s *screen) seen() (string, []frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String(), s.frames[:len(s.frames):len(s.frames)]
}

// small is a terminal that is narrower than most.
var small = pty.Winsize{Rows: 24, Cols: 60}

// onTerminal runs a program on a terminal of its own, and during once it runs.
func onTerminal(t *testing.T, c *exec.Cmd, size pty.Winsize, during func(*os.File, *screen)) (s *screen, took time.Duration) {
	t.Helper()
	s = &screen{start: time.Now()}
	terminal, err := pty.StartWithSize(c, &size)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(s, terminal) // ends with an error when the program does
	}()
	if during != nil {
		during(terminal, s)
	}
	c.Wait()
	took = time.Since(s.start)
	<-read
	return s, took
}

// TestProgress looks at the bar from the beginning to the end of a run.
func TestProgress(t *testing.T) {
	c := command(t.Context(), t, "--engines", "p256k1,btcec", "--rounds", "6", "--time", "20ms", "--corpus", "64", "--page", "none",
		"--ops", "ecdsa-verify,schnorr-verify,derive,ecdh")
	s, took := onTerminal(t, c, small, nil)
	text, frames := s.seen()
	if status := c.ProcessState.ExitCode(); status != 0 || len(frames) == 0 {
		t.Fatalf("status %d, %d frames\n%s", status, len(frames), text[:min(len(text), 2000)])
	}
	// A busy machine may hold a frame back, but not for half of the run.
	gap := max(time.Second, took/2)
	last := frame{}
	for _, f := range append(frames, frame{took, 100}) {
		if f.after-last.after > gap {
			t.Errorf("between %v and %v of %v nothing was to be seen", last.after, f.after, took)
		}
		if f.percent < last.percent {
			t.Errorf("back from %d %% to %d %%", last.percent, f.percent)
		}
		if f.percent > last.percent+50 {
			t.Errorf("from %d %% to %d %% at once", last.percent, f.percent)
		}
		last = f
	}
	for _, want := range []string{"round 3 of 6", " left, "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q was not to be seen in\n%s", want, text[:min(len(text), 2000)])
		}
	}
	if _, report, found := strings.Cut(text, "processor "); !found || percentage.MatchString(report) {
		t.Errorf("no report, or the bar in it:\n%s", report)
	}
	if t.Failed() {
		t.Log(frames)
	}
}

// TestInterruptedOnTerminal types Ctrl-C, which reaches the command and its
// children.
func TestInterruptedOnTerminal(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := command(ctx, t, "--engines", "p256k1,btcec", "--rounds", "100000", "--time", "20ms", "--corpus", "4", "--ops", "derive")
	s, _ := onTerminal(t, c, small, func(terminal *os.File, s *screen) {
		for ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
			if text, _ := s.seen(); strings.Contains(text, "round ") {
				break
			}
		}
		fmt.Fprint(terminal, "\x03")
	})
	text, _ := s.seen()
	if status := c.ProcessState.ExitCode(); status != statusInterrupted {
		t.Errorf("status %d, want %d", status, statusInterrupted)
	}
	_, report, found := strings.Cut(text, "INCOMPLETE: ")
	if !found || percentage.MatchString(report) || !strings.Contains(report, "interrupted: the report is incomplete, and says so") {
		t.Errorf("after Ctrl-C:\n%s", text[max(0, len(text)-2000):])
	}
	for _, trouble := range []string{"panic", "goroutine ", "signal: ", "exit status", "bench: "} {
		if strings.Contains(text, trouble) {
			t.Errorf("%q after Ctrl-C", trouble)
		}
	}
}
