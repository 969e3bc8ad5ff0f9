//go:build wasm || (purego && limbs29)

package field

// The tag limbs29, with purego, is for testing this on 64-bit processors.

func mul(v, a, b *Element) { mul29(v, a, b) }
func square(v, a *Element) { square29(v, a) }

func squareN(v, a *Element, n int) {
	square29(v, a)
	for range n - 1 {
		square29(v, v)
	}
}
