//go:build 386 || arm || mips || mipsle || (purego && limbs32)

package platform

// This shape is for 32-bit processors. With the tags purego and limbs32 it runs on others, for tests.
const (
	Word    = 32
	Product = 32
	Divstep = 30
)
