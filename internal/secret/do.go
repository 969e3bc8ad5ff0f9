//go:build !goexperiment.runtimesecret || !linux || !(amd64 || arm64)

package secret

// Do calls f and then wipes the stack that f used, variables and what the compiler
// spilled. With all it calls f must take at most 8 KiB. Where the assembly for amd64
// runs, Do also wipes the registers. If f panics it wipes nothing. Results go to
// variables of the caller of Do, which f must write to directly: a variable between the
// two would be in a frame that nobody wipes.
//
// Before f it makes room on the stack: Go grows a stack by copying it and frees the old
// one as it is, with whatever secrets it held.
//
//go:noinline
func Do(f func()) {
	// Not inlined, so that the frames of f and of wipe begin at the same place.
	reserve()
	f()
	wipe()
}
