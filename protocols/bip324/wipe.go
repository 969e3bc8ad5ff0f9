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
