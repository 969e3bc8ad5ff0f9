//go:build !goexperiment.runtimesecret || !linux || !(amd64 || arm64)

package bip324

// hide calls f and wipes 8 KiB of the stack, where the ciphers and SHA-256 leave keys. It also wipes the stack before
// the call, which makes the stack large enough. Go would otherwise copy a stack that is too small, and free the old
// stack without wiping it.
//
//go:noinline
func hide(f func()) {
	wipeStack()
	f()
	wipeStack()
}

// hidePacket calls f and wipes 2 KiB of the stack, which is more than the encryption of a packet uses.
//
//go:noinline
func hidePacket(f func()) {
	wipeFrames()
	f()
	wipeFrames()
}
