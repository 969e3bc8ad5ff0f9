// Package progress shows on a terminal how far something is.
package progress

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Wanted reports whether w is a terminal that can show a bar while a program
// writes to out. If out is a pipe it is not wanted: at the other end there often
// is a program that writes to the same terminal. Some systems have no bar.
func Wanted(w, out io.Writer) bool {
	return supported && IsTerminal(w) && os.Getenv("TERM") != "dumb" && !isPipe(out)
}

// sizeless reports whether w is a terminal that does not say its size, as those that
// programs open for programs often do not.
func sizeless(w io.Writer) bool {
	if !IsTerminal(w) {
		return false
	}
	width, height, err := term.GetSize(int(w.(*os.File).Fd()))
	return err == nil && (width == 0 || height == 0)
}

func isPipe(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}
