package progress

import (
	"io"
	"os"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/pty"
)

// TestSizeless looks at a terminal that has 0 columns and 0 rows, as new ones have.
func TestSizeless(t *testing.T) {
	person, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	var s screen
	go io.Copy(&s, person)
	if !Wanted(terminal, os.Stdin) {
		t.Fatal("no bar is wanted on a terminal")
	}
	b := Start(terminal, 200, "lines")
	b.Advance(50, 1234)
	s.waitFor(t, "25 % [")
	s.waitFor(t, "1,234 lines, ")
	if _, err := io.WriteString(b.Over(terminal), "a finding\n"); err != nil {
		t.Fatal(err)
	}
	s.waitFor(t, "a finding")
	b.Stop()
	terminal.Close()
}
