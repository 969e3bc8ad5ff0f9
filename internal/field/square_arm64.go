//go:build !purego

package field

// There is no assembly for one squaring on ARM64: it counts 75 instructions, and
// the Go code 76.
func square(v, a *Element) { squareGo(v, a) }
