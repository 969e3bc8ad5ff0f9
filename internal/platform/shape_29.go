//go:build wasm || (purego && limbs29)

package platform

// For WebAssembly, which has words of 64 bits and products of no more. The tag
// limbs29, with purego, is for testing this on others.
const (
	Word    = 64
	Product = 29
	Divstep = 30
)
