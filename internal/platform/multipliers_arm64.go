//go:build !purego

package platform

import "strings"

// A core has narrow multipliers if one pipe makes all its 64-bit products, and UMULH occupies it for three or four
// cycles, by Arm's guides to optimization. All other out-of-order cores count as wide, and so do unknown ones: Apple's,
// Neoverse V1, N2 and later, Cortex-X1 and later, and also Cortex-A73, A75 and A78, of which nothing is known here. The
// routines for narrow multipliers have two thirds more instructions, so they do not help the in-order Cortex-A53 and A55,
// as far as models tell. In a mix these do not count, because the system moves work to the faster cores.
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

// inMixes tells whether a processor may have other cores beside this one, and whether they matter.
func inMixes(midr uint64) bool {
	switch armPart(midr) {
	case cortexA53, cortexA55, cortexA57, cortexA72, cortexA76, cortexA77:
		return true
	}
	return false
}

// wideMultipliers reports whether the assembly for wide multipliers suits most of the cores, given each core's
// MIDR_EL1. For tests and measurements, GODEBUG=p256k1multipliers=wide or narrow decides instead.
func wideMultipliers(godebug string, midrs []uint64) bool {
	settings := strings.Split(godebug, ",")
	for i := len(settings) - 1; i >= 0; i-- { // the last one counts
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
