//go:build !purego

package toy

// Fast is compiled in the second build only, and tested there.
func Fast(a, b uint64) uint64 { return a - b }
