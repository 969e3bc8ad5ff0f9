//go:build !386 && !arm && !mips && !mipsle && !wasm && !(purego && (limbs32 || limbs29))

package platform

// This shape is for processors that multiply 64-bit integers to 128 bits.
const (
	Word    = 64
	Product = 64
	Divstep = 62
)
