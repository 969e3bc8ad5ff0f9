//go:build !purego

package field

import "p256k1.mleku.dev/internal/backend"

// useADX is read by the assembly.
var useADX = backend.ADX
