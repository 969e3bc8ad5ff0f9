//go:build !purego

package group

import "p256k1.mleku.dev/internal/backend"

// useADX is read by the assembly.
var useADX = backend.ADX
