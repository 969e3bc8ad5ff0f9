//go:build !purego && 386.sse2

package platform

// Name returns the name of the code in use. Go itself needs SSE2, unless
// GO386=softfloat.
func Name() string { return "386 (SSE2)" }

// IFMA tells whether the processor has the instructions of package lanes.
const IFMA = false
