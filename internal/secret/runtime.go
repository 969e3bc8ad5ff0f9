//go:build goexperiment.runtimesecret && linux && (amd64 || arm64)

package secret

import "runtime/secret"

// Do calls f and wipes the stack and the registers.
func Do(f func()) {
	secret.Do(f)
}
