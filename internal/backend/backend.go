// Package backend says which code the arithmetic runs on: the assembly, where
// the processor has what it needs, or Go.
//
// The build tag purego leaves the assembly out. GODEBUG=cpu.bmi2=off,
// cpu.adx=off, cpu.avx2=off or cpu.avx512vl=off makes a program run as on a
// processor without these instructions.
package backend

// Portable is the name of the code in Go.
const Portable = "portable"
