// Package platform decides which code the arithmetic uses: assembly, if the processor has the instructions, or Go,
// with word sizes that suit the processor.
//
// The build tag purego leaves the assembly out. GODEBUG=cpu.bmi2=off, cpu.adx=off, cpu.avx2=off, cpu.avx512vl=off or
// cpu.avx512ifma=off makes a program run as on a processor without these instructions. For the last one Go 1.26 prints
// on standard error that it does not know the name, but it works. On ARM64, GODEBUG=p256k1multipliers=wide or narrow
// chooses between two sets of routines.
//
// The choice is made when the program starts, as on x86-64, and not at the first use, because a program may enter a
// sandbox in between that kills it for reading a file.
//
// To add a routine in assembly, or a processor with assembly, begin with a line in table.go, from which the generator
// makes the declarations. To add a shape of the code in Go, begin with a file shape_*.go.
package platform

// Portable is the result of Name if the code in use is in Go alone.
const Portable = "portable"

// The shape of the code in Go is three constants, in shape_64.go, shape_32.go and
// shape_29.go: the bits of a word in sums, of a limb in products, and of a digit in
// inversions.
