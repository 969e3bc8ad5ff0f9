//go:build !goexperiment.runtimesecret || !linux || !(amd64 || arm64)

package secret

// Do calls f and then wipes the stack that f used, including variables and the registers that the compiler spilled. f
// and all functions that it calls must use at most 8 KiB of stack. In builds with assembly on amd64, Do also wipes
// the registers. If f panics, Do wipes nothing. f must write its results directly to variables of the caller of Do,
// because a variable of another frame would not be wiped.
//
// Before it calls f, Do makes the stack large enough, because Go enlarges a stack by copying it, and then frees the
// old stack without wiping the secrets on it.
//
//go:noinline
func Do(f func()) {
	// wipe is not inlined, so that the frames of f and of wipe begin at the same address.
	reserve()
	f()
	wipe()
}
