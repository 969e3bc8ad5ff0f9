//go:build !purego

package group

import "testing"

// TestGuardOtherMultipliers repeats TestGuard with the assembly for the other kind of multipliers.
func TestGuardOtherMultipliers(t *testing.T) {
	useWide = !useWide
	defer func() { useWide = !useWide }()
	TestGuard(t)
}
