package progress

import (
	"strings"
	"testing"
)

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
