//go:build goexperiment.runtimesecret && linux && (amd64 || arm64)

package bip324

import "runtime/secret"

// hide calls f and wipes the stack, the registers, and what the runtime saves of them when it interrupts f.
func hide(f func()) { secret.Do(f) }

func hidePacket(f func()) { secret.Do(f) }
