//go:build wasm || (purego && limbs29)

package platform

// This shape is for WebAssembly, whose products have 64 bits. For tests, the build tags purego and limbs29 select it on
// other processors.
const (
	Word    = 64
	Product = 29
	Divstep = 30
)
