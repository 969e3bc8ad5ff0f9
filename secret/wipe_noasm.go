//go:build !amd64 || purego || (goexperiment.runtimesecret && linux)

package secret

// reserve makes the goroutine's stack large enough for wipe.
func reserve() { wipe() }

// wipe zeroes 8 KiB of the stack. The deepest operation needs more than 4 KiB and less than 8 KiB.
//
//go:noinline
func wipe() byte {
	var frame [8 << 10]byte
	return frame[index(len(frame))]
}

// index returns n − 1. It is not inlined, so the compiler does not know the result and must clear all bytes of wipe's
// frame.
//
//go:noinline
func index(n int) int {
	return n - 1
}
