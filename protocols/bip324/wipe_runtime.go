//go:build goexperiment.runtimesecret && linux && (amd64 || arm64)

package bip324

import "runtime/secret"

// hide calls f, and wipes the stack, the registers, and the copies that the runtime saves when it interrupts f. Before
// the call, hide makes the stack large enough: while the runtime copies a stack to a larger one, a signal would save
// parts of it that nothing wipes.
//
//go:noinline
func hide(f func()) {
	wipeStack()
	secret.Do(f)
}

// hidePacket calls f as hide does. It prepares less of the stack, for an f that needs less.
//
//go:noinline
func hidePacket(f func()) {
	wipeFrames()
	secret.Do(f)
}
