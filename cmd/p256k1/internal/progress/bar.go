//go:build !aix && !js && !plan9 && !wasip1

package progress

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/decimal"
)

const supported = true

// Bar is a progress bar. A nil Bar shows nothing.
type Bar struct {
	terminal  io.Writer
	container *mpb.Progress
	bar       *mpb.Bar
	start     time.Time
	items     atomic.Int64
	reading   atomic.Int64 // when the reading began that goes on, in ns since start; 0 if there is none
}

// patience is how long a reading may take before the bar says so.
const patience = 2 * time.Second

// Start shows a bar on the terminal w for something that has total steps, or an
// unknown number of them if total is 0. Its rate is that of items, whose name is
// a plural.
func Start(w io.Writer, total int64, name string) *Bar {
	return start(w, total, name)
}

func start(w io.Writer, total int64, name string, options ...mpb.ContainerOption) *Bar {
	b := &Bar{terminal: w, start: time.Now()}
	if sizeless(w) {
		// The library draws nothing on a terminal of no size, and 80 columns where it
		// sees none.
		options, w = append(options, mpb.WithAutoRefresh()), struct{ io.Writer }{w}
	}
	b.container = mpb.New(append(options, mpb.WithOutput(w))...)
	rate := decor.Any(func(decor.Statistics) string { return b.rate(name) })
	if total > 0 {
		b.bar = b.container.New(total, mpb.BarStyle().Lbound("[").Rbound("]"),
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Percentage(decor.WC{W: 4})),
			mpb.AppendDecorators(rate, decor.Name(" "), decor.AverageETA(decor.ET_STYLE_MMSS), decor.Name(" left")))
	} else {
		b.bar = b.container.New(0, mpb.NopStyle(),
			mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(rate, decor.Name(" "), decor.Elapsed(decor.ET_STYLE_MMSS)))
	}
	return b
}

func (b *Bar) rate(name string) string {
	items := b.items.Load()
	perSecond := int64(float64(items) / max(time.Since(b.start).Seconds(), 0.001))
	text := fmt.Sprintf("%s %s, %s/s", decimal.Grouped(items), name, decimal.Grouped(perSecond))
	if since := b.reading.Load(); since != 0 {
		if waited := time.Since(b.start) - time.Duration(since); waited >= patience {
			text += fmt.Sprintf(", waiting for input for %d s", int64(waited.Seconds()))
		}
	}
	return text
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
	w.bar.reading.Store(int64(time.Since(w.bar.start)))
	defer w.bar.reading.Store(0)
	return w.ReadCloser.Read(p)
}

// Advance says that so many more steps are done, and how many items so far.
func (b *Bar) Advance(steps, items int64) {
	if b == nil {
		return
	}
	b.items.Store(items)
	b.bar.IncrInt64(steps)
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
	if n, err := a.bar.container.Write(p); err == nil {
		return n, nil
	}
	return a.w.Write(p) // the bar is gone
}

// Stop removes the bar.
func (b *Bar) Stop() {
	if b == nil {
		return
	}
	// Ctrl-C leaves ^C behind: from the first column all of it is erased.
	io.WriteString(b.terminal, "\r")
	b.bar.Abort(true)
	b.container.Wait()
}
