//go:build !purego

package scalar

import "p256k1.mleku.dev/internal/platform"

// useADX is read by the assembly.
var useADX = platform.ADX
