//go:build !goexperiment.runtimesecret || !linux || !(amd64 || arm64)

package bip324

// hide calls f and wipes 8 KiB of the stack, where the ciphers and SHA-256 leave keys. It wipes before, too: a stack that is too
// small is copied, and freed as it is.
//
//go:noinline
func hide(f func()) {
	wipeStack()
	f()
	wipeStack()
}

// hidePacket is hide for 2 KiB, more than the encryption of a packet takes.
//
//go:noinline
func hidePacket(f func()) {
	wipeFrames()
	f()
	wipeFrames()
}

//go:noinline
func wipeStack() byte {
	var frame [8 << 10]byte
	return frame[last(len(frame))]
}

//go:noinline
func wipeFrames() byte {
	var frame [2 << 10]byte
	return frame[last(len(frame))]
}

// last hides from the compiler that only one byte of the frame is used.
//
//go:noinline
func last(n int) int { return n - 1 }
