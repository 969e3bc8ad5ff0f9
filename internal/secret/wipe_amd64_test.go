//go:build !purego && (!goexperiment.runtimesecret || !linux)

package secret

import "testing"

// TestWithoutAVX runs what processors without AVX have instead. That it wipes is
// for tools/evidence/residue to see, with GODEBUG=cpu.avx=off.
func TestWithoutAVX(t *testing.T) {
	defer func(avx, avx512 bool) { useAVX, useAVX512 = avx, avx512 }(useAVX, useAVX512)
	useAVX512 = false
	TestDo(t)
	useAVX = false
	TestDo(t)
}
