// Package progress shows on a terminal how far something is.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/decimal"
)

const (
	often    = 120 * time.Millisecond // how often the bar is drawn
	patience = 2 * time.Second        // how long a reading may take before the bar says so
	usual    = 80                     // columns of a terminal that does not say its size
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Wanted reports whether w is a terminal that can show a bar while a program
// writes to out. If out is a pipe it is not wanted: at the other end there often
// is a program that writes to the same terminal.
func Wanted(w, out io.Writer) bool {
	return IsTerminal(w) && os.Getenv("TERM") != "dumb" && !isPipe(out)
}

func isPipe(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// Bar is the last line of a terminal. It is drawn over itself with carriage returns and spaces, which all terminals know.
// A nil Bar shows nothing.
type Bar struct {
	terminal io.Writer
	name     string
	total    int64
	start    time.Time
	stop     chan struct{} // closed by Stop
	ended    sync.WaitGroup

	mu          sync.Mutex
	done, items int64
	reading     time.Time // when the reading began that goes on
	shown       int       // columns that the bar takes on the terminal
	stopped     bool
}

// Start shows a bar on the terminal w for something that has total steps, or an
// unknown number of them if total is 0. Its rate is that of items, whose name is
// a plural.
func Start(w io.Writer, total int64, name string) *Bar {
	b := &Bar{terminal: w, name: name, total: total, start: time.Now(), stop: make(chan struct{})}
	b.ended.Go(func() {
		tick := time.NewTicker(often)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				b.mu.Lock()
				b.draw(b.text())
				b.mu.Unlock()
			case <-b.stop:
				return
			}
		}
	})
	return b
}

// draw puts text in place of what is shown, which Ctrl-C makes two columns longer.
func (b *Bar) draw(text string) {
	columns := usual
	if f, ok := b.terminal.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			columns = n
		}
	}
	text = text[:min(len(text), columns-1)]
	rest := strings.Repeat(" ", max(0, min(b.shown+2, columns-1)-len(text)))
	io.WriteString(b.terminal, "\r"+text+rest+"\r"+text)
	b.shown = len(text)
}

// text returns what is to be shown. It is ASCII.
func (b *Bar) text() string {
	elapsed := time.Since(b.start)
	perSecond := int64(float64(b.items) / max(elapsed.Seconds(), 0.001))
	text := fmt.Sprintf("%s %s, %s/s", decimal.Grouped(b.items), b.name, decimal.Grouped(perSecond))
	if waited := time.Since(b.reading); !b.reading.IsZero() && waited >= patience {
		text += fmt.Sprintf(", waiting for input for %d s", int64(waited.Seconds()))
	}
	if b.total == 0 {
		return text + " " + clock(elapsed)
	}
	part := min(float64(b.done)/float64(b.total), 1)
	left := "--:--"
	if part > 0 {
		left = clock(time.Duration(float64(elapsed) * (1 - part) / part))
	}
	const width = 20
	full := int(part * width)
	return fmt.Sprintf("%3.0f %% [%s%s] %s %s left", 100*part, strings.Repeat("=", full), strings.Repeat("-", width-full), text, left)
}

// clock returns minutes and seconds.
func clock(d time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(d.Minutes()), int(d.Seconds())%60)
}

// Watch returns a reader of r for which the bar says so when there is long nothing to
// read.
func (b *Bar) Watch(r io.ReadCloser) io.ReadCloser {
	if b == nil {
		return r
	}
	return watched{r, b}
}

type watched struct {
	io.ReadCloser
	bar *Bar
}

func (w watched) Read(p []byte) (int, error) {
	w.bar.read(time.Now())
	defer w.bar.read(time.Time{})
	return w.ReadCloser.Read(p)
}

func (b *Bar) read(since time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reading = since
}

// Advance says that so many more steps are done, and how many items so far.
func (b *Bar) Advance(steps, items int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.items = b.done+steps, items
}

// Over returns a writer to the terminal that writes whole lines above the bar,
// and w itself if it is not a terminal or there is no bar.
func (b *Bar) Over(w io.Writer) io.Writer {
	if b == nil || !IsTerminal(w) {
		return w
	}
	return above{b, w}
}

type above struct {
	bar *Bar
	w   io.Writer
}

func (a above) Write(p []byte) (int, error) {
	a.bar.mu.Lock()
	defer a.bar.mu.Unlock()
	if a.bar.stopped {
		return a.w.Write(p)
	}
	a.bar.draw("")
	defer func() { a.bar.draw(a.bar.text()) }()
	return a.w.Write(p)
}

// Stop removes the bar.
func (b *Bar) Stop() {
	if b == nil {
		return
	}
	b.mu.Lock()
	if !b.stopped {
		b.stopped = true
		close(b.stop)
	}
	b.mu.Unlock()
	b.ended.Wait()
	b.draw("")
}
