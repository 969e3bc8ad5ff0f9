//go:build !linux && !purego

package platform

// processors returns nil, because Apple's cores have wide multipliers, and other systems do not provide the register
// MIDR_EL1.
func processors() []uint64 { return nil }
