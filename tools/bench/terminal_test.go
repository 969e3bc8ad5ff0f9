//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// onTerminal runs the command on a terminal of its own, narrower than most. It
// types the text once the command says that a round runs.
func onTerminal(t *testing.T, text string, args ...string) (screen string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, self, args...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), asCommand+"=1", "TERM=xterm")
	terminal, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: 60})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	buffer := make([]byte, 4096)
	for err == nil { // until the program ends
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

// TestProgress looks at the bar from the beginning to the end of a run.
func TestProgress(t *testing.T) {
	screen, status := onTerminal(t, "", "--engines", "p256k1,btcec", "--rounds", "6", "--time", "20ms", "--corpus", "64",
		"--ops", "ecdsa-verify,schnorr-verify,derive,ecdh")
	before, report, found := strings.Cut(screen, "processor ")
	if status != 0 || !found || percentage.MatchString(report) {
		t.Fatalf("status %d, no report, or the bar in it:\n%s", status, screen)
	}
	last := 0
	for _, m := range percentage.FindAllStringSubmatch(before+"100 % [", -1) {
		percent, _ := strconv.Atoi(m[1])
		if percent < last || percent > last+20 {
			t.Errorf("from %d %% to %d %%", last, percent)
		}
		last = percent
	}
	for _, want := range []string{"making keys", "round 3 of 6", " left, "} {
		if !strings.Contains(before, want) {
			t.Errorf("%q was not to be seen in\n%s", want, before)
		}
	}
}

// TestInterruptedOnTerminal types Ctrl-C, which reaches the command and its
// children.
func TestInterruptedOnTerminal(t *testing.T) {
	screen, status := onTerminal(t, "\x03", "--engines", "p256k1,btcec", "--rounds", "100000", "--time", "20ms", "--corpus", "4", "--ops", "derive")
	if status != statusInterrupted {
		t.Errorf("status %d, want %d", status, statusInterrupted)
	}
	_, report, found := strings.Cut(screen, "INCOMPLETE: ")
	if !found || percentage.MatchString(report) || !strings.Contains(report, "interrupted: the report is incomplete, and says so") {
		t.Errorf("after Ctrl-C:\n%s", screen[max(0, len(screen)-2000):])
	}
	for _, trouble := range []string{"panic", "goroutine ", "signal: ", "exit status", "bench: "} {
		if strings.Contains(screen, trouble) {
			t.Errorf("%q after Ctrl-C", trouble)
		}
	}
}
