//go:build (!(amd64 || arm64) || purego) && !386 && !arm && !mips && !mipsle && !wasm && !(purego && (limbs29 || limbs32))

package field

func mul(v, a, b *Element)         { mulGeneric(v, a, b) }
func squareN(v, a *Element, n int) { squareNGeneric(v, a, n) }
