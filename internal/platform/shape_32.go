//go:build 386 || arm || mips || mipsle || (purego && limbs32)

package platform

// For 32-bit processors. The tag limbs32, with purego, is for testing this on others.
const (
	Word    = 32
	Product = 32
	Divstep = 30
)
