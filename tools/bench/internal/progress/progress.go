// Package progress shows on a terminal how far a run is.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Bar is a progress bar. A nil Bar shows nothing.
type Bar struct {
	container *mpb.Progress
	bar       *mpb.Bar
	start     time.Time
	what      atomic.Pointer[string]
}

// Start shows a bar and what is being done on w, and returns nil if w is not a
// terminal.
func Start(w io.Writer, what string) *Bar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	options := []mpb.ContainerOption{mpb.WithWidth(40), mpb.WithOutput(w)}
	if width, height, err := term.GetSize(int(f.Fd())); err == nil && (width == 0 || height == 0) {
		// The library draws nothing on a terminal of no size, as those are that programs
		// open for programs, and 80 columns where it sees none.
		options = []mpb.ContainerOption{mpb.WithAutoRefresh(), mpb.WithOutput(struct{ io.Writer }{w})}
	}
	b := &Bar{container: mpb.New(options...), start: time.Now()}
	b.what.Store(&what)
	// The library lets the total of a bar change only if the bar is made with 0.
	b.bar = b.container.New(0, mpb.BarStyle().Lbound("[").Rbound("]"),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Percentage(decor.WC{W: 5})),
		mpb.AppendDecorators(decor.Any(b.text)))
	return b
}

// text is what stands behind the bar.
func (b *Bar) text(s decor.Statistics) string {
	text := *b.what.Load()
	if s.Total > 0 && 50*s.Current >= s.Total { // earlier a guess would be wild
		left := time.Duration(float64(time.Since(b.start)) * float64(s.Total-s.Current) / float64(s.Current)).Round(time.Second)
		text = fmt.Sprintf("%d:%02d left, %s", left/time.Minute, left%time.Minute/time.Second, text)
	}
	return text
}

// Set says how many steps are done, of how many, and what is being done.
func (b *Bar) Set(done, total int, what string) {
	if b == nil {
		return
	}
	b.what.Store(&what)
	b.bar.SetTotal(int64(total), false)
	b.bar.SetCurrent(int64(done))
}

// Stop removes the bar.
func (b *Bar) Stop() {
	if b == nil {
		return
	}
	b.bar.Abort(true)
	b.container.Wait()
}
