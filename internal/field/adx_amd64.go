//go:build !purego

package field

import "p256k1.mleku.dev/internal/platform"

//lint:ignore U1000 the assembly reads it
var useADX = platform.ADX
