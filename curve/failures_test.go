package curve

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

// TestFailures checks the order, the messages, and what package errors finds.
func TestFailures(t *testing.T) {
	if err := (Failures{}).Err(); err != nil {
		t.Errorf("no failures: %v", err)
	}
	wrapped := fmt.Errorf("curve: x: %w", ErrRange)
	for _, c := range []struct {
		failures Failures
		message  string
	}{
		{Failures{}, "no failures"},
		{Failures{{3, wrapped}}, "curve: x: out of range (index 3)"},
		{Failures{{7, ErrLength}, {9, ErrLength}, {3, wrapped}}, "curve: x: out of range (index 3), and 2 more"},
	} {
		c.failures.Err()
		if got := c.failures.Error(); got != c.message {
			t.Errorf("%q, want %q", got, c.message)
		}
	}
	err := Failures{{7, ErrLength}, {3, wrapped}}.Err()
	var all Failures
	var first Failure
	if !errors.As(err, &all) || len(all) != 2 || !errors.As(err, &first) || first != all[0] || first.Index != 3 {
		t.Errorf("%v: %v, %v", err, all, first)
	}
	if !errors.Is(err, ErrLength) || !errors.Is(err, ErrRange) || errors.Is(err, ErrPrefix) {
		t.Error(err)
	}
	text, err := json.Marshal(err)
	if want := `["curve: x: out of range (index 3)","wrong length (index 7)"]`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}
