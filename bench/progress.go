package main

import (
	"io"
	"os"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// bar shows on a terminal how far the run is, and nothing elsewhere.
type bar struct {
	container *mpb.Progress
	bar       *mpb.Bar
	what      atomic.Pointer[string]
}

func startBar(w io.Writer) *bar {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return new(bar)
	}
	b := &bar{container: mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))}
	what := decor.Any(func(decor.Statistics) string {
		if s := b.what.Load(); s != nil {
			return " " + *s + " "
		}
		return " "
	})
	b.bar = b.container.New(1, mpb.BarStyle().Lbound("[").Rbound("]"),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Percentage(decor.WC{W: 4})),
		mpb.AppendDecorators(what, decor.AverageETA(decor.ET_STYLE_MMSS), decor.Name(" left")))
	return b
}

func (b *bar) set(done, total int, what string) {
	if b.bar == nil {
		return
	}
	b.what.Store(&what)
	b.bar.SetTotal(int64(total), false)
	b.bar.SetCurrent(int64(done))
}

func (b *bar) stop() {
	if b.bar == nil {
		return
	}
	b.bar.Abort(true)
	b.container.Wait()
}
