//go:build !purego

package platform

import "strings"

// A core has narrow multipliers if, according to Arm's optimization guides, a single pipe computes all its 64-bit
// products and UMULH occupies this pipe for three or four cycles. The multipliers of all other cores count as wide:
// Apple's cores, Neoverse V1, N2 and later, Cortex-X1 and later, and all unknown cores, among them Cortex-A73, A75
// and A78, for which no figures are known. The routines for narrow multipliers have two thirds more instructions, so
// according to models they do not help the in-order cores Cortex-A53 and A55. In a processor with different kinds of
// cores, the in-order cores do not count, because the system moves work to the faster cores.
const (
	cortexA53  = 0xd03
	cortexA55  = 0xd05
	cortexA57  = 0xd07
	cortexA72  = 0xd08
	cortexA76  = 0xd0b
	neoverseN1 = 0xd0c
	cortexA77  = 0xd0d
)

// armPart returns the part number of a core by Arm Ltd., or 0.
func armPart(midr uint64) uint64 {
	if midr>>24&0xff != 0x41 {
		return 0
	}
	return midr >> 4 & 0xfff
}

// inMixes reports whether a processor with this core may also have cores of another kind that change the choice.
func inMixes(midr uint64) bool {
	switch armPart(midr) {
	case cortexA53, cortexA55, cortexA57, cortexA72, cortexA76, cortexA77:
		return true
	}
	return false
}

// wideMultipliers reports whether the assembly for wide multipliers suits most of the cores, given each core's
// MIDR_EL1. For tests and measurements, GODEBUG=p256k1multipliers=wide or GODEBUG=p256k1multipliers=narrow overrides
// the choice.
func wideMultipliers(godebug string, midrs []uint64) bool {
	settings := strings.Split(godebug, ",")
	for i := len(settings) - 1; i >= 0; i-- { // the last setting counts
		switch settings[i] {
		case "p256k1multipliers=wide":
			return true
		case "p256k1multipliers=narrow":
			return false
		}
	}
	wide, narrow := 0, 0
	for _, m := range midrs {
		switch armPart(m) {
		case cortexA53, cortexA55:
		case cortexA57, cortexA72, cortexA76, cortexA77, neoverseN1:
			narrow++
		default:
			wide++
		}
	}
	return wide >= narrow
}
