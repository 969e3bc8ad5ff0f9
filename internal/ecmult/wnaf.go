package ecmult

import (
	"math/bits"

	"p256k1.mleku.dev/internal/scalar"
)

// naf is a signed integer of at most 128 bits in width-w non-adjacent form: the
// sum of digit[i]·2ⁱ, where digits are zero or odd, below 2ʷ⁻¹ in
// absolute value, and at most one of any w in a row is not zero.
type naf struct {
	digit  [129]int16
	places [3]uint64 // a bit for every digit that is not zero
}

// mark adds the places of n.
func (n *naf) mark(places *[3]uint64) {
	for i := range places {
		places[i] |= n.places[i]
	}
}

// setVartime sets n to h in the form of width w ≤ 15. All digits of n must be
// zero.
func (n *naf) setVartime(h scalar.Half, w int) {
	lo, hi := h.Lo, h.Hi
	sign := int16(h.Neg) // 0 or −1
	at := 0
	for lo|hi != 0 {
		if lo == 0 {
			lo, hi = hi, 0
			at += 64
		}
		zeros := bits.TrailingZeros64(lo)
		lo, hi = lo>>zeros|hi<<(64-zeros), hi>>zeros
		at += zeros
		digit := int16(lo & (1<<w - 1))
		lo, hi = lo>>w|hi<<(64-w), hi>>w
		// A digit of 2ʷ⁻¹ or more becomes negative and carries.
		carry := digit >> (w - 1)
		digit -= carry << w
		var k uint64
		lo, k = bits.Add64(lo, uint64(carry), 0)
		hi += k
		n.digit[at] = (digit ^ sign) - sign
		n.places[at/64] |= 1 << (at % 64)
		at += w
	}
}
