//go:build !purego

package ecmult

import "p256k1.mleku.dev/v2/internal/asmtest"

func init() {
	lookups = []lookupCode{
		{"ADX", "BMI2, ADX or AVX2", useADX, lookupADX},
		{"AVX512", asmtest.AVX512, useAVX512, lookupAVX512},
	}
}
