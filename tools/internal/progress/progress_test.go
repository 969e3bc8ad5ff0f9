package progress

import (
	"strings"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1: "-1", -123: "-123", -1234: "-1,234"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// TestSetWithoutTerminal checks the line that is written from time to time.
func TestSetWithoutTerminal(t *testing.T) {
	var b strings.Builder
	bar := Start(&b, "what")
	bar.Set(1, 4, "early")
	bar.said = bar.said.Add(-interval)
	bar.Set(2, 4, "round 1")
	bar.Set(3, 4, "just after")
	bar.Stop()
	if b.String() != "50 %, round 1\n" {
		t.Errorf("%q", b.String())
	}
}
