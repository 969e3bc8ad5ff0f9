//go:build !purego

package ecmult

import "p256k1.mleku.dev/v2/internal/asmtest"

func init() {
	lookups = []lookupCode{
		{"Broadwell", "BMI2, ADX or AVX2", useBroadwell, lookupBroadwell},
		{"AVX512", asmtest.AVX512, useAVX512, lookupAVX512},
	}
}
