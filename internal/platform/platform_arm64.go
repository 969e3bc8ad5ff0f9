//go:build !purego

package platform

// Name returns the name of the code in use, for people to read. The code uses no instructions that an ARM64 processor
// may lack.
func Name() string { return "ARM64" }

// IFMA tells whether the processor has the instructions of package lanes.
const IFMA = false

// FMA is false because only x86-64 has assembly of package lanes that computes with doubles.
const FMA = false
