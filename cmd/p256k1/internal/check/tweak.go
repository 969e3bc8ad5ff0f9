package check

import (
	"fmt"

	"p256k1.mleku.dev/v2"
)

// checkTweak judges whether the output key of a tweak is internal + tweak·G,
// with a y coordinate of the parity that is claimed, as BIP-341 has it.
func (c *Checker) checkTweak() Result {
	switch parity := c.values[fieldParity]; string(parity) {
	case "0":
		return judged(Tweak, c.tweak(false))
	case "1":
		return judged(Tweak, c.tweak(true))
	default:
		return unreadable(Tweak, fmt.Sprintf("parity is %s, want 0 or 1", beginning(parity)))
	}
}

func (c *Checker) tweak(odd bool) (reason string) {
	var internal, tweak, output [32]byte
	if reason := c.hexInto(internal[:], fieldInternal); reason != "" {
		return reason
	}
	if reason := c.hexInto(tweak[:], fieldTweak); reason != "" {
		return reason
	}
	if reason := c.hexInto(output[:], fieldOutput); reason != "" {
		return reason
	}
	key, err := p256k1.NewXOnlyPublicKey(internal[:])
	if err != nil {
		return fieldError(fieldInternal, err)
	}
	if key.CheckTweakAdd(tweak[:], output[:], odd) {
		return ""
	}
	sum, err := key.TweakAdd(tweak[:])
	if err != nil {
		return fieldError(fieldTweak, err)
	}
	if x := sum.XOnly().Bytes(); string(x) != string(output[:]) {
		return fmt.Sprintf("output is not the tweaked key, which is %x", x)
	}
	return "parity is that of the other y coordinate"
}
