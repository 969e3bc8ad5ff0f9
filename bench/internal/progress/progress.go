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
	b := &Bar{container: mpb.New(mpb.WithOutput(w), mpb.WithWidth(40)), start: time.Now()}
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
	if s.Current > 0 {
		left := time.Duration(float64(time.Since(b.start)) * float64(s.Total-s.Current) / float64(s.Current)).Round(time.Second)
		text += fmt.Sprintf(", %d:%02d left", left/time.Minute, left%time.Minute/time.Second)
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
