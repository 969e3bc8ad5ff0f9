package p256k1

import (
	"fmt"

	"p256k1.mleku.dev/v2/curve"
)

// setTweak sets s to the tweak t, a 32-byte big-endian integer below n, which may be zero. The error is ErrLength or
// ErrRange.
func setTweak(s *curve.Scalar, t []byte) error {
	if len(t) != 32 {
		return fmt.Errorf("p256k1: tweak: %w: %d bytes, want 32", ErrLength, len(t))
	}
	if _, err := s.SetBytes(t); err != nil {
		return fmt.Errorf("p256k1: tweak: %w: not below the group order", ErrRange)
	}
	return nil
}
