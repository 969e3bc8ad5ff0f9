// Package progress shows the progress of a task on a terminal.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Line is the last line of a terminal. The zero value shows nothing.
type Line struct {
	w io.Writer
}

// On returns the last line of w. It shows nothing unless w is a terminal.
func On(w io.Writer) Line {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		return Line{w}
	}
	return Line{}
}

// Show replaces the text of the line. An empty text removes the line.
func (l Line) Show(format string, args ...any) {
	if l.w != nil {
		// The line is written from the first column, because Ctrl-C leaves ^C behind. It ends without a line feed, and
		// is cut at the margin instead of wrapped.
		fmt.Fprintf(l.w, "\r\x1b[?7l\x1b[K"+format+"\x1b[?7h", args...)
	}
}

// A Bar is a line about a known number of steps.
type Bar struct {
	line  Line
	start time.Time

	w    io.Writer
	said time.Time // time of the last line, if the output is not a terminal
}

// Start shows what is being done before the first step.
func Start(w io.Writer, what string) *Bar {
	b := &Bar{On(w), time.Now(), w, time.Now()}
	b.line.Show("%s", what)
	return b
}

// interval is the time between two lines if the output is not a terminal.
const interval = 20 * time.Second

// Set shows the number of finished steps, the total, and what is being done.
func (b *Bar) Set(done, total int, what string) {
	const width = 30
	text := fmt.Sprintf("%3d %% [%-*s] ", 100*done/total, width, strings.Repeat("=", width*done/total))
	if 50*done >= total { // an earlier estimate would be wild
		left := time.Duration(float64(time.Since(b.start)) * float64(total-done) / float64(done)).Round(time.Second)
		text += fmt.Sprintf("%d:%02d left, ", left/time.Minute, left%time.Minute/time.Second)
	}
	b.line.Show("%s%s", text, what)
	if b.line.w == nil && time.Since(b.said) > interval && done < total {
		b.said = time.Now()
		fmt.Fprintf(b.w, "%d %%, %s\n", 100*done/total, what)
	}
}

// Stop removes the bar.
func (b *Bar) Stop() { b.line.Show("") }
