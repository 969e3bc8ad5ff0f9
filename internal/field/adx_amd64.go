//go:build !purego

package field

import "p256k1.mleku.dev/internal/backend"

//lint:ignore U1000 the assembly reads it
var useADX = backend.ADX
