package cli

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/bulk"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
)

// often is the time between two updates of a progress bar.
const often = 120 * time.Millisecond

// bar is a progress display in the last line of a terminal. It shows how many lines have been verified or made, or how
// many megabytes have been hashed. It is overwritten with carriage returns and spaces, which all terminals support. A
// nil bar shows nothing.
type bar struct {
	terminal     io.Writer
	start, drawn time.Time
	columns      int // width of the bar on the terminal

	total atomic.Int64 // size of all input in bytes, or the number of lines to make; 0 if it is not known
	done  atomic.Int64 // the part of total that has been read or made
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isFile reports whether a stream is a regular file, and returns its size.
func isFile(stream any) (size int64, ok bool) {
	f, ok := stream.(*os.File)
	if !ok {
		return 0, false
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}

// newBar returns a bar, or nil if standard error is not a terminal that can show a bar. It also returns nil if standard
// output is neither a terminal nor a file, because a program at the other end of a pipe often writes to the same
// terminal.
func newBar(s Streams) *bar {
	_, file := isFile(s.Out)
	if !isTerminal(s.Err) || (!isTerminal(s.Out) && !file) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &bar{terminal: s.Err, start: time.Now()}
}

// show updates the bar with the number of lines or other things, unless the last update was only a moment ago.
func (b *bar) show(n int64, noun string) {
	if b == nil || time.Since(b.drawn) < often {
		return
	}
	b.clear()
	b.drawn = time.Now()
	rate := float64(n) / max(b.drawn.Sub(b.start).Seconds(), 0.001)
	text := fmt.Sprintf("%s, %s/s", show.Count(n, noun), show.Grouped(int64(rate)))
	if total := b.total.Load(); total > 0 {
		text += fmt.Sprintf(", %d %%", min(int64(100*float64(b.done.Load())/float64(total)), 99)) // files may grow
	}
	b.columns = len(text)
	io.WriteString(b.terminal, text)
}

// expect sets total to the sum of the inputs' sizes, if all of them are regular files.
func (b *bar) expect(stdin io.Reader, inputs iter.Seq[bulk.Input]) {
	if b == nil {
		return
	}
	total := int64(0)
	for in := range inputs {
		size, ok := isFile(stdin)
		if in.Name != "-" {
			info, err := os.Stat(in.Name)
			ok = err == nil && info.Mode().IsRegular()
			if ok {
				size = info.Size()
			}
		}
		if !ok {
			return
		}
		total += size
	}
	b.total.Store(total)
}

// counted is a file whose bytes count as done when they are read.
type counted struct {
	fs.File // hides the method WriteTo of an os.File
	bar     *bar
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.File.Read(b)
	if c.bar != nil {
		c.bar.done.Add(int64(n))
	}
	return n, err
}

// clear removes the bar, so that something else can be written in its place.
func (b *bar) clear() {
	if b == nil || b.columns == 0 {
		return
	}
	fmt.Fprintf(b.terminal, "\r%*s\r", b.columns+len("^C"), "")
	b.columns, b.drawn = 0, time.Time{}
}
