//go:build !purego

package ecmult

import "p256k1.mleku.dev/internal/platform"

// useADX and useAVX512 are read by the assembly.
var useADX, useAVX512 = platform.ADX, platform.AVX512
