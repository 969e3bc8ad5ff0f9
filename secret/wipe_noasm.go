//go:build !amd64 || purego || (goexperiment.runtimesecret && linux)

package secret

// reserve makes the goroutine's stack large enough for wipe.
func reserve() { zero(0) }

func wipeDeep() { zero(deep) }

func wipeShallow() { zeroShallow(shallow) }

// zero zeroes its frame, unless n is 0. Every call first makes the stack large enough for the frame. zero is not
// inlined, so the compiler does not know which byte is returned and must zero them all.
//
//go:noinline
func zero(n int) byte {
	if n == 0 {
		return 0
	}
	var frame [deep]byte
	return frame[n-1]
}

//go:noinline
func zeroShallow(n int) byte {
	var frame [shallow]byte
	return frame[n-1]
}
