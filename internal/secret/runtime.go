//go:build goexperiment.runtimesecret && linux && (amd64 || arm64)

package secret

import "runtime/secret"

// Do calls f and wipes the stack and the registers. Before f it makes room on the stack: while the runtime copies a stack to a
// larger one, a signal would save parts of it that nothing wipes.
//
//go:noinline
func Do(f func()) {
	reserve()
	secret.Do(f)
}
