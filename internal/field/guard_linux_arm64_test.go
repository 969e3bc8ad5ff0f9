//go:build !purego

package field

import "testing"

// TestGuardOtherMultipliers repeats TestGuard with the assembly for the other kind of multipliers.
func TestGuardOtherMultipliers(t *testing.T) {
	useWide = !useWide
	defer func() { useWide = !useWide }()
	TestGuard(t)
}
