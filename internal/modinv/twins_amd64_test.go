//go:build !purego

package modinv

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/asmtest"
)

// TestTwins repeats the tests of inversions with the twins in Go in place of the assembly.
func TestTwins(t *testing.T) {
	asmtest.Need(t, useBroadwell, "BMI2, ADX or AVX2")
	useBroadwell = false
	defer func() { useBroadwell = true }()
	t.Run("Invert", TestInvert)
	t.Run("OtherModuli", TestOtherModuli)
	t.Run("Vectors", TestVectors)
	t.Run("LoopBound", TestLoopBound)
	t.Run("Model", TestModel)
}
