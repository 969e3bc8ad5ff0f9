package field

import "p256k1.mleku.dev/v2/internal/platform"

// This file chooses the Go code that runs where there is no assembly. The conditions are constants of package platform,
// so the compiler removes the branches that are not taken.

// mulGo sets v = a · b.
//
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

// squareGo sets v = a².
func squareGo(v, a *Element) {
	if platform.Product == 29 {
		square29(v, a)
	} else if platform.Product == 32 {
		square32(v, a)
	} else {
		squareGeneric(v, a)
	}
}

// squareNGeneric sets v = a^(2ⁿ) for n > 0. The assembly returns the same limbs. A version that keeps the limbs in
// registers from one squaring to the next was 6 % faster in Go, which is too little to justify a second copy of
// squareGeneric.
func squareNGeneric(v, a *Element, n int) {
	squareGo(v, a)
	for range n - 1 {
		squareGo(v, v)
	}
}
