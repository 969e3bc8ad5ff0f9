package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/decimal"
)

// often is the time between two updates of a progress bar.
const often = 120 * time.Millisecond

// bar is a progress display in the last line of a terminal. It shows how many lines have been verified. It is
// overwritten with carriage returns and spaces, which all terminals support. A nil bar shows nothing.
type bar struct {
	terminal     io.Writer
	start, drawn time.Time
	columns      int // width of the bar on the terminal
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newBar returns a bar, or nil if standard error is not a terminal that can show a bar. It also returns nil if
// standard output is not a terminal, because a program at the other end of a pipe often writes to the same terminal.
func newBar(s Streams) *bar {
	if !isTerminal(s.Err) || !isTerminal(s.Out) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &bar{terminal: s.Err, start: time.Now()}
}

// show updates the bar with the number of lines, unless the last update was only a moment ago.
func (b *bar) show(lines int64) {
	if b == nil || time.Since(b.drawn) < often {
		return
	}
	b.clear()
	b.drawn = time.Now()
	rate := float64(lines) / max(b.drawn.Sub(b.start).Seconds(), 0.001)
	b.columns, _ = fmt.Fprintf(b.terminal, "%s, %s/s", decimal.Count(lines, "line"), decimal.Grouped(int64(rate)))
}

// clear removes the bar, so that something else can be written in its place.
func (b *bar) clear() {
	if b == nil || b.columns == 0 {
		return
	}
	fmt.Fprintf(b.terminal, "\r%*s\r", b.columns+len("^C"), "")
	b.columns, b.drawn = 0, time.Time{}
}
