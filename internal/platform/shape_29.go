//go:build wasm || (purego && limbs29)

package platform

// This shape is for WebAssembly, whose products have 64 bits. With the tags purego and limbs29 it runs on other
// processors, for tests.
const (
	Word    = 64
	Product = 29
	Divstep = 30
)
