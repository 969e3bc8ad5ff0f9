//go:build !purego && (!goexperiment.runtimesecret || !linux)

package secret

import "golang.org/x/sys/cpu"

// useAVX and useAVX512 are read by the assembly.
var useAVX, useAVX512 = cpu.X86.HasAVX, cpu.X86.HasAVX512F

// reserve makes the goroutine's stack large enough for wipe.
func reserve()

// wipe zeroes 8 KiB of the stack. The deepest operation needs more than 4 KiB and less than 8 KiB. Because the kernel
// and the runtime save the registers when they interrupt the goroutine, wipe also zeroes all registers to which Go
// assigns no fixed purpose, including the vectors and masks of AVX-512.
func wipe()
