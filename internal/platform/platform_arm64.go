//go:build !purego

package platform

import "os"

// Wide tells whether the assembly for wide multipliers is in use, and not the assembly for narrow multipliers (see
// wideMultipliers).
var Wide = wideMultipliers(os.Getenv("GODEBUG"), processors())

// Name returns the name of the code in use, for people to read. The code uses no instructions that an ARM64 processor
// may lack.
func Name() string {
	if Wide {
		return "ARM64"
	}
	return "ARM64 (narrow multipliers)"
}

// IFMA tells whether the processor has the instructions of package lanes.
const IFMA = false
