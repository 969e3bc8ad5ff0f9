package flood

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// execute runs the command with turns of one pass.
func execute(ctx context.Context, args ...string) (out, errs bytes.Buffer, err error) {
	cmd := New()
	cmd.SetArgs(append([]string{"--rounds", "1", "--turn", "1ns", "--items", "16"}, args...))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	return out, errs, cmd.ExecuteContext(ctx)
}

// TestFlood spoils items in every way: the command fails if a batch, or one by one, finds another number of them.
func TestFlood(t *testing.T) {
	out, errs, err := execute(t.Context(), "--n", "16", "--kind", "all", "--place", "all", "--others=false")
	if err != nil || errs.Len() > 0 || strings.Count(out.String(), "\nschnorr     16 ") != 7 {
		t.Fatalf("%v: %s%s", err, &errs, &out)
	}
	out, _, err = execute(t.Context(), "--n", "32")
	if err != nil || strings.Contains(out.String(), " - ") || !strings.Contains(out.String(), "\nnostr sig  512 1 ") {
		t.Fatalf("%v: %s", err, &out)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestMistakes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, errs, err := execute(ctx, "--n", "16", "--others=false"); !errors.Is(err, context.Canceled) || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("interrupted: %v, %s", err, &errs)
	}
	for want, args := range map[string][]string{
		"must be positive":   {"--n", "32,0"},
		`--kind: "nosuch"`:   {"--kind", "s,nosuch"},
		`--place: "nowhere"`: {"--place", "nowhere"},
		"unknown command":    {"extra"},
	} {
		if _, _, err := execute(t.Context(), args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}
