//go:build !purego

package modinv

import "p256k1.mleku.dev/internal/platform"

// useADX is read by the assembly too. Tests clear it.
var useADX = platform.ADX
