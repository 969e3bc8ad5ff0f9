//go:build !goexperiment.runtimesecret || !linux || !(amd64 || arm64)

package secret

// Do calls f and then wipes the stack that f used, including variables and the registers that the compiler spilled. In
// builds with assembly on amd64, Do also wipes the registers. It allocates nothing.
//
// Do wipes 8 KiB, so f and all functions that it calls must use no more. The variables of the caller of Do are not
// wiped, so f must write secret results to memory of New or Make. f must write them there directly, because the frame
// of a function between Do and its caller would not be wiped. If f panics or calls runtime.Goexit, Do wipes nothing,
// and it never wipes what goroutines use that f starts.
//
// Before it calls f, Do makes the stack large enough, because Go enlarges a stack by copying it, and then frees the old
// stack without wiping the secrets on it. A call of Do inside f may enlarge the stack again, so f should have no secret
// in its own variables then. All operations of this library on private keys call Do.
//
//go:noinline
func Do(f func()) {
	// wipe is not inlined, so that the frames of f and of wipe begin at the same address.
	reserve()
	f()
	wipe()
}
