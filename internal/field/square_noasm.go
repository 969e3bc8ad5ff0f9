//go:build (!amd64 || purego) && !386 && !arm && !mips && !mipsle && !wasm && !(purego && (limbs29 || limbs32))

package field

func square(v, a *Element) { squareGeneric(v, a) }
