//go:build goexperiment.runtimesecret && linux && (amd64 || arm64)

package secret

import "runtime/secret"

// Do calls f and then wipes the registers and the stack that f used. Before it calls f, Do makes the stack large
// enough: while the runtime copies a stack to a larger one, a signal would save parts of it that nothing wipes.
//
//go:noinline
func Do(f func()) {
	reserve()
	secret.Do(f)
}
