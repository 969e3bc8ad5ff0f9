//go:build !amd64 || purego || (goexperiment.runtimesecret && linux)

package secret

// reserve makes the goroutine's stack large enough for wipe.
func reserve() { wipe() }

// wipe zeroes 8 KiB of the stack, more than the deepest operation needs, for which
// 4 KiB are too little.
//
//go:noinline
func wipe() byte {
	var frame [8 << 10]byte
	return frame[index(len(frame))]
}

// index hides from the compiler that only one byte of the frame is used.
//
//go:noinline
func index(n int) int {
	return n - 1
}
