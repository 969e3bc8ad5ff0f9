//go:build goexperiment.runtimesecret && linux && (amd64 || arm64)

package bip324

import "runtime/secret"

// hide calls f, and wipes the stack, the registers, and the copies that the runtime saves when it interrupts f. Before
// the call, hide makes the stack large enough, because a signal that arrives while the runtime copies a stack to a
// larger one would save parts of the stack that nothing wipes.
//
//go:noinline
func hide(f func()) {
	wipeStack()
	secret.Do(f)
}

// hidePacket calls f and wipes the same places as hide, but prepares a smaller stack, because the encryption of a
// packet needs less.
//
//go:noinline
func hidePacket(f func()) {
	wipeFrames()
	secret.Do(f)
}
