//go:build !amd64 || purego || (goexperiment.runtimesecret && linux)

package secret

// reserve makes the goroutine's stack large enough for wipe.
func reserve() { zero(0) }

// wipe zeroes 8 KiB of the stack. The deepest operation needs more than 4 KiB and less than 8 KiB.
func wipe() { zero(size) }

const size = 8 << 10

// zero zeroes its frame, unless n is 0. Every call first makes the stack large enough for the frame. zero is not
// inlined, so the compiler does not know which byte is returned and must zero them all.
//
//go:noinline
func zero(n int) byte {
	if n == 0 {
		return 0
	}
	var frame [size]byte
	return frame[n-1]
}
