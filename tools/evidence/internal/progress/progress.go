// Package progress shows on a terminal how far something is.
package progress

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Line is the last line of a terminal. The zero value shows nothing.
type Line struct {
	w io.Writer
}

// On returns the last line of w, which shows nothing unless w is a terminal.
func On(w io.Writer) Line {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		return Line{w}
	}
	return Line{}
}

// Show replaces what the line says. With no text it is gone.
func (l Line) Show(format string, args ...any) {
	if l.w != nil {
		// From the first column, since Ctrl-C leaves ^C behind; without a line
		// feed, and cut at the margin instead of wrapped.
		fmt.Fprintf(l.w, "\r\x1b[?7l\x1b[K"+format+"\x1b[?7h", args...)
	}
}
