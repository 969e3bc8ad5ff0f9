//go:build (386 && (!386.sse2 || purego)) || arm || mips || mipsle || (purego && limbs32)

package field

// The tag limbs32, with purego, is for testing this on 64-bit processors.

func mul(v, a, b *Element) { mul32(v, a, b) }
func square(v, a *Element) { square32(v, a) }

func squareN(v, a *Element, n int) {
	square32(v, a)
	for range n - 1 {
		square32(v, v)
	}
}
