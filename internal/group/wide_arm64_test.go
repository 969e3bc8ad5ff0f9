//go:build !purego

package group

import "testing"

// TestOtherMultipliers repeats tests with the assembly for the other kind of multipliers.
func TestOtherMultipliers(t *testing.T) {
	useWide = !useWide
	defer func() { useWide = !useWide }()
	t.Run("Assembly", TestAssembly)
	t.Run("AssemblyLimbs", TestAssemblyLimbs)
}
