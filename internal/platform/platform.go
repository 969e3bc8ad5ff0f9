// Package platform decides which code the arithmetic uses: assembly, if the processor has the instructions, or Go, with
// word sizes that suit the processor.
//
// The build tag purego excludes the assembly. GODEBUG=cpu.bmi2=off, cpu.adx=off, cpu.avx2=off, cpu.avx512vl=off or
// cpu.avx512ifma=off makes a program run as on a processor without these instructions. The last setting works although
// Go 1.26 prints on standard error that it does not know the name. Without IFMA, package lanes computes with doubles,
// for public data only. GODEBUG=p256k1fma=off switches off these lanes, and GODEBUG=cpu.avx512ifma=off,p256k1fma=off
// switches off all lanes.
//
// For tests, the build tags purego,lanes and purego,doubles make a program use the lanes of either kind in Go.
//
// To add a routine in assembly, or a processor with assembly, begin with a line in table.go, from which the generator
// makes the declarations. To add a variant of the Go code for other word sizes, begin with a file shape_*.go.
package platform

// Portable is the result of Name if the code in use is only Go.
const Portable = "portable"

// Three constants give the shape of the Go code: the number of bits of a word in sums, of a limb in products, and of a
// digit in inversions. shape_64.go, shape_32.go and shape_29.go define them.
