// Package platform says which code the arithmetic runs on: the assembly, where
// the processor has what it needs, or Go, in a shape that suits the processor.
//
// The build tag purego leaves the assembly out. GODEBUG=cpu.bmi2=off,
// cpu.adx=off, cpu.avx2=off, cpu.avx512vl=off or cpu.avx512ifma=off makes a program
// run as on a processor without these instructions. Of the last one Go 1.26 itself says
// on standard error that it does not know it. It works nevertheless.
//
// Routines in assembly, and processors that have some, begin as lines of table.go,
// from which the generator makes the rest. A shape in Go begins as a shape_*.go.
package platform

// Portable is the name of the code in Go.
const Portable = "portable"

// The shape of the code in Go is three constants, in shape_64.go, shape_32.go and
// shape_29.go: the bits of a word in sums, of a limb in products, and of a digit in
// inversions.
