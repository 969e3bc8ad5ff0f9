//go:build !(amd64 || arm64 || 386.sse2) || purego

package field

func mul(v, a, b *Element)         { mulGo(v, a, b) }
func square(v, a *Element)         { squareGo(v, a) }
func squareN(v, a *Element, n int) { squareNGeneric(v, a, n) }
