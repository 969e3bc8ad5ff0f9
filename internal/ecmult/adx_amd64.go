//go:build !purego

package ecmult

import "p256k1.mleku.dev/internal/backend"

// useADX and useAVX512 are read by the assembly.
var useADX, useAVX512 = backend.ADX, backend.AVX512
