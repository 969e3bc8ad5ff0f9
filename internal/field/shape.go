package field

import "p256k1.mleku.dev/v2/internal/platform"

// Which code in Go runs where there is no assembly. The constants of the platform
// decide when the library is built.

//lint:ignore U1000 platforms without assembly use it
func mulGo(v, a, b *Element) {
	if platform.Product == 29 {
		mul29(v, a, b)
	} else if platform.Product == 32 {
		mul32(v, a, b)
	} else {
		mulGeneric(v, a, b)
	}
}

func squareGo(v, a *Element) {
	if platform.Product == 29 {
		square29(v, a)
	} else if platform.Product == 32 {
		square32(v, a)
	} else {
		squareGeneric(v, a)
	}
}

// squareNGeneric is the twin of the assembly too. Keeping the limbs in registers
// across squarings gained 6 % in Go: not worth a second copy of squareGeneric.
func squareNGeneric(v, a *Element, n int) {
	squareGo(v, a)
	for range n - 1 {
		squareGo(v, v)
	}
}
