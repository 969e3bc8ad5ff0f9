//go:build aix || js || plan9 || wasip1

package progress

import "io"

// The library that draws bars does not know the terminals of these systems.
const supported = false

// Bar is the bar of a system that has none: it shows nothing.
type Bar struct{}

// Start returns nil.
func Start(io.Writer, int64, string) *Bar { return nil }

// Advance does nothing.
func (*Bar) Advance(steps, items int64) {}

// Over returns w.
func (*Bar) Over(w io.Writer) io.Writer { return w }

// Stop does nothing.
func (*Bar) Stop() {}

// Watch returns r.
func (*Bar) Watch(r io.ReadCloser) io.ReadCloser { return r }
