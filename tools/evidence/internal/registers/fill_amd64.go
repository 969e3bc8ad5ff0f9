package registers

import "golang.org/x/sys/cpu"

// Has reports whether the processor has the registers that Fill fills.
var Has = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW

// Fill puts b into the vector registers that only AVX-512 has, and parts of b into the mask registers.
//
//go:noescape
func Fill(b *[32]byte)
