package flood

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestFlood spoils items in every way: the command fails if a batch, or one by one, finds another number of them.
func TestFlood(t *testing.T) {
	leastItems, leastTime, subjects[0].sizes = 16, 1, []int{16}
	var out bytes.Buffer
	cmd := New()
	cmd.SetArgs([]string{"--worst", "--rounds", "1"})
	cmd.SetOut(&out)
	if err := cmd.ExecuteContext(t.Context()); err != nil || strings.Count(out.String(), "\nschnorr     16 ") != 7 ||
		strings.Count(out.String(), "\necdsa") != 7 || strings.Count(out.String(), "\nnostr") != 7 {
		t.Errorf("%v: %s", err, &out)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(line); n > 81 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := cmd.ExecuteContext(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestPool runs the command, which fails if a verdict is wrong.
func TestPool(t *testing.T) {
	turn = time.Millisecond
	for _, flag := range []string{"--ecdsa=false", "--ecdsa"} {
		var out bytes.Buffer
		cmd := NewPool()
		cmd.SetArgs([]string{"--rounds", "1", flag})
		cmd.SetOut(&out)
		if err := cmd.ExecuteContext(t.Context()); err != nil || strings.Count(out.String(), "\n") != 24 {
			t.Errorf("%s: %v\n%s", flag, err, &out)
		}
	}
}
