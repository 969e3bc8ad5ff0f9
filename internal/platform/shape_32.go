//go:build 386 || arm || mips || mipsle || (purego && limbs32)

package platform

// This shape is for 32-bit processors. For tests, the build tags purego and limbs32 select it on other processors.
const (
	Word    = 32
	Product = 32
	Divstep = 30
)
