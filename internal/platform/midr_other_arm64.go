//go:build !linux && !purego

package platform

// processors returns nothing: Apple's cores have wide multipliers, and other systems do not tell.
func processors() []uint64 { return nil }
