//go:build !purego

package ecmult

import (
	"p256k1.mleku.dev/internal/asmtest"
	"p256k1.mleku.dev/internal/group"
)

// lookups are the look-ups in assembly.
var lookups = []struct {
	name  string
	needs string
	has   bool
	do    func(p *group.Affine, table []entry, window uint64)
}{
	{"ADX", "BMI2, ADX or AVX2", useADX, lookupADX},
	{"AVX512", asmtest.AVX512, useAVX512, lookupAVX512},
}
