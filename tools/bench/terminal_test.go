//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/bench/measure"
)

// onTerminal runs the command on a separate terminal, which is narrower than most terminals. It types the given text as
// soon as the command says that a round runs.
func onTerminal(t *testing.T, text string, args ...string) (screen string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	self := libtest.Must(os.Executable())
	c := exec.CommandContext(ctx, self, args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), asCommand+"=1", "TERM=xterm")
	terminal := libtest.Must(pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: 60}))
	defer terminal.Close()
	buffer := make([]byte, 4096)
	var err error
	for err == nil { // reads until the program ends
		var n int
		n, err = terminal.Read(buffer)
		screen += string(buffer[:n])
		if text != "" && strings.Contains(screen, "round ") {
			fmt.Fprint(terminal, text)
			text = ""
		}
	}
	c.Wait()
	return screen, c.ProcessState.ExitCode()
}

var percentage = regexp.MustCompile(`(\d+) % +\[`)

// TestInterruptedOnTerminal looks for the progress bar and types Ctrl-C, which reaches the command and its children.
func TestInterruptedOnTerminal(t *testing.T) {
	screen, status := onTerminal(t, "\x03", "--engines", "p256k1,btcec", "--rounds", "100000", "--time", "20ms", "--corpus", "4", "--ops", "derive")
	if status != measure.StatusInterrupted {
		t.Errorf("status %d, want %d", status, measure.StatusInterrupted)
	}
	before, report, found := strings.Cut(screen, "INCOMPLETE: ")
	wants(t, before, "making keys", "round 1 of 100000")
	if !found || percentage.MatchString(report) || !strings.Contains(report, "interrupted: the report is incomplete, and says so") {
		t.Errorf("after Ctrl-C:\n%s", screen[max(0, len(screen)-2000):])
	}
	for _, trouble := range []string{"panic", "goroutine ", "signal: ", "exit status", "bench: "} {
		if strings.Contains(screen, trouble) {
			t.Errorf("%q after Ctrl-C", trouble)
		}
	}
}
