//go:build !purego && (!goexperiment.runtimesecret || !linux)

package secret

import "golang.org/x/sys/cpu"

// useAVX and useAVX512 are read by the assembly.
var useAVX, useAVX512 = cpu.X86.HasAVX, cpu.X86.HasAVX512F

// reserve makes the goroutine's stack large enough for wipe.
func reserve()

// wipe zeroes 8 KiB of the stack, more than the deepest operation needs, for which
// 4 KiB are too little, and all registers that have no purpose of their own in Go,
// vectors and masks of AVX-512 included:
// if the goroutine is interrupted next, the kernel and the runtime save them.
func wipe()
