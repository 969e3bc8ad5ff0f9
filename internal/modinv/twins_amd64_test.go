//go:build !purego

package modinv

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
)

// TestTwins repeats the tests of inversions without the assembly.
func TestTwins(t *testing.T) {
	asmtest.Need(t, useADX, "BMI2, ADX or AVX2")
	useADX = false
	defer func() { useADX = true }()
	t.Run("Invert", TestInvert)
	t.Run("OtherModuli", TestOtherModuli)
	t.Run("Vectors", TestVectors)
	t.Run("LoopBound", TestLoopBound)
}
